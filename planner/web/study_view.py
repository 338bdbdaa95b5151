"""The address bar is the view: axes, limits, baseline, what is shown, order. Bad values give a note and the default."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from planner.compare.board import Board, Column
from planner.compare.fronts import default_axes
from simulation.metrics.definitions import OBJECTIVES
from simulation.provenance import Origin

CLASSES = ("front", "dominated", "infeasible")
COLUMNS = 4  # metrics that fit beside each other at the working size
LIMIT = "limit."
ANY = "any"  # lifts a limit of the study in this view


@dataclass(frozen=True, slots=True)
class StudyView:
    x: str
    y: str
    baseline: str = ""
    limits: Mapping[str, float | None] = field(default_factory=dict)
    hide: frozenset[str] = frozenset()
    drop: frozenset[str] = frozenset()
    columns: tuple[str, ...] = ()
    sort: str = ""
    notes: tuple[str, ...] = ()
    plain: tuple[str, str] = ("", "")  # axes that need not stand in the address

    def query(self, **changes: Any) -> str:
        """The shortest address of this view, with `changes` made: "" or "?x=...&y=..."."""
        view = replace(self, **changes)
        pairs: list[tuple[str, str]] = []
        if (view.x, view.y) != view.plain:
            pairs += [("x", view.x), ("y", view.y)]
        pairs += [(LIMIT + name, ANY if v is None else f"{v:.10g}") for name, v in view.limits.items()]
        pairs += [("baseline", view.baseline)] if view.baseline else []
        pairs += [("hide", name) for name in sorted(view.hide)] + [("drop", name) for name in sorted(view.drop)]
        pairs += [("columns", name) for name in view.columns] + ([("sort", view.sort)] if view.sort else [])
        return f"?{urlencode(pairs)}" if pairs else ""


def read(params: QueryDict, board: Board) -> StudyView:
    """The view that `params` ask for on `board`."""
    notes: list[str] = []
    columns = {c.name: c for c in board.metrics}
    plain = telling_axes(board)
    x = _axis(params, "x", plain[0], columns, notes)
    y = _axis(params, "y", plain[1], columns, notes)
    if x == y:
        notes.append("Both axes ask for one metric; another is taken for the level one.")
        x = next((n for n in (*plain, *OBJECTIVES) if n != y and n in columns), plain[0])
    sort = params.get("sort", "")
    if sort and sort.lstrip("-") not in columns:
        notes.append(f"No column is called “{sort[:40]}”; the rows stand in the study's order.")
        sort = ""
    return StudyView(
        x=x,
        y=y,
        baseline=_baseline(params.get("baseline", ""), board, notes),
        limits=_limits(params, columns, notes),
        hide=_some(params.getlist("hide"), CLASSES, "class of points", notes),
        drop=_some(params.getlist("drop"), [str(o) for o in Origin], "origin", notes),
        columns=tuple(n for n in columns if n in _some(params.getlist("columns"), columns, "column", notes)),
        sort=sort,
        notes=tuple(notes),
        plain=plain,
    )


def telling_axes(board: Board) -> tuple[str, str]:
    """The default axes; one on which all scenarios are equal gives way to the next metric that tells them apart."""
    columns = {c.name: c for c in board.metrics}
    chosen = list(default_axes(board))
    for i in (1, 0):
        column = columns.get(chosen[i])
        if column is not None and column.known and not column.varies:
            others = (n for n in OBJECTIVES if n not in chosen and n in columns and columns[n].varies)
            chosen[i] = next(others, chosen[i])
    return chosen[0], chosen[1]


def shown_columns(view: StudyView, board: Board) -> list[Column]:
    """Columns of the table: those asked for, else the axes and the next metrics that differ."""
    if view.columns:
        return [c for c in board.metrics if c.name in view.columns]
    named = {c.name: c for c in board.metrics}
    telling = [n for n in OBJECTIVES if n in named and named[n].known and named[n].varies]
    names = dict.fromkeys(n for n in (view.y, view.x, *telling) if n in named)
    return [named[n] for n in list(names)[:COLUMNS]]


def _axis(params: QueryDict, key: str, default: str, columns: Mapping[str, Column], notes: list[str]) -> str:
    asked = params.get(key, "")
    if not asked or (asked in OBJECTIVES and asked in columns):
        return asked or default
    title = columns[default].title if default in columns else default
    notes.append(f"No axis is called “{asked[:40]}”; {title} is shown instead.")
    return default


def _baseline(asked: str, board: Board, notes: list[str]) -> str:
    row = board.row(asked) if asked else None
    if asked and row is None:
        notes.append("The baseline in the address is no scenario of this study; the base is taken.")
    return str(row.scenario_id) if row and not row.is_base else ""


def _limits(params: QueryDict, columns: Mapping[str, Column], notes: list[str]) -> dict[str, float | None]:
    limits: dict[str, float | None] = {}
    for key in params:
        name = key.removeprefix(LIMIT)
        if not key.startswith(LIMIT) or params[key] == "":
            continue
        value = _finite(params[key])
        if name in columns and params[key] == ANY:
            limits[name] = None
        elif name not in columns or value is None:
            notes.append(f"The limit {name[:40]} = {params[key][:40]} is not understood and left out.")
        else:
            limits[name] = value
    return limits


def _finite(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _some(asked: list[str], allowed: Iterable[str], what: str, notes: list[str]) -> frozenset[str]:
    known = frozenset(allowed)
    notes += [f"No {what} is called “{name[:40]}”; it is ignored." for name in asked if name not in known]
    return frozenset(asked) & known
