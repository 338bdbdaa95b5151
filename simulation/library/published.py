"""Reads the cited library: one row a claim, one row a publication. Figures and sources are quoted, words are ours.

A claim is an annotation. It was found on other hardware, with another workload, against another baseline than any run
of this engine, so it is shown beside numbers of the same metric and never compared with them.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args

from simulation.metrics.definitions import METRICS
from simulation.systems.claim import Claim, Confidence, Kind

FOLDER = Path(__file__).parent
CLAIMS, WORKS = "claims.csv", "works.csv"
CONFIDENCES: tuple[str, ...] = get_args(Confidence)
KINDS: tuple[str, ...] = get_args(Kind)
Row = dict[str, str]
T = TypeVar("T")


class LibraryError(ValueError):
    """A row of the library that is not what it should be: names file, row, column, value and what was expected."""


@dataclass(frozen=True, slots=True)
class Work:
    """The publication of a system. `venue` is empty and `year` None for a set of claims of several publications."""

    slug: str
    name: str
    title: str
    authors: str
    venue: str
    year: int | None


@dataclass(frozen=True, slots=True)
class Published:
    """A claim of a publication; `of` is the engine's metric that it is about, "" where the engine has none."""

    work: Work
    of: str
    claim: Claim

    @property
    def setting(self) -> str:
        """Why it may not be compared, as a sentence begins: "other hardware: 60 P100 GPUs"."""
        return f"other hardware: {self.claim.hardware}"

    def document(self) -> dict[str, Any]:
        """JSON for pages and the API."""
        work = {"system": self.work.slug, "name": self.work.name, "venue": self.work.venue, "year": self.work.year}
        return work | {"of": self.of, **self.claim.document(), "setting": self.setting}


@cache
def works() -> dict[str, Work]:
    """Publications by slug, in the order of the file; LibraryError where a row is wrong."""
    found: dict[str, Work] = {}
    for work in _rows(WORKS, _work):
        if work.slug in found:
            raise LibraryError(f"{WORKS}: {work.slug} stands there twice; expected each publication once")
        found[work.slug] = work
    return found


@cache
def claims() -> tuple[Published, ...]:
    """All claims by system, in the order of the file; LibraryError where a row is wrong."""
    return tuple(_rows(CLAIMS, _published))


def about(metric: str) -> tuple[Published, ...]:
    """Claims about one metric of the engine, by system: an order that says nothing about who is better."""
    return tuple(one for one in claims() if one.of == metric)


def _rows(name: str, read: Callable[[Row], T]) -> Iterator[T]:
    with (FOLDER / name).open(newline="", encoding="utf-8") as lines:
        for number, row in enumerate(csv.DictReader(lines), start=2):
            try:
                yield read(row)
            except LibraryError as error:
                raise LibraryError(f"{name}, row {number}, {error}") from None


def _work(row: Row) -> Work:
    return Work(
        slug=_text(row, "slug"),
        name=_text(row, "name"),
        title=row["title"],
        authors=row["authors"],
        venue=row["venue"],
        year=int(row["year"]) if row["year"] else None,
    )


def _published(row: Row) -> Published:
    value, up_to = _number(row, "value"), _number(row, "up_to")
    if up_to is not None and (value is None or up_to <= value):
        raise LibraryError(f"column up_to: {row['up_to']!r}; expected more than value")
    claim = Claim(
        metric=_text(row, "metric"),
        value=value,
        up_to=up_to,
        unit=_text(row, "unit"),
        baseline=_text(row, "baseline"),
        hardware=_text(row, "hardware"),
        workload=_text(row, "workload"),
        kind=_among(row, "kind", KINDS),  # type: ignore[arg-type]
        place=_text(row, "place"),
        confidence=_among(row, "confidence", CONFIDENCES),  # type: ignore[arg-type]
    )
    return Published(works()[_among(row, "system", tuple(works()))], _among(row, "of", ("", *METRICS)), claim)


def _text(row: Row, column: str) -> str:
    if not (row[column] or "").strip():
        raise LibraryError(f"column {column}: empty; expected words")
    return row[column]


def _number(row: Row, column: str) -> float | None:
    if not row[column]:
        return None
    try:
        value = float(row[column])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise LibraryError(f"column {column}: {row[column]!r}; expected a number, or nothing")
    return value


def _among(row: Row, column: str, allowed: tuple[str, ...]) -> str:
    if row[column] not in allowed:
        raise LibraryError(f"column {column}: {row[column]!r}; expected one of {', '.join(filter(None, allowed))}")
    return row[column]
