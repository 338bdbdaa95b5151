"""Every number of a run with its origin, and the way back from one of them to formula, inputs and files."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Table
from api.v1.fields import ORIGINS, InputSerializer, OriginField
from api.v1.studies.runs import OfRun
from planner.evidence.trace import Trace, numbers, trace
from simulation.provenance import Figure, Origin


class TracedNumberSerializer(serializers.Serializer):
    metric = serializers.CharField(source="metric.name")
    title = serializers.CharField(source="metric.title")
    value = serializers.FloatField(source="figure.value", allow_null=True)
    unit = serializers.CharField(source="figure.unit")
    origin = OriginField(source="figure.origin")
    n = serializers.IntegerField(allow_null=True)
    note = serializers.CharField()
    formula = serializers.CharField(source="figure.formula")
    inputs = serializers.ListField(child=serializers.CharField(), source="groups")


class PartSerializer(serializers.Serializer):
    """One line of a total: quantity x price."""

    line = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    unit = serializers.CharField()
    origin = OriginField()
    formula = serializers.CharField()


class TraceSerializer(TracedNumberSerializer):
    definition = serializers.CharField(source="metric.definition")
    run = serializers.UUIDField(source="run.id")
    seed = serializers.IntegerField(source="run.seed")
    engine = serializers.CharField(source="run.result.engine_version")
    scenario_digest = serializers.CharField(source="run.scenario.digest")
    result_sha256 = serializers.CharField(source="run.result.sha256")
    inputs = InputSerializer(many=True)
    rows = PartSerializer(many=True, help_text="the parts of a total; none of other numbers")
    shares = serializers.DictField(child=serializers.FloatField(), help_text="of the total, by origin")


class RunNumbers(OfRun, Table):
    @extend_schema(
        parameters=[OpenApiParameter("origin", str, many=True, enum=ORIGINS, description="all where none is named")],
        responses=TracedNumberSerializer(many=True),
    )
    def get(self, request: Request, workspace: str, run: UUID) -> Response:
        """Every number of a run: value, unit, origin, formula and the groups of inputs that it rests on."""
        asked = [Origin(word) for word in request.query_params.getlist("origin") if word in ORIGINS]
        found = numbers(self.run(), asked or tuple(Origin))
        return Response(TracedNumberSerializer(found, many=True).data)


class RunTrace(OfRun, Table):
    @extend_schema(responses=TraceSerializer)
    def get(self, request: Request, workspace: str, run: UUID, metric: str) -> Response:
        """One number of a run back to its formula and to revision, file, person and date of each input."""
        return Response(TraceSerializer(_told(trace(self.run(), metric))).data)


def _told(found: Trace) -> dict[str, Any]:
    names = ("metric", "figure", "n", "note", "run", "inputs")
    told = {name: getattr(found, name) for name in names}
    shares = {str(origin): share for origin, share in found.shares.items()}
    return told | {"rows": [_part(line, figure) for line, figure in found.parts], "shares": shares}


def _part(line: str, figure: Figure) -> dict[str, Any]:
    told = ("value", "unit", "origin", "formula")
    return {"line": line} | {name: getattr(figure, name) for name in told}
