"""Sources of a workspace: where its figures come from, and what rests on them."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import StringConstraints
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import Given
from api.endpoint import Endpoint, Listing
from api.idempotency import once
from api.v1.catalog.serializers import SourceSerializer
from api.v1.fields import ORIGINS
from planner.accounts.models import Workspace
from planner.accounts.selectors import Act
from planner.catalog.models import Source
from planner.catalog.selectors import source_for
from planner.catalog.services import source_correct
from planner.evidence.sources import sources
from simulation.provenance import Origin


class RestingSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    kind = serializers.CharField(source="item.kind")
    name = serializers.CharField(source="item.name")
    number = serializers.IntegerField()


class SourceInUseSerializer(SourceSerializer):
    """A row that is never edited, with what rests on it."""

    supersedes = serializers.UUIDField(source="supersedes_id", allow_null=True)
    revisions = RestingSerializer(many=True)

    class Meta(SourceSerializer.Meta):
        fields = (*SourceSerializer.Meta.fields, "supersedes", "revisions")


@extend_schema(parameters=[OpenApiParameter("origin", str, many=True, enum=ORIGINS)])
class Sources(Listing):
    """Sources of figures, newest first."""

    serializer_class = SourceInUseSerializer
    queryset = Source.objects.none()

    def rows(self, workspace: Workspace) -> Any:
        asked = self.request.query_params.getlist("origin")
        return sources(workspace, [Origin(word) for word in asked if word in ORIGINS])


class Correction(Given):
    """Origin and file stay; `why` says what was wrong."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    why: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class SourceCorrection(Endpoint):
    @extend_schema(request=Correction, responses={201: SourceInUseSerializer})
    @once
    def post(self, request: Request, workspace: str, source: UUID) -> Response:
        """A source that supersedes this one; what rests on the old one goes on doing so."""
        found, given = source_for(self.here(Act.EDIT), source), self.body(Correction)
        newer = source_correct(source=found, user=request.user, title=given.title, why=given.why)
        return Response(SourceInUseSerializer(newer).data, status=201)
