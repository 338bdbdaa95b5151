"""How fast the engine is: figures of its benchmarks, of one run on one machine, out of a kept snapshot."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from simulation import ENGINE_VERSION

SNAPSHOT = Path(__file__).resolve().parents[2] / "fixtures" / "speed.json"
MAKE = "make bench && python -m scripts.speed_snapshot"


@dataclass(frozen=True, slots=True)
class Measure:
    """`value` in `unit` (s: less is better); `least` or `most` is asked; `beside`: the yardstick of the same run."""

    text: str
    value: float | None = None
    unit: str = ""
    least: float | None = None
    most: float | None = None
    beside: float | None = None

    @property
    def met(self) -> bool | None:
        """None: nothing is asked for."""
        if self.value is None or (self.least is None and self.most is None):
            return None
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    @property
    def as_fast(self) -> float | None:
        """How many times as fast as the yardstick."""
        if not self.value or not self.beside:
            return None
        return self.beside / self.value if self.unit == "s" else self.value / self.beside


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of one benchmark; `about` says what it measures."""

    about: str
    figures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Speed:
    engine: str
    made_on: str
    command: str
    machine: dict[str, str]
    groups: tuple[Group, ...]

    @property
    def stale(self) -> bool:
        """Measured with another version of the engine than the one that runs here."""
        return self.engine != ENGINE_VERSION

    @property
    def measures(self) -> list[Measure]:
        return [figure for group in self.groups for figure in group.figures]

    @property
    def met(self) -> tuple[int, int]:
        """How many figures meet what is asked, of those of which something is."""
        asked = [figure.met for figure in self.measures if figure.met is not None]
        return sum(asked), len(asked)


def speed(path: Path | None = None) -> Speed | None:
    """The snapshot, read once; None where there is none yet."""
    where = path or SNAPSHOT
    return _read(where, where.stat().st_mtime_ns) if where.is_file() else None


@lru_cache(maxsize=2)
def _read(path: Path, _written_ns: int) -> Speed:
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    groups = tuple(
        Group(group["about"], tuple(Measure(**figure) for figure in group["figures"])) for group in kept["groups"]
    )
    return Speed(kept["engine"], kept["made_on"], kept["command"], kept["machine"], groups)
