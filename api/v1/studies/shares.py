"""Share links of studies and runs: made (the address is told once), listed, revoked."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import Given
from api.endpoint import Endpoint, Listing
from api.idempotency import once
from api.v1.studies.runs import OfRun
from api.v1.studies.views import OfStudy
from planner.accounts.models import ShareLink
from planner.accounts.selectors import Act
from planner.accounts.sharing import LONGEST_DAYS, share_create, share_for, share_revoke, shares_of


class NewShare(Given):
    days: int = Field(ge=1, le=LONGEST_DAYS)


class ShareSerializer(serializers.ModelSerializer):
    created_by = serializers.CharField(source="created_by.username", default=None)

    class Meta:
        model = ShareLink
        fields = ("id", "hint", "created_by", "created_at", "expires_at", "revoked_at", "opened", "last_opened_at")


class MadeShareSerializer(ShareSerializer):
    """The only answer in which the address stands; it is kept nowhere."""

    url = serializers.SerializerMethodField()

    class Meta(ShareSerializer.Meta):
        fields = (*ShareSerializer.Meta.fields, "url")

    def get_url(self, link: ShareLink) -> str:
        address = reverse("shared", args=[self.context["secret"]])
        return str(self.context["request"].build_absolute_uri(address))


class _Shares(Listing):
    serializer_class = ShareSerializer
    queryset = ShareLink.objects.none()

    def made(self, request: Request, of: ShareLink.Of, target: UUID, name: str) -> Response:
        given = self.body(NewShare)
        link, secret = share_create(
            workspace=self.here(Act.EDIT), user=request.user, of=of, target=target, name=name, days=given.days
        )
        told = MadeShareSerializer(link, context={"request": request, "secret": secret})
        return Response(told.data, status=201)


class StudyShares(_Shares, OfStudy):
    """The links that were ever made to a study, newest first, without their secrets."""

    def get_queryset(self) -> Any:
        found = self.study(Act.EDIT)
        return shares_of(found.workspace, ShareLink.Of.STUDY, found.id)

    @extend_schema(request=NewShare, responses={201: MadeShareSerializer})
    def post(self, request: Request, workspace: str, study: UUID) -> Response:
        """A link under which people without an account read this study. It takes no Idempotency-Key: answers to those
        are kept for a day, and this one holds a secret."""
        found = self.study(Act.EDIT)
        return self.made(request, ShareLink.Of.STUDY, found.id, found.question)


class RunShares(_Shares, OfRun):
    """The links that were ever made to a run, newest first, without their secrets."""

    def get_queryset(self) -> Any:
        found = self.run(Act.EDIT)
        return shares_of(found.scenario.study.workspace, ShareLink.Of.RUN, found.id)

    @extend_schema(request=NewShare, responses={201: MadeShareSerializer})
    def post(self, request: Request, workspace: str, run: UUID) -> Response:
        """A link under which people without an account read this run; without Idempotency-Key, as for studies."""
        found = self.run(Act.EDIT)
        return self.made(request, ShareLink.Of.RUN, found.id, f"{found.scenario.label}, seed {found.seed}")


class ShareRevoke(Endpoint):
    @extend_schema(request=None, responses=ShareSerializer)
    @once
    def post(self, request: Request, workspace: str, link: UUID) -> Response:
        """End a link now; for good."""
        found = share_for(request.user, self.here(Act.EDIT), link)
        if found is None:
            raise Http404("No such link")
        return Response(ShareSerializer(share_revoke(link=found, user=request.user)).data)
