"""Where a number comes from: origin kinds, and the value that carries one through a computation.

Origins are ordered by strength (design: evidence). A derived number is never stronger than its weakest input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum


class Origin(StrEnum):
    """Kind of origin, strongest first."""

    MEASURED = "measured"
    SIMULATED = "simulated"
    CITED = "cited"
    ASSUMED = "assumed"
    ILLUSTRATIVE = "illustrative"

    @property
    def weakness(self) -> int:
        """0 for the strongest kind, 4 for the weakest."""
        return _ORDER[self]

    @property
    def letter(self) -> str:
        """The one letter that stands beside the mark."""
        return self.value[0].upper()


_ORDER = {origin: rank for rank, origin in enumerate(Origin)}


def weakest(origins: Iterable[Origin | str]) -> Origin:
    """The weakest of `origins`; ValueError where there are none (a number without an origin is a bug)."""
    kinds = [Origin(o) for o in origins]
    if not kinds:
        raise ValueError("a number needs at least one origin")
    return max(kinds, key=lambda o: o.weakness)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with unit, origin, source and, where derived, formula and inputs."""

    value: float | None
    unit: str
    origin: Origin
    source: str = ""
    formula: str = ""
    inputs: tuple[Figure, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", Origin(self.origin))
        if self.inputs and self.origin.weakness < weakest(i.origin for i in self.inputs).weakness:
            raise ValueError(f"a {self.origin} figure cannot be derived from a weaker one")


def derive(
    formula: str, unit: str, compute: Callable[..., float], *inputs: Figure, at_best: Origin = Origin.MEASURED
) -> Figure:
    """Compute a figure from others; it takes the weakest origin of its inputs (and no better than `at_best`).

    An unknown input (value None) makes the result unknown; unknown is never taken as zero.
    """
    origin = weakest([at_best, *(i.origin for i in inputs)])
    known = [i.value for i in inputs if i.value is not None]
    value = compute(*known) if len(known) == len(inputs) else None
    return Figure(value=value, unit=unit, origin=origin, formula=formula, inputs=inputs)
