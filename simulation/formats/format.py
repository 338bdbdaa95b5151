"""What a reader says of itself: how its files are recognised and read, and what people may expect of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simulation.formats.columns import Kind
from simulation.formats.reading import Reading
from simulation.formats.source import Source


@dataclass(frozen=True, slots=True)
class Format:
    """A file format. `made_by` tells users how they get such a file.

    `detect(text, filename)`: the decoded head -> (confidence from 0 to 1, reason in words); 0 where it does not fit.
    `reads`, `leaves` and `unknowns` (what is read, what is not, how unknowns are treated) are for the reference page.
    `redact` gives what may be stored of a file's bytes, where not all of it may.
    """

    slug: str
    title: str
    kind: Kind
    made_by: str
    detect: Callable[[str, str], tuple[float, str]]
    read: Callable[[Source], Reading]
    reads: str
    leaves: str
    unknowns: str
    redact: Callable[[bytes], bytes] = bytes
