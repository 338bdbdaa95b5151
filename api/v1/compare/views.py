"""The comparison of a study, its front under limits, and where each number comes from."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Table
from api.v1.compare.serializers import BoardSerializer, FrontSerializer, NumberSourceSerializer
from api.v1.studies.views import OfStudy
from planner.compare.board import Board, board
from planner.compare.fronts import Front, front, with_shares
from planner.web import study_view
from planner.web.study_csv import csv_rows
from planner.web.study_view import StudyView
from planner.web.terms import ORIGIN_MEANINGS
from planner.web.views.study_source import inputs_of_cell, seeds
from simulation.metrics.definitions import METRICS, OBJECTIVES

_VIEW = [
    OpenApiParameter("x", str, enum=OBJECTIVES, description="metric of the level axis"),
    OpenApiParameter("y", str, enum=OBJECTIVES, description="metric of the upright axis"),
    OpenApiParameter("baseline", UUID, description="scenario that differences are taken against; else the base"),
    *(
        OpenApiParameter(
            f"{study_view.LIMIT}{metric.name}",
            str,
            description=f"{metric.title}: {'at least' if metric.better == 'higher' else 'at most'} so many "
            f"{metric.unit}; `{study_view.ANY}` lifts the study's own limit",
        )
        for metric in METRICS.values()
        if metric.better
    ),
]
_METRICS = OpenApiParameter("metrics", str, many=True, enum=list(METRICS), description="all where none is named")


class OfView(OfStudy, Table):
    """The address is the view, with the same words as on the page of a study."""

    def view(self, metrics: list[str] | None = None) -> tuple[Board, StudyView, Front]:
        asked = self.request.query_params
        table = board(self.study(), baseline=asked.get("baseline"), metrics=metrics)
        view = study_view.read(asked, table)
        shown = front(table, view.x, view.y, view.limits)
        return with_shares(table, shown), view, shown


class StudyBoard(OfView):
    @extend_schema(parameters=[*_VIEW, _METRICS], responses=BoardSerializer)
    def get(self, request: Request, workspace: str, study: UUID) -> Response:
        """Every scenario with its metrics, intervals and paired differences; as CSV one row a scenario and metric."""
        table, view, _ = self.view()
        wanted = set(request.query_params.getlist("metrics")) or set(METRICS)
        if self.as_csv:
            head, *rows = csv_rows(table)
            named = [dict(zip(head, row, strict=True)) for row in rows]
            return Response([row for row in named if row["metric"] in wanted])
        unknown = [f"There is no metric {name[:40]}." for name in sorted(wanted - set(METRICS))]
        told = {
            "baseline": table.baseline,
            "engine": table.engine,
            "seeds": table.seeds,
            "metrics": [column for column in table.metrics if column.name in wanted],
            "rows": [_only(row, wanted) for row in table.rows],
            "excluded": table.excluded,
            "exceptions": table.exceptions,
            "notes": [*view.notes, *unknown],
        }
        return Response(BoardSerializer(told).data)


def _only(row: Any, metrics: set[str]) -> dict[str, Any]:
    shown = {name: getattr(row, name) for name in _ROW}
    return shown | {"cells": {name: cell for name, cell in row.cells.items() if name in metrics}}


_ROW = ("scenario_id", "label", "changes", "is_base", "regime", "states", "feasible", "verdicts", "front_share",
        "run_ids", "digest")  # fmt: skip


class StudyFront(OfView):
    @extend_schema(parameters=_VIEW, responses=FrontSerializer)
    def get(self, request: Request, workspace: str, study: UUID) -> Response:
        """The front of two metrics under limits, the picks, and who is turned away by what."""
        table, view, shown = self.view()
        volume = {
            "value": shown.hypervolume,
            "unit": f"{shown.x.unit} x {shown.y.unit}",
            "reference": shown.reference,
        }
        parts = ("x", "y", "line", "picks", "limits", "binding", "nearest", "counts")
        told = {name: getattr(shown, name) for name in parts}
        told |= {
            "exceptions": table.exceptions,
            "rows": shown.points,
            "hypervolume": volume,
            "notes": [*view.notes, *shown.notes],
        }
        return Response(FrontSerializer(told).data)


class NumberSource(OfStudy, Table):
    @extend_schema(
        parameters=[
            OpenApiParameter("scenario", UUID, required=True),
            OpenApiParameter("metric", str, required=True, enum=list(METRICS)),
        ],
        responses=NumberSourceSerializer,
    )
    def get(self, request: Request, workspace: str, study: UUID) -> Response:
        """Formula, inputs with their revisions, and the value of every seed behind one number."""
        found = self.study()
        metric = request.query_params.get("metric", "")
        table = board(found, metrics=[metric])
        row, column = table.row(request.query_params.get("scenario")), table.column(metric)
        cell = row.cells.get(metric) if row else None
        if row is None or column is None or cell is None or cell.value is None:
            raise Http404("No such number")
        told = {
            "metric": column,
            "cell": cell,
            "meaning": ORIGIN_MEANINGS[cell.origin],
            "engine": table.engine,
            "inputs": inputs_of_cell(found, row, cell),
            "rows": seeds(row, metric),
        }
        return Response(NumberSourceSerializer(told).data)
