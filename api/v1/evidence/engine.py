"""The engine itself: how near it comes to other simulators, and how fast it is."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Table
from planner.evidence.fidelity import VERDICTS, agreement
from planner.evidence.speed import speed
from planner.web.fidelity_rows import filter_of


class FidelityRowSerializer(serializers.Serializer):
    case = serializers.CharField()
    quantity = serializers.CharField()
    theirs = serializers.FloatField()
    ours = serializers.FloatField(allow_null=True)
    error = serializers.FloatField(allow_null=True, help_text="|ours - theirs|, in the unit of both")
    tolerance = serializers.FloatField(allow_null=True, help_text="null: not known, the error is reported")
    unit = serializers.CharField()
    verdict = serializers.ChoiceField(list(VERDICTS))
    speedup = serializers.FloatField(allow_null=True, help_text="their CPU seconds over ours")


class AgreementWithOthersSerializer(serializers.Serializer):
    engine = serializers.CharField()
    made_on = serializers.DateField()
    command = serializers.CharField()
    stale = serializers.BooleanField(help_text="made with another version of the engine than the one that runs")
    rows = FidelityRowSerializer(many=True)


class MeasureSerializer(serializers.Serializer):
    text = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    unit = serializers.CharField()
    least = serializers.FloatField(allow_null=True, help_text="asked for")
    most = serializers.FloatField(allow_null=True, help_text="asked for")
    beside = serializers.FloatField(allow_null=True, help_text="the yardstick of the same run")
    met = serializers.BooleanField(allow_null=True, help_text="null: nothing is asked for")


class SpeedSerializer(serializers.Serializer):
    engine = serializers.CharField()
    made_on = serializers.DateField()
    command = serializers.CharField()
    machine = serializers.DictField(child=serializers.CharField())
    stale = serializers.BooleanField(help_text="measured with another version of the engine than the one that runs")
    rows = MeasureSerializer(many=True, source="measures")


class Fidelity(Table):
    @extend_schema(
        parameters=[
            OpenApiParameter("peer", str),
            OpenApiParameter("verdict", str, enum=list(VERDICTS)),
            OpenApiParameter("case", str, description="part of a case or of a quantity"),
        ],
        responses=AgreementWithOthersSerializer,
    )
    def get(self, request: Request) -> Response:
        """Reference cases of other simulators: theirs, ours, the error, the tolerance and how many times faster."""
        found = agreement()
        if found is None:
            raise Http404("No reference case has been run yet")
        rows = filter_of(request.query_params, found).kept(found.rows)
        told = {name: getattr(found, name) for name in ("engine", "made_on", "command", "stale")}
        return Response(AgreementWithOthersSerializer(told | {"rows": rows}).data)


class Speed(Table):
    @extend_schema(responses=SpeedSerializer)
    def get(self, request: Request) -> Response:
        """Figures of the engine's benchmarks, of one run on one machine."""
        found = speed()
        if found is None:
            raise Http404("The engine has not been measured yet")
        return Response(SpeedSerializer(found).data)
