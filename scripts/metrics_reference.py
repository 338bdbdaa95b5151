"""Writes docs/reference/metrics.md out of the engine's registry of metrics; a test holds the page against it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from simulation.metrics.definitions import METRICS, OBJECTIVES, Metric

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "metrics.md"


def reference() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Metrics"
    yield ""
    yield "Made by `python -m scripts.metrics_reference` out of `simulation/metrics/definitions.py`; do not edit."
    yield "A metric takes the weakest origin of its inputs and of *simulated*. Unknown is empty with a reason, never 0."
    yield ""
    yield "| name | title | unit | better | definition | formula | rests on |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    yield from map(_row, METRICS.values())
    yield ""
    yield f"Axes of a front: {', '.join(f'`{name}`' for name in OBJECTIVES)}."


def _row(metric: Metric) -> str:
    unit = "ratio" if metric.unit == "1" else metric.unit
    cells = (f"`{metric.name}`", metric.title, unit, metric.better or "neither", metric.definition, metric.formula,
             ", ".join(metric.inputs))  # fmt: skip
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(reference())
