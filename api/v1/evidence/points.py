"""The reviewer's twelve points about a study and about a run, worked out from stored facts."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Table
from api.v1.studies.runs import OfRun
from api.v1.studies.views import OfStudy
from planner.evidence.point_facts import facts_of_run, facts_of_study
from planner.evidence.points import Answer, points


class ReviewPointSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    title = serializers.CharField()
    asks = serializers.CharField()
    answer = serializers.ChoiceField([answer.value for answer in Answer], source="finding.answer")
    why = serializers.CharField(source="finding.why")
    beyond = serializers.CharField(source="finding.beyond", help_text="what this version cannot answer yet")


class StudyPoints(OfStudy, Table):
    @extend_schema(responses=ReviewPointSerializer(many=True))
    def get(self, request: Request, workspace: str, study: UUID) -> Response:
        """The twelve points: met, not met and why, does not apply and why."""
        return Response(ReviewPointSerializer(points(facts_of_study(self.study())), many=True).data)


class RunPoints(OfRun, Table):
    @extend_schema(responses=ReviewPointSerializer(many=True))
    def get(self, request: Request, workspace: str, run: UUID) -> Response:
        """The same about one run alone: the other runs of its study do not answer for it."""
        return Response(ReviewPointSerializer(points(facts_of_run(self.run())), many=True).data)
