"""The tables of a study: its comparison, its front, its scenarios with their changes and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.http import QueryDict

from planner.compare.board import Board, board
from planner.compare.cells import Cell
from planner.compare.fronts import Front, Point, front, with_shares
from planner.studies.models import Study
from planner.web import study_view
from planner.web.exports import made_of
from planner.web.exports.table import Table, table_of
from planner.web.study_csv import csv_rows


def study_table(study: Study, name: str, view: QueryDict) -> Table:
    """The table `name` of TABLES under the view of an address, which is that of the page."""
    found = board(study, baseline=view.get("baseline"))
    read = study_view.read(view, found)
    shown = front(found, read.x, read.y, read.limits)
    about = made_of.of_study(study, found.engine, view=read.query())
    if found.exceptions:
        about |= {"by exception": " ".join(one.sentence for one in found.exceptions)}
    return TABLES[name](with_shares(found, shown), shown, about)


def _comparison(table: Board, shown: Front, about: dict[str, str]) -> Table:
    head, *rows = csv_rows(table)
    return Table("comparison", table.study.question, tuple(map(str, head)), tuple(rows), about)


def _front(table: Board, shown: Front, about: dict[str, str]) -> Table:
    digests = {row.scenario_id: row.digest for row in table.rows}
    records = (_point(point, shown) | {"scenario_digest": digests.get(point.scenario_id, "")} for point in shown.points)
    return table_of("front", table.study.question, records, about)


def _point(point: Point, shown: Front) -> dict[str, Any]:
    told: dict[str, Any] = {"scenario": point.label, "class": str(point.status), "why": point.why}
    for column, cell in ((shown.x, point.x), (shown.y, point.y)):
        told |= {f"{column.name}.{key}": value for key, value in _value(cell, column.unit).items()}
    share = f"{point.share[0]} of {point.share[1]}" if point.share else ""
    return told | {"seeds_on_front": share}


def _value(cell: Cell | None, unit: str) -> dict[str, Any]:
    if cell is None:
        return {"value": None, "unit": unit, "low": None, "high": None, "origin": None}
    return {"value": cell.value, "unit": cell.unit, "low": cell.low, "high": cell.high, "origin": str(cell.origin)}


def _scenarios(table: Board, shown: Front, about: dict[str, str]) -> Table:
    return table_of("scenarios", table.study.question, _scenario_records(table), about)


def _scenario_records(table: Board) -> Iterator[dict[str, Any]]:
    for row in table.rows:
        changes = [f"{c['path']}: {c['old']} -> {c['new']} {c['unit']}".rstrip() for c in row.changes]
        missed = [f"{v.metric} by {v.by:.10g} {v.unit}" for v in row.failed]
        yield {
            "scenario": row.label, "is_base": row.is_base, "changes": changes, "policy_knows": row.regime,
            "runs": row.total, "runs_done": row.done, "feasible": row.feasible, "hard_limits_missed": missed,
            "scenario_digest": row.digest,
        }  # fmt: skip


TABLES: dict[str, Callable[[Board, Front, dict[str, str]], Table]] = {
    "comparison": _comparison,
    "front": _front,
    "scenarios": _scenarios,
}
