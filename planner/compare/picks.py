"""The few points of a front to look at first, each with the reason."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from planner.compare.columns import Column, directions
from planner.compare.rows import Row
from planner.compare.verdicts import Verdict
from simulation.metrics.definitions import METRICS

KNEE = "Knee"


@dataclass(frozen=True, slots=True)
class Pick:
    """A suggested point with the reason in words; figures stand in the cells of its scenario."""

    name: str  # "Cheapest that passes", "Knee", ...; several in one where they are one scenario
    scenario_id: uuid.UUID
    label: str
    reason: str
    metric: str = ""  # the metric whose value belongs beside the name; "": both axes
    is_knee: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that meets the hard limits."""

    row: Row
    place: tuple[float, float]  # values of x and y
    verdicts: tuple[Verdict, ...]
    share: tuple[int, int] | None
    on_front: bool

    @property
    def clear(self) -> bool:
        """Every hard limit is met by the whole interval."""
        return all(v.clear for v in self.verdicts if v.hard)


def picks_of(candidates: Sequence[Candidate], x: Column, y: Column) -> tuple[Pick, ...]:
    """The ends of the front (candidates stand from the best x to the worst), its knee, the first that passes clearly,
    and where the front begins with an oracle, the first that can be had.
    """
    from simulation.search.fronts import knee

    front = [c for c in candidates if c.on_front]
    if not front:
        return ()
    limited = any(v.hard for c in front for v in c.verdicts)
    best_x = _superlative(x, limited)
    chosen = [_pick(best_x, front[0], x.name)]
    safest = next((c for c in front if c.clear), None)
    if limited and safest is not None and not front[0].clear:
        chosen.append(_pick(f"{_superlative(x, False)} whose whole interval passes", safest, x.name))
    at = knee([c.place for c in front], directions(x, y))
    if at is not None:
        chosen.append(_pick(KNEE, front[at], ""))
    chosen.append(_pick(_superlative(y, limited), front[-1], y.name))
    real = next((c for c in candidates if not c.row.is_oracle), None)
    if front[0].row.is_oracle and real is not None:
        chosen.append(_pick(f"{best_x} without an oracle", real, x.name))
    return _once(chosen)


def _superlative(column: Column, limited: bool) -> str:
    words = "Cheapest" if column.name == "cost_usd" else f"Best {column.title}"
    return f"{words} that passes" if limited else words


def _pick(name: str, candidate: Candidate, metric: str) -> Pick:
    row, share = candidate.row, candidate.share
    parts = [_stability(share)] if share else []
    parts += [_margin(candidate)] if any(v.hard for v in candidate.verdicts) else []
    if row.partial:
        parts.append(f"partial: {row.done} of {row.total} runs")
    sentence = "; ".join(p for p in parts if p)
    reason = f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""
    return Pick(name, row.scenario_id, row.label, reason, metric, name == KNEE)


def _stability(share: tuple[int, int]) -> str:
    on, seeds = share
    return "1 seed" if seeds == 1 else f"on the front in {on} of {seeds} seeds"


def _margin(candidate: Candidate) -> str:
    """Whether the interval stays inside the hard limits, naming the first that it touches."""
    touching = [METRICS[v.metric].title for v in candidate.verdicts if v.hard and v.clear is False]
    if touching:
        return f"its interval touches the limit on {touching[0]}"
    return "its whole interval stays inside every limit" if candidate.clear else ""


def _once(picks: Sequence[Pick]) -> tuple[Pick, ...]:
    """A scenario that is picked for several reasons is named once, with all of them."""
    merged: dict[uuid.UUID, Pick] = {}
    for pick in picks:
        old = merged.get(pick.scenario_id)
        if old is None:
            merged[pick.scenario_id] = pick
        else:
            name = f"{old.name}, {pick.name[:1].lower()}{pick.name[1:]}"
            merged[pick.scenario_id] = replace(old, name=name, metric="", is_knee=old.is_knee or pick.is_knee)
    return tuple(merged.values())
