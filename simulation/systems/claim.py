"""A claim that the authors of a system have published: shown beside it, never compared with a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from simulation.provenance import Origin

Kind = Literal["testbed", "simulation", "testbed and simulation", "production", "analysis", "unspecified"]
Confidence = Literal["read", "recalled"]


@dataclass(frozen=True)
class Claim:
    """`value` in `unit` (of a range: `value` to `up_to`; None: the publication has words only, they stand in `unit`).

    `confidence` is "read" where the place was read, "recalled" where it has yet to be looked up.
    """

    metric: str
    value: float | None
    unit: str
    baseline: str
    hardware: str
    workload: str
    kind: Kind
    place: str
    confidence: Confidence
    up_to: float | None = None

    @property
    def origin(self) -> Origin:
        return Origin.CITED

    def document(self) -> dict[str, Any]:
        """JSON for pages and the command line."""
        return {
            "metric": self.metric,
            "value": self.value,
            "up_to": self.up_to,
            "unit": self.unit,
            "origin": self.origin.value,
            "baseline": self.baseline,
            "hardware": self.hardware,
            "workload": self.workload,
            "kind": self.kind,
            "place": self.place,
            "confidence": self.confidence,
        }
