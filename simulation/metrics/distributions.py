"""Distributions: mean, percentiles (linear interpolation, type 7), n, and how many values are missing from them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from simulation.metrics.definitions import Value
from simulation.records import Floats

CURVE = (*(round(i / 50, 2) for i in range(48)), 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.992, 0.995, 0.997, 0.999, 1.0)
FEW = 100  # a percentile of fewer values is marked


class Distribution:
    """Sorted finite values with the number of unfinished ones that are not among them (`censored`)."""

    def __init__(self, values: Floats, censored: int = 0) -> None:
        """values: any shape; nan (not applicable) is left out."""
        self.values: Floats = np.sort(values[np.isfinite(values)], axis=None)
        self.censored = censored

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float | None:
        return float(self.values.mean()) if self.n else None

    def quantile(self, q: float) -> float | None:
        """Type 7: linear between the order statistics around (n - 1) q."""
        if not self.n:
            return None
        place = (self.n - 1) * q
        low = math.floor(place)
        high = min(low + 1, self.n - 1)
        below, above = float(self.values[low]), float(self.values[high])
        return below + (above - below) * (place - low)

    def document(self, unit: str) -> dict[str, Any]:
        """The entry of a result document; values are None where n is 0."""
        return {
            "unit": unit,
            "n": self.n,
            "censored": self.censored,
            "mean": self.mean,
            "p50": self.quantile(0.50),
            "p90": self.quantile(0.90),
            "p95": self.quantile(0.95),
            "p99": self.quantile(0.99),
            "max": self.quantile(1.0),
            "curve": [[q, self.quantile(q)] for q in CURVE] if self.n else [],
        }

    def mean_value(self, of: str) -> Value:
        return Value(self.mean, self.n, self._note(of))

    def quantile_value(self, q: float, of: str) -> Value:
        few = f"fewer than {FEW} values" if 0 < self.n < FEW and q != 0.5 else None
        return Value(self.quantile(q), self.n, "; ".join(filter(None, (self._note(of), few))) or None)

    def _note(self, of: str) -> str | None:
        if not self.n:
            return f"no finished {of}"
        return f"{self.censored} unfinished {of} not included: theirs is a lower bound" if self.censored else None
