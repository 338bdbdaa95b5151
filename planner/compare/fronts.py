"""The Pareto front of two metrics over the scenarios of a board, under limits; feasible first."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from planner.compare.board import Board, Cell
from planner.compare.columns import Column, directions
from planner.compare.limits import Limit, Miss, binding, bounds_of, judge, limits_of, missed, nearest_miss
from planner.compare.picks import Candidate, Pick, picks_of
from planner.compare.rows import Row
from planner.compare.sliders import Slider, sliders_of
from planner.compare.verdicts import Verdict, feasible
from simulation.metrics.definitions import METRICS, OBJECTIVES, Better

__all__ = ["Front", "Limit", "Miss", "Pick", "Point", "Slider", "Status", "default_axes", "front", "with_shares"]


class Status(StrEnum):
    FRONT = "front"
    DOMINATED = "dominated"
    INFEASIBLE = "infeasible"
    EXCLUDED = "excluded"  # incomparable, no finished run, or a value unknown: `why` says which


@dataclass(frozen=True, slots=True)
class Point:
    """One scenario on the plot. Position = x.value, y.value; whiskers = their intervals (on the front only)."""

    scenario_id: uuid.UUID
    label: str
    status: Status
    why: str  # sentence: by what dominated, which limit is missed, what is unknown
    x: Cell | None
    y: Cell | None
    color: int | None
    is_base: bool
    share: tuple[int, int] | None  # on the front in a of b seeds
    missed: tuple[Verdict, ...] = ()  # hard limits, with by how much
    partial: bool = False

    @property
    def survives(self) -> bool:
        return self.status in (Status.FRONT, Status.DOMINATED)


@dataclass(frozen=True, slots=True)
class Front:
    x: Column
    y: Column
    points: tuple[Point, ...]
    line: tuple[tuple[float, float], ...]  # points of the front from the best x to the best y; steps go level first
    hypervolume: float | None  # in unit of x times unit of y; None without a front
    reference: tuple[float, float] | None  # worst corner: the hard limit of each axis, else the worst feasible value
    knee: Pick | None
    picks: tuple[Pick, ...]
    limits: tuple[Limit, ...]
    sliders: tuple[Slider, ...]
    binding: Limit | None  # the hard limit that alone turns most away
    nearest: Miss | None
    counts: Mapping[str, int]  # front, dominated, infeasible, excluded, survive, all
    notes: tuple[str, ...] = ()  # what of the view was not understood, and what a reader must know of this front


@dataclass(frozen=True, slots=True)
class _Plane:
    """The two metrics of a front."""

    x: Column
    y: Column

    @property
    def better(self) -> tuple[Better, Better]:
        return directions(self.x, self.y)

    def place(self, row: Row) -> tuple[float | None, float | None]:
        cells = (row.cells.get(self.x.name), row.cells.get(self.y.name))
        return tuple(cell.value if cell else None for cell in cells)  # type: ignore[return-value]

    def by_seed(self, row: Row) -> dict[int, tuple[float | None, float | None]]:
        ys = row.samples.get(self.y.name, {})
        return {seed: (a, ys[seed]) for seed, a in row.samples.get(self.x.name, {}).items() if seed in ys}


def default_axes(board: Board) -> tuple[str, str]:
    """(x, y): cost where it is known, against the first hard limit's metric, or mean JCT."""
    known = [name for name in OBJECTIVES if (column := board.column(name)) and column.known] or list(OBJECTIVES)
    limited = [slo.metric for slo in board.slos if slo.hard and board.column(slo.metric)]
    x = "cost_usd" if "cost_usd" in known else known[0]
    y = next((m for m in [*limited, *known] if m != x), "jct_mean_s")
    return x, y


