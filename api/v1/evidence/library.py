"""The cited library: what was published elsewhere, with its source; never ranked."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

from api.endpoint import Listing
from api.v1.evidence.serializers import ClaimSerializer
from planner.accounts.models import Workspace
from planner.evidence import cited
from simulation.library.published import CONFIDENCES


class PublishedSerializer(ClaimSerializer):
    """A claim with its publication; `of` is the metric of the engine that it is about, if there is one."""

    system = serializers.CharField()
    name = serializers.CharField()
    venue = serializers.CharField(allow_blank=True)
    year = serializers.IntegerField(allow_null=True)
    of = serializers.CharField(allow_blank=True)
    setting = serializers.CharField(help_text="why it is not comparable with a run")


@extend_schema(
    parameters=[
        OpenApiParameter("system", str),
        OpenApiParameter("metric", str, enum=list(cited.metrics())),
        OpenApiParameter("confidence", str, enum=list(CONFIDENCES)),
    ]
)
class Library(Listing):
    """Claims of published systems, by system."""

    serializer_class = PublishedSerializer

    def rows(self, workspace: Workspace) -> list[dict[str, Any]]:
        return [one.document() for one in cited.library(cited.asked_of(self.request.query_params))]
