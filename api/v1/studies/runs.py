"""Runs and the queue: their state, their results as tables, stopped and asked for once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import Http404
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint, Listing, Table
from api.idempotency import once
from api.v1.fields import number
from api.v1.studies.filters import RunFilter
from api.v1.studies.serializers import (
    DoneSerializer,
    HeldSerializer,
    QueueSerializer,
    RunSerializer,
    RunTableSerializer,
)
from planner.accounts.models import Workspace
from planner.accounts.selectors import Act
from planner.studies import runs, selectors
from planner.studies.documents import document_of
from planner.studies.models import Run
from planner.studies.runs.selectors import queue_state
from planner.studies.waiting import ended_lately, places
from planner.web import measured_rows
from planner.web.exports.run_records import RECORDS

_DERIVED = "simulated and measured"


class OfRun(Endpoint):
    def run(self, act: Act = Act.READ) -> Run:
        return selectors.run_for(self.request.user, self.here(act), self.kwargs["run"], act)

    def document(self) -> dict[str, Any]:
        found = document_of(self.run())
        if found is None:
            raise Http404("This run has no result")
        return found


class Runs(Listing):
    """Runs of the whole workspace, by study, scenario and seed."""

    serializer_class = RunSerializer
    queryset = Run.objects.none()
    filter_backends = [DjangoFilterBackend]
    filterset_class = RunFilter

    def rows(self, workspace: Workspace) -> Any:
        return selectors.runs(workspace)


class OneRun(OfRun):
    @extend_schema(responses=RunSerializer)
    def get(self, request: Request, workspace: str, run: UUID) -> Response:
        """One scenario with one seed: its state, and what its result is known by."""
        return Response(RunSerializer(self.run()).data)


class RunResult(OfRun):
    @extend_schema(responses=dict[str, Any])
    def get(self, request: Request, workspace: str, run: UUID) -> Response:
        """The result document as the engine wrote it."""
        return Response(self.document())


class RunTable(OfRun, Table):
    @extend_schema(responses=RunTableSerializer)
    def get(self, request: Request, workspace: str, run: UUID, table: str) -> Response:
        """One table of a result: metrics, tenants, services, costs or latency."""
        if table not in RECORDS:
            raise Http404(f"No such table; there are {', '.join(RECORDS)}")
        return Response({"table": table, "rows": list(RECORDS[table](self.document()))})


class RunMeasured(OfRun, Table):
    @extend_schema(responses=HeldSerializer(many=True))
    def get(self, request: Request, workspace: str, run: UUID) -> Response:
        """A run of the base against what its log measured; no rows where no log was measured."""
        found = measured_rows.against_measured(self.run(), self.document())
        return Response(HeldSerializer(list(_held(found)) if found else [], many=True).data)


def _held(table: measured_rows.Table) -> Iterator[dict[str, Any]]:
    for quantity in table.quantities:
        for row in quantity.rows:
            yield {
                "quantity": quantity.title,
                "statistic": row.statistic,
                "measured": number(row.measured, "s", table.measured, table.workload.name),
                "simulated": number(row.simulated, "s", table.simulated, f"run {table.run.id}"),
                "bias": number(row.bias, "s", table.simulated, _DERIVED),
                "ratio": number(row.ratio, "1", table.simulated, _DERIVED, "" if row.measured else "measured 0"),
                "few": row.few,
            }


class RunCancel(OfRun):
    @extend_schema(request=None, responses=DoneSerializer)
    @once
    def post(self, request: Request, workspace: str, run: UUID) -> Response:
        """Stop a run: at once where it waits, within about a second where it runs."""
        stopped = runs.run_cancel(run=self.run(Act.EDIT), user=request.user)
        return Response(DoneSerializer({"changed": int(stopped)}).data)


class RunRetry(OfRun):
    @extend_schema(request=None, responses=DoneSerializer)
    @once
    def post(self, request: Request, workspace: str, run: UUID) -> Response:
        """Queue a failed or cancelled run once more."""
        again = runs.run_retry(run=self.run(Act.EDIT), user=request.user)
        return Response(DoneSerializer({"changed": int(again)}).data)


class Queue(Endpoint):
    @extend_schema(responses=QueueSerializer)
    def get(self, request: Request, workspace: str) -> Response:
        """Every run that waits or is under way, with its place and when it is likely done."""
        here = self.here()
        state = queue_state(here)
        told = {
            "running": state.running,
            "waiting": state.waiting,
            "failed": state.failed,
            "workforce": state.workforce,
            "rows": list(places(state.rows)),
            "ended": ended_lately(here, 0).counts,
        }
        return Response(QueueSerializer(told).data)
