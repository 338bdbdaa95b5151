"""The Pareto front of two metrics over the scenarios of a board, under limits; feasible first."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from planner.compare.board import Board, Cell, Column


class Status(StrEnum):
    FRONT = "front"
    DOMINATED = "dominated"
    INFEASIBLE = "infeasible"
    EXCLUDED = "excluded"  # no finished run, a value unknown or infinite: `why` says which


@dataclass(frozen=True, slots=True)
class Point:
    """One scenario on the plot. Position = x.value, y.value; whiskers = their intervals (on the front only)."""

    scenario_id: uuid.UUID
    label: str
    status: Status
    why: str  # sentence: by what dominated, which limit is missed and by how much, what is unknown
    x: Cell | None
    y: Cell | None
    color: int | None
    is_base: bool
    share: tuple[int, int] | None  # on the front in a of b seeds


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
    alone: int  # scenarios that fail it and no other limit


@dataclass(frozen=True, slots=True)
class Slider:
    """What a limit control needs: the range of the values and each scenario's value, for ticks and the rug."""

    metric: str
    title: str
    unit: str
    better: str | None
    low: float
    high: float
    values: tuple[tuple[float, bool], ...]  # (value, survives all limits)
    limit: Limit | None


@dataclass(frozen=True, slots=True)
class Pick:
    """A suggested point with the reason in words."""

    name: str  # "knee" | "cheapest that passes" | ...
    scenario_id: uuid.UUID
    label: str
    reason: str


@dataclass(frozen=True, slots=True)
class Miss:
    """The nearest of those that are turned away, by how far, of which metric."""

    scenario_id: uuid.UUID
    label: str
    metric: str
    unit: str
    by: float


@dataclass(frozen=True, slots=True)
class Front:
    x: Column
    y: Column
    points: tuple[Point, ...]
    line: tuple[tuple[float, float], ...]  # step line through the front, from its best x to its best y
    hypervolume: float | None
    reference: tuple[float, float] | None  # worst corner that the hypervolume is measured from
    knee: Pick | None
    picks: tuple[Pick, ...]
    limits: tuple[Limit, ...]
    sliders: tuple[Slider, ...]
    binding: Limit | None  # the limit that alone turns most away
    nearest: Miss | None
    counts: Mapping[str, int]  # front, dominated, infeasible, excluded, survive, all
    notes: tuple[str, ...] = ()  # view parameters that were not understood, and the default used instead


def front(board: Board, x: str, y: str, limits: Mapping[str, float] | Sequence[tuple[str, float]] = ()) -> Front:
    """The front of metric `x` against `y`; `limits` replace or add to the study's SLOs (hard, by metric name)."""
    raise NotImplementedError


def with_shares(board: Board, front: Front) -> Board:
    """`board` with each row's share of seeds on `front`."""
    raise NotImplementedError
