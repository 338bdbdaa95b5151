"""What the page of speed shows: measures with what is asked of them, and how far ahead of other simulators it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from planner.evidence.fidelity import Agreement
from planner.evidence.speed import Group, Measure
from planner.web.figures.speedups import Ratios
from planner.web.numbers import scale_for, times, written

_LARGE = ((1e6, "M "), (1e3, "k "), (1.0, ""))


@dataclass(frozen=True, slots=True)
class Line:
    measure: Measure
    what: str
    value: str
    asked: str
    beside: str
    as_fast: str


def lines(group: Group) -> list[Line]:
    return [_line(measure) for measure in group.figures]


def _line(measure: Measure) -> Line:
    ends = ((word, end) for word, end in (("at least", measure.least), ("at most", measure.most)) if end is not None)
    return Line(
        measure=measure,
        what=measure.text,
        value="" if measure.value is None else amount(measure.value, measure.unit),
        asked=", ".join(f"{word} {amount(end, measure.unit)}" for word, end in ends),
        beside="" if measure.beside is None else amount(measure.beside, measure.unit),
        as_fast="" if measure.as_fast is None else written(measure.as_fast, 0 if measure.as_fast >= 10 else 2),
    )


def amount(value: float, unit: str) -> str:
    """A figure with its unit: spans as on every page, rates in thousands or millions."""
    if unit == "s":
        return scale_for("s", [value]).with_unit(value)
    if unit == "×":
        return f"{written(value, 2)} ×"
    size, word = next(step for step in _LARGE if value >= step[0] or step[0] == 1.0)
    return f"{times(value / size)} {word}{unit}"


def ratios(found: Agreement) -> Iterator[Ratios]:
    """The cases of each peer whose time is known."""
    for group in found.groups():
        known = tuple((case.rows[0].run, case.speedup) for case in group.cases if case.speedup is not None)
        if known:
            yield Ratios(group.peer.title, known)
