"""Prices over time as a policy may read them: USD per GPU-hour of each node, step by step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulation.prices import price_line
from simulation.records import Floats
from simulation.scenario import Scenario
from simulation.world.cluster import Nodes


@dataclass(frozen=True, slots=True)
class Tariffs:
    """Price of pool p from `changes_s[k]` on is `usd_per_gpu_h[k, p]`; nan: unknown. `changes_s` begins with 0."""

    changes_s: Floats
    usd_per_gpu_h: Floats

    def at(self, now_s: float) -> Floats:
        """(pools,) USD per GPU-hour now."""
        now: Floats = self.usd_per_gpu_h[np.searchsorted(self.changes_s, now_s, side="right") - 1]
        return now

    def next_change_s(self, now_s: float) -> float:
        """The next instant at which a price changes, inf where none does."""
        later = self.changes_s[self.changes_s > now_s]
        return float(later[0]) if len(later) else np.inf


def build_tariffs(scenario: Scenario, nodes: Nodes) -> Tariffs:
    lines = [price_line(p.name, p.gpu_model, p.purchase, scenario.prices) for p in nodes.pools]
    changes = sorted({0.0, *(step.start_s for line in lines if line for step in line.steps)})
    table = np.full((len(changes), len(lines)), np.nan)
    for p, line in enumerate(lines):
        if line is not None:
            table[:, p] = float(line.usd_per_gpu_h)
            for step in line.steps:
                table[changes.index(step.start_s) :, p] = float(step.usd_per_gpu_h)
    return Tariffs(np.array(changes), table)
