"""How far a study is: runs by state, and how long the rest takes, as a range or "unsure"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    states: Mapping[str, int]  # runs by state
    total: int
    fraction: float  # 0..1, with the parts of running runs
    left_s: tuple[float, float] | None  # None: unsure
    words: str  # "180 of 240 runs, about 2 min left"

    @property
    def done(self) -> int:
        return self.states.get("done", 0)

    @property
    def finished(self) -> bool:
        """Nothing is queued or running any more."""
        return self.states.get("queued", 0) + self.states.get("running", 0) == 0
