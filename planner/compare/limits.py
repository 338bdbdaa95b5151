"""Limits of a view: the SLOs, moved or added to by the address bar; which one binds, who misses it least."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planner.compare.rows import Row
from planner.compare.verdicts import Bound, Verdict, verdict
from simulation.metrics.definitions import METRICS


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that holds in this view: an SLO of the study, or one from the address bar (which replaces the SLO's)."""

    metric: str
    title: str
    unit: str
    limit: float
    hard: bool
    from_slo: bool
    turns_away: int  # scenarios that fail it
    alone: int  # scenarios that fail it and no other hard limit
    at_least: bool = False  # a lower limit: higher is better


@dataclass(frozen=True, slots=True)
class Miss:
    """The nearest of those that are turned away, by how far, of which metric."""

    scenario_id: uuid.UUID
    label: str
    metric: str
    unit: str
    by: float


def bounds_of(
    slos: Sequence[Bound], moved: Mapping[str, float | None] | Sequence[tuple[str, float | None]]
) -> tuple[list[Bound], list[str]]:
    """The limits of a view, and notes on those that were not understood. None lifts an SLO in this view.

    A moved SLO stays as hard or soft as it was; a limit that is no SLO is hard.
    """
    bounds = {slo.metric: slo for slo in slos}
    notes = []
    for metric, limit in moved.items() if isinstance(moved, Mapping) else moved:
        if metric not in METRICS:
            notes.append(f"There is no metric {metric[:40]}; its limit is passed over.")
        elif limit is None:
            bounds.pop(metric, None)
        elif not math.isfinite(limit):
            notes.append(f"A limit on {METRICS[metric].title} must be a number; it is passed over.")
        else:
            old = bounds.get(metric)
            bounds[metric] = Bound(metric, limit, old.hard if old else True, bool(old and old.limit == limit))
    return list(bounds.values()), notes


def judge(rows: Sequence[Row], bounds: Sequence[Bound]) -> dict[uuid.UUID, tuple[Verdict, ...]]:
    return {row.scenario_id: tuple(verdict(b, row.cells.get(b.metric)) for b in bounds) for row in rows}


def missed(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Hard limits that are missed."""
    return tuple(v for v in verdicts if v.hard and v.met is False)


def limits_of(bounds: Sequence[Bound], judged: Mapping[uuid.UUID, Sequence[Verdict]]) -> tuple[Limit, ...]:
    """Each limit with how many it turns away, in all and on its own."""
    failing = [{v.metric for v in missed(verdicts)} for verdicts in judged.values()]

    def limit(bound: Bound) -> Limit:
        metric = METRICS[bound.metric]
        soft = sum(v.met is False for verdicts in judged.values() for v in verdicts if v.metric == bound.metric)
        return Limit(
            metric=bound.metric,
            title=metric.title,
            unit=metric.unit,
            limit=bound.limit,
            hard=bound.hard,
            from_slo=bound.from_slo,
            turns_away=sum(bound.metric in names for names in failing) if bound.hard else soft,
            alone=sum(names == {bound.metric} for names in failing),
            at_least=bound.at_least,
        )

    return tuple(limit(bound) for bound in bounds)


def binding(limits: Sequence[Limit]) -> Limit | None:
    """The hard limit that alone turns most away; where none does so alone, the one that turns most away at all."""
    hard = [limit for limit in limits if limit.hard and limit.turns_away]
    return max(hard, key=lambda limit: (limit.alone, limit.turns_away), default=None)


def nearest_miss(rows: Sequence[Row], judged: Mapping[uuid.UUID, Sequence[Verdict]], bind: Limit | None) -> Miss | None:
    """Of those that fail the binding limit alone, the nearest; where there are none, of all that fail."""
    if bind is None:
        return None
    failing = [(row, missed(judged[row.scenario_id])) for row in rows]
    failing = [(row, failed) for row, failed in failing if failed]
    alone = [(row, failed) for row, failed in failing if [v.metric for v in failed] == [bind.metric]]
    row, failed = min(alone or failing, key=lambda each: max(map(_relative, each[1])))
    worst = max(failed, key=_relative)
    return Miss(row.scenario_id, row.label, worst.metric, worst.unit, worst.by or 0.0)


def _relative(miss: Verdict) -> float:
    return (miss.by or 0.0) / abs(miss.limit) if miss.limit else math.inf
