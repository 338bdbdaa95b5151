"""You, your tokens and your workspaces."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint, Listing
from api.idempotency import once
from api.v1.accounts.bodies import NewWorkspace
from api.v1.accounts.serializers import MeSerializer, OverviewSerializer, TokenSerializer, WorkspaceSerializer
from planner.accounts.models import ApiToken, Workspace
from planner.accounts.selectors import Act, workspaces_of
from planner.accounts.services import workspace_create
from planner.accounts.tokens import token_revoke, tokens_of
from planner.catalog.selectors import counts
from planner.studies.counts import queue_counts
from planner.studies.example import example_create, example_delete
from planner.studies.runs.health import health


class Me(Endpoint):
    @extend_schema(responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Who you are, what you are a member of, and the token that you came with."""
        return Response(MeSerializer(request.user, context={"request": request}).data)


class Tokens(Listing):
    """Your tokens. They are made on the page alone: a token that leaked cannot outlive itself."""

    serializer_class = TokenSerializer
    queryset = ApiToken.objects.none()

    def get_queryset(self) -> Any:
        return tokens_of(self.request.user)


class TokenRevoke(Endpoint):
    @extend_schema(request=None, responses=TokenSerializer)
    @once
    def post(self, request: Request, token: UUID) -> Response:
        """End one of your tokens now; for good."""
        found = tokens_of(request.user).filter(pk=token).first()
        if found is None:
            raise Http404("No such token")
        return Response(TokenSerializer(token_revoke(token=found, user=request.user)).data)


class Workspaces(Listing):
    """The workspaces that you are a member of, with what you are in each."""

    serializer_class = WorkspaceSerializer
    queryset = Workspace.objects.none()

    def get_queryset(self) -> Any:
        return workspaces_of(self.request.user)

    @extend_schema(request=NewWorkspace, responses={201: WorkspaceSerializer})
    @once
    def post(self, request: Request) -> Response:
        """A new workspace of which you are the owner."""
        made = workspace_create(name=self.body(NewWorkspace).name, owner=request.user)
        return Response(WorkspaceSerializer(made, context={"request": request}).data, status=201)


class Overview(Endpoint):
    @extend_schema(responses=OverviewSerializer)
    def get(self, request: Request, workspace: str) -> Response:
        """What there is in a workspace, how long its queue is, and whether everything works."""
        here = self.here()
        told = {
            "workspace": here,
            "items": counts(here),
            "queue": queue_counts(here),
            "problems": health().problems,
        }
        return Response(OverviewSerializer(told, context={"request": request}).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, workspace: str) -> Response:
        """Delete the example workspace with all that is in it; no other can be deleted."""
        example_delete(workspace=self.here(Act.ADMINISTER), user=request.user)
        return Response(status=204)


class Example(Endpoint):
    @extend_schema(request=None, responses={201: WorkspaceSerializer})
    @once
    def post(self, request: Request) -> Response:
        """The example workspace, with its studies queued; the one that you have, where you have one."""
        made = example_create(user=request.user)
        return Response(WorkspaceSerializer(made, context={"request": request}).data, status=201)