def front(
    board: Board,
    x: str,
    y: str,
    limits: Mapping[str, float | None] | Sequence[tuple[str, float | None]] = (),
) -> Front:
    """The front of metric `x` against `y`. `limits` move or lift the study's SLOs and add hard limits, by metric name.

    Names that are not understood give the default axes and a note.
    """
    plane, notes = _plane(board, x, y)
    bounds, more = bounds_of(board.slos, limits)
    judged = judge(board.rows, bounds)
    standing = {row.scenario_id: _standing(row, plane, judged[row.scenario_id]) for row in board.rows}
    alive = [row for row in board.rows if standing[row.scenario_id][0] is Status.FRONT]
    standing |= _beaten(alive, plane)
    shares = _shares(board.rows, plane, {row.scenario_id for row in alive})
    candidates = [
        Candidate(
            row=row,
            place=plane.place(row),
            verdicts=judged[row.scenario_id],
            share=shares.get(row.scenario_id),
            on_front=standing[row.scenario_id][0] is Status.FRONT,
        )
        for row in _in_order(alive, plane)
    ]
    best = [c for c in candidates if c.on_front]
    picks = picks_of(candidates, plane.x, plane.y)
    points = _points(board, plane, standing, judged, shares)
    held = limits_of(bounds, judged)
    bind = binding(held)
    reference = _reference(alive, plane, held)
    return Front(
        x=plane.x,
        y=plane.y,
        points=points,
        line=tuple(dict.fromkeys(c.place for c in best)),
        hypervolume=_volume(best, plane, reference),
        reference=reference,
        knee=next((p for p in picks if p.is_knee), None),
        picks=picks,
        limits=held,
        sliders=sliders_of(board, {p.scenario_id for p in points if p.survives}, held, (plane.x.name, plane.y.name)),
        binding=bind,
        nearest=nearest_miss(board.rows, judged, bind),
        counts=_counts(points),
        notes=(*notes, *more, *_cautions(board, best)),
    )


def with_shares(board: Board, front: Front) -> Board:
    """`board` with each row's share of seeds on `front`."""
    shares = {p.scenario_id: p.share for p in front.points}
    return replace(board, rows=tuple(replace(row, front_share=shares.get(row.scenario_id)) for row in board.rows))


def _plane(board: Board, x: str, y: str) -> tuple[_Plane, list[str]]:
    chosen, notes = [], []
    for asked, default in zip((x, y), default_axes(board), strict=True):
        column = board.column(asked)
        if column is None:
            notes.append(f"There is no metric {asked[:40]} here; {METRICS[default].title} is shown instead.")
            column = board.column(default) or board.metrics[0]
        chosen.append(column)
    if chosen[0].name == chosen[1].name:
        notes.append("Both axes show the same metric, so there is nothing to trade.")
    return _Plane(*chosen), notes


def _standing(row: Row, plane: _Plane, verdicts: Sequence[Verdict]) -> tuple[Status, str]:
    """Where a row stands by itself; FRONT means no more yet than that it may compete."""
    if not row.cells:
        return Status.EXCLUDED, "No run has finished yet." if row.done < row.total else "No run gave a number."
    unknown = [c for c in (plane.x, plane.y) if (cell := row.cells.get(c.name)) is None or cell.value is None]
    if unknown:
        reasons = [f"{c.title} is unknown{_because(row.cells.get(c.name))}" for c in unknown]
        return Status.EXCLUDED, f"{'; '.join(reasons)}."
    out = missed(verdicts)
    if out:
        return Status.INFEASIBLE, f"Misses the limit on {' and on '.join(METRICS[v.metric].title for v in out)}."
    if feasible(verdicts) is None:
        blind = next(v for v in verdicts if v.hard and v.met is None)
        because = _because(row.cells.get(blind.metric))
        return Status.EXCLUDED, f"{METRICS[blind.metric].title} is unknown{because}, so its limit cannot be judged."
    return Status.FRONT, ""


def _because(cell: Cell | None) -> str:
    return f" ({cell.note.rstrip('.')})" if cell is not None and cell.note else ""


