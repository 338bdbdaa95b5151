"""What sets a system apart: a small experiment against a baseline in which its deciding mechanism must show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from simulation.metrics.measures import Measure
from simulation.scenario import Scenario

Experiment = Callable[[np.random.Generator], Scenario]
"""One replication of a small experiment; its systems are put in by whoever runs it."""


@dataclass(frozen=True)
class Effect:
    """A measure that the system must make `direction` than the baseline does, by more than `least`.

    relative: `least` and what is found are shares of the baseline's value, else differences in the measure's unit.
    """

    measure: Measure
    direction: Literal["lower", "higher"]
    least: float = 0.0
    relative: bool = True

    def gain(self, system: float, baseline: float) -> float:
        """How much further the system is than the baseline, in the direction that is wanted; nan where unknown."""
        further = baseline - system if self.direction == "lower" else system - baseline
        if not self.relative:
            return further
        return further / abs(baseline) if baseline else np.nan

    def words(self) -> str:
        much = f"{self.least:.0%}" if self.relative else f"{self.least:g} {self.measure.unit}".rstrip()
        return f"{self.measure.name} {self.direction}" + (f" by more than {much}" if self.least else "")


@dataclass(frozen=True)
class Signature:
    """`effect` must show over paired seeds, and no more once the `deciding` family has the baseline's member.

    `also`: what must show besides; an ablation need not touch it. `changes` are those of the baseline's recipe, with
    the keys of a scenario.
    """

    title: str
    workload: str  # what the experiment runs, in words
    source: str  # where it is said that this is what sets the system apart
    experiment: Experiment
    baseline: str
    effect: Effect
    deciding: str
    also: tuple[Effect, ...] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)
