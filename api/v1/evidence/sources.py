"""Sources of a workspace: where its figures come from, and what rests on them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

from api.endpoint import Listing
from api.v1.catalog.serializers import SourceSerializer
from api.v1.fields import ORIGINS
from planner.accounts.models import Workspace
from planner.catalog.models import Source
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