def _beaten(alive: Sequence[Row], plane: _Plane) -> dict[uuid.UUID, tuple[Status, str]]:
    """Those that compete and are dominated, with the first of the front that beats them."""
    from simulation.search.fronts import dominators, pareto_front  # numpy and moocore: not for every page

    places = [plane.place(row) for row in alive]
    sorted_out = pareto_front(places, plane.better)
    winners = [places[i] for i in sorted_out.front]
    beaten = {}
    for i in sorted_out.dominated:
        by = alive[sorted_out.front[dominators(places[i], winners, plane.better)[0]]]
        why = f"{by.label} is no worse on either axis and better on one."
        beaten[alive[i].scenario_id] = (Status.DOMINATED, why)
    return beaten


def _in_order(rows: Sequence[Row], plane: _Plane) -> list[Row]:
    """From the best x to the worst; on a front that is from the best x to the best y."""
    sign = -1.0 if plane.better[0] == "higher" else 1.0
    return sorted(rows, key=lambda row: sign * (plane.place(row)[0] or 0.0))


def _shares(rows: Sequence[Row], plane: _Plane, admitted: Collection[uuid.UUID]) -> dict[uuid.UUID, tuple[int, int]]:
    """In how many seeds each row is on the front of those that are feasible by their means, seed by seed."""
    from simulation.search.fronts import stability

    samples = [(row, by_seed) for row in rows if (by_seed := plane.by_seed(row))]
    allowed = [dict.fromkeys(by_seed, row.scenario_id in admitted) for row, by_seed in samples]
    found = stability([by_seed for _, by_seed in samples], plane.better, allowed)
    return {row.scenario_id: share for (row, _), share in zip(samples, found, strict=True) if share[1]}


def _points(
    board: Board,
    plane: _Plane,
    standing: Mapping[uuid.UUID, tuple[Status, str]],
    judged: Mapping[uuid.UUID, Sequence[Verdict]],
    shares: Mapping[uuid.UUID, tuple[int, int]],
) -> tuple[Point, ...]:
    """All rows, then the scenarios that may not be compared at all."""
    points = [
        Point(
            scenario_id=row.scenario_id,
            label=row.label,
            status=standing[row.scenario_id][0],
            why=standing[row.scenario_id][1],
            x=row.cells.get(plane.x.name),
            y=row.cells.get(plane.y.name),
            color=row.color,
            is_base=row.is_base,
            share=shares.get(row.scenario_id),
            missed=missed(judged[row.scenario_id]),
            partial=row.partial,
        )
        for row in board.rows
    ]
    drawn = {p.scenario_id for p in points}
    strangers = [e for e in board.excluded if e.scenario_id not in drawn]
    return (
        *points,
        *(Point(e.scenario_id, e.label, Status.EXCLUDED, e.sentence, None, None, None, False, None) for e in strangers),
    )


def _reference(alive: Sequence[Row], plane: _Plane, limits: Sequence[Limit]) -> tuple[float, float] | None:
    """The hard limit of each axis, else the worst value of those that survive."""
    if not alive:
        return None
    hard = {limit.metric: limit.limit for limit in limits if limit.hard}
    corner = []
    for axis, (column, better) in enumerate(zip((plane.x, plane.y), plane.better, strict=True)):
        values = [value for row in alive if (value := plane.place(row)[axis]) is not None]
        corner.append(hard.get(column.name, min(values) if better == "higher" else max(values)))
    return corner[0], corner[1]


def _volume(front: Sequence[Candidate], plane: _Plane, reference: tuple[float, float] | None) -> float | None:
    from simulation.search.fronts import hypervolume

    return hypervolume([c.place for c in front], plane.better, reference) if reference else None


def _counts(points: Collection[Point]) -> dict[str, int]:
    by_status = Counter(p.status.value for p in points)
    counts = {status.value: by_status[status.value] for status in Status}
    return counts | {"survive": counts["front"] + counts["dominated"], "all": len(points)}


def _cautions(board: Board, best: Sequence[Candidate]) -> list[str]:
    """What a reader must know before reading the front as a choice."""
    said = []
    if len(board.study.axes.get("demand_factors", [])) > 1:
        said.append("This study varies demand: a scenario with less demand looks better without being a better choice.")
    if any(c.row.is_oracle for c in best):
        said.append("An oracle knows how long each job will run; it shows what is possible, not what can be had.")
    return said
