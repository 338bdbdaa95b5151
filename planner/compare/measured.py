"""A simulated baseline held against what the log itself measured: bias and ratio, statistic by statistic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FACTS = {"wait": "waits", "jct": "completions"}
"""Distribution of a result document -> fact of the workload's summary that was measured in the log."""
QUANTILES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
_STATISTICS = {"mean": "mean", **{name: name.upper() for name in QUANTILES}}
_FEW = 100  # with fewer values the last hundredth is one of them


@dataclass(frozen=True, slots=True)
class Held:
    """One statistic, simulated against measured; seconds."""

    statistic: str  # mean, P50, P90, P95, P99
    measured: float
    simulated: float
    few: bool  # too few values for this statistic on either side

    @property
    def bias(self) -> float:
        """Simulated minus measured: above zero, the simulation is the slower one."""
        return self.simulated - self.measured

    @property
    def ratio(self) -> float | None:
        """Simulated over measured; None where the log measured 0."""
        return self.simulated / self.measured if self.measured else None


def measured_points(summary: Mapping[str, Any], name: str) -> list[tuple[float, float]]:
    """(quantile, seconds) that the log of a workload gives for a distribution of a result; [] where it gives none."""
    found = summary.get(FACTS[name]) or {}
    return [(q, found[f"{key}_s"]) for key, q in QUANTILES.items() if found.get(f"{key}_s") is not None]


def held_against(summary: Mapping[str, Any], document: Mapping[str, Any], name: str) -> list[Held]:
    """`document` (a result) against the summary of its workload, for the distribution `name`: wait or jct."""
    measured = summary.get(FACTS[name]) or {}
    simulated = document.get("distributions", {}).get(name) or {}
    fewest = min(measured.get("n", 0), simulated.get("n", 0))
    return [
        Held(title, measured[f"{key}_s"], simulated[key], few=key == "p99" and fewest < _FEW)
        for key, title in _STATISTICS.items()
        if measured.get(f"{key}_s") is not None and simulated.get(key) is not None
    ]
