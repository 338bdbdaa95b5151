"""Metrics as columns of a comparison and as axes of a front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.compare.rows import Row
from simulation.metrics.definitions import METRICS, Better


@dataclass(frozen=True, slots=True)
class Column:
    """A metric as a column; `varies` is False where all scenarios have one value ("only what differs is shown")."""

    name: str
    title: str
    unit: str
    better: Better | None
    definition: str
    formula: str
    varies: bool
    known: bool  # at least one scenario has a value


def column_of(name: str, rows: Sequence[Row]) -> Column:
    metric = METRICS[name]
    values = [row.cells[name].value if name in row.cells else None for row in rows]
    return Column(
        name=name,
        title=metric.title,
        unit=metric.unit,
        better=metric.better,
        definition=metric.definition,
        formula=metric.formula,
        varies=len(set(values)) > 1,
        known=any(value is not None for value in values),
    )


def directions(x: Column, y: Column) -> tuple[Better, Better]:
    """Which way is better on two axes; a metric that has no better way is read as the less, the better."""
    return x.better or "lower", y.better or "lower"
