"""A report as its readers get it, whatever paper it is written on: HTML in one file, or PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.evidence.points import Answer, Point
from planner.web.figures.figure import Figure
from planner.web.study_facts import Part
from planner.web.terms import ORIGIN_MEANINGS


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts; the first column names the row, `level` columns hold words, the others numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wordy: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    words: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    grid: Grid | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """`about` is what holds for every number in it: engine, inputs with their digests, the view."""

    title: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]
    about: Mapping[str, str]
    illustrative: bool = False


def sources(parts: Sequence[Part]) -> Section:
    """Every input with the file or person that it comes from."""
    rows = []
    for part in parts:
        source = part.revision.source
        file = f"{source.file_name}, sha256 {source.sha256[:12]}" if source.file_name else source.title
        rows.append((part.role, part.name, part.revision.origin, file, part.revision.digest[:12]))
    grid = Grid(("Input", "Revision", "Origin", "Comes from", "sha256"), tuple(rows), frozenset({1, 2, 3, 4}))
    return Section("Where the inputs come from", grid=grid)


def origins() -> Section:
    grid = Grid(
        ("Mark", "Means"), tuple((f"{o.letter} {o}", words) for o, words in ORIGIN_MEANINGS.items()), frozenset({1})
    )
    return Section("Origins of numbers", ("A number is never stronger than its weakest input.",), grid=grid)


def twelve_points(points: Sequence[Point]) -> Section:
    answers = [point.finding.answer for point in points]
    counted = ", ".join(f"{answers.count(answer)} {answer}" for answer in Answer)
    rows = tuple((f"{p.number} {p.title}", str(p.finding.answer), _why(p)) for p in points)
    words = (f"{counted}. Worked out from what is stored, not ticked.",)
    return Section(
        "The reviewer's twelve points", words, grid=Grid(("Point", "Answer", "Why"), rows, frozenset({1, 2}))
    )


def _why(point: Point) -> str:
    beyond = f" This version cannot answer the rest: {point.finding.beyond}" if point.finding.beyond else ""
    return f"{point.finding.why}{beyond}"


def marked(origin: Any, text: str) -> str:
    """A number with the letter of its origin in front."""
    return f"{origin.letter} {text}"
