"""Exceptions of comparability: those on record, and one more by a reviewer."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, ConfigDict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Table
from api.idempotency import once
from api.v1.studies.views import OfStudy
from planner.accounts.selectors import Act
from planner.evidence.exceptions import ExceptionError, exception_record, exception_revoke, history
from planner.studies.selectors import scenarios


class ExceptionBody(BaseModel):
    """`admits` false ends the exception that stands."""

    model_config = ConfigDict(extra="forbid")

    scenario: UUID
    justification: str
    admits: bool = True


class ExceptionBodySerializer(serializers.Serializer):
    scenario = serializers.UUIDField()
    justification = serializers.CharField(min_length=20, max_length=1000)
    admits = serializers.BooleanField(default=True, help_text="false: end the exception that stands")


class ExceptionSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    scenario = serializers.UUIDField(source="scenario_id")
    label = serializers.CharField(source="scenario.label")
    admits = serializers.BooleanField()
    refusal = serializers.CharField(help_text="why it may not be compared otherwise")
    justification = serializers.CharField()
    by = serializers.CharField(source="made_by.username", default="")
    at = serializers.DateTimeField(source="made_at")
    supersedes = serializers.UUIDField(source="supersedes_id", allow_null=True)


class Exceptions(OfStudy, Table):
    @extend_schema(responses=ExceptionSerializer(many=True))
    def get(self, request: Request, workspace: str, study: UUID) -> Response:
        """Every exception of a study that was ever recorded or ended, oldest first."""
        return Response(ExceptionSerializer(history(self.study()), many=True).data)

    @extend_schema(request=ExceptionBodySerializer, responses={201: ExceptionSerializer})
    @once
    def post(self, request: Request, workspace: str, study: UUID) -> Response:
        """Admit a refused scenario to comparisons, or end that; for reviewers and owners. Rows are never edited."""
        found = self.study(Act.REVIEW)
        body = self.body(ExceptionBody)
        scenario = next((s for s in scenarios(found) if s.id == body.scenario), None)
        if scenario is None:
            raise ValidationError({"scenario": ["No such scenario of this study."]})
        write = exception_record if body.admits else exception_revoke
        try:
            row = write(scenario=scenario, user=request.user, justification=body.justification)
        except ExceptionError as error:
            raise ValidationError({"justification": [str(error)]}) from None
        return Response(ExceptionSerializer(row).data, status=201)
