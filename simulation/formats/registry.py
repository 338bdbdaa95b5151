"""The one table of formats that can be read, and the three calls that an import needs: detect, read, describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from simulation.formats.limits import DEFAULT_LIMITS, Limits
from simulation.formats.reading import Reading
from simulation.formats.tables import Kind

HEAD_BYTES = 65_536

Detector = Callable[[str, str], "tuple[float, str]"]
"""(decoded head, file name) -> confidence from 0 to 1, and the reason in words."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how it is recognised and read. `made_by` tells users how they get such a file."""

    slug: str
    title: str
    kind: Kind
    made_by: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A format that a file may be in; confidence from 0 to 1, reason in words."""

    slug: str
    title: str
    kind: Kind
    confidence: float
    reason: str


def detect(head: bytes, filename: str = "") -> list[Candidate]:
    """Formats that fit the first bytes of a file (at least 64 KiB, or all of it), best first; [] where none does."""
    raise NotImplementedError


def read(
    slug: str,
    source: str | Path | BinaryIO,
    answers: Mapping[str, str] | None = None,
    *,
    filename: str = "",
    limits: Limits = DEFAULT_LIMITS,
) -> Reading:
    """Read a whole file (a path, or a seekable binary stream) in the named format, under the answers given.

    Raises FormatError, and nothing else, for whatever is wrong with the file or an answer; KeyError for a slug that
    is not in FORMATS.
    """
    raise NotImplementedError
