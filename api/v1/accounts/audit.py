"""Who did what in a workspace, for its owners."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

from api.endpoint import Listing
from planner.accounts.audit import ACTIONS, asked_of, entries
from planner.accounts.models import AuditEntry, Workspace
from planner.accounts.selectors import Act


class AuditEntrySerializer(serializers.ModelSerializer):
    person = serializers.CharField(source="user.username", default=None, help_text="null: the installation itself")

    class Meta:
        model = AuditEntry
        fields = ("at", "person", "action", "target", "detail")


_DAY = {"description": "a day (UTC), included"}


@extend_schema(
    parameters=[
        OpenApiParameter("action", str, enum=list(ACTIONS)),
        OpenApiParameter("person", str),
        OpenApiParameter("text", str, description="part of the object's name or of the detail"),
        OpenApiParameter("since", str, **_DAY),
        OpenApiParameter("until", str, **_DAY),
    ]
)
class Audit(Listing):
    """The audit log, newest first, for owners. It is only added to."""

    serializer_class = AuditEntrySerializer
    queryset = AuditEntry.objects.none()

    def get_queryset(self) -> Any:
        return self.rows(self.here(Act.ADMINISTER))

    def rows(self, workspace: Workspace) -> Any:
        return entries(self.request.user, workspace, asked_of(self.request.query_params.dict()))
