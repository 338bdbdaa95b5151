"""What all four kinds of the catalogue have: a list, an item at any revision, its history, what changed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint, Listing, Table
from api.v1.catalog.bodies import ChangedItem
from api.v1.catalog.filters import ItemFilter
from api.v1.catalog.serializers import ChangeSerializer, FullItemSerializer, ItemSerializer, RevisionSerializer
from planner.accounts.models import Workspace
from planner.accounts.selectors import Act
from planner.catalog import consistency, selectors
from planner.catalog.models import Item, Kind, Revision
from planner.catalog.services import item_archive, item_rename, item_restore

REV = OpenApiParameter("rev", int, description="number of a revision; the newest where it is left out")


def whole_number(request: Request, name: str) -> int | None:
    """A parameter of the address that counts from 1; None where it is not there."""
    text = request.query_params.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text)):
        raise ValidationError({name: f"Expected a whole number from 1 (given: {text[:40]!r})."})
    return int(text)


class OfItem(Endpoint):
    """`kind` is given where the address is."""

    kind: Kind = Kind.CLUSTER

    def item(self, act: Act = Act.READ) -> Item:
        return selectors.item_for(self.request.user, self.here(act), self.kind, self.kwargs["item"], act)

    def revision(self, item: Item) -> Revision:
        """The one asked for, else the newest."""
        number = whole_number(self.request, "rev")
        return selectors.revision_numbered(item, number) if number else selectors.latest(item)


class Items(Listing):
    """All of one kind by name, each with its newest revision; archived ones by `archived=true`."""

    kind: Kind = Kind.CLUSTER
    serializer_class = ItemSerializer
    queryset = Item.objects.none()
    filter_backends = [DjangoFilterBackend]
    filterset_class = ItemFilter

    def rows(self, workspace: Workspace) -> Any:
        archived = self.request.query_params.get("archived", "").lower() == "true"
        return selectors.items(workspace, self.kind, archived=archived)


class OneItem(OfItem):
    @extend_schema(parameters=[REV], responses=FullItemSerializer)
    def get(self, request: Request, workspace: str, item: UUID) -> Response:
        """The whole of one, at its newest revision or at the one asked for, with what does not fit in it."""
        found = self.item()
        return Response(told(found, self.revision(found)))

    @extend_schema(request=ChangedItem, responses=FullItemSerializer)
    def patch(self, request: Request, workspace: str, item: UUID) -> Response:
        """Give it another name, put it into the archive, or bring it back."""
        found, asked = self.item(Act.EDIT), self.body(ChangedItem)
        with transaction.atomic():
            if asked.name is not None:
                item_rename(item=found, user=request.user, name=asked.name)
            if asked.archived is not None:
                (item_archive if asked.archived else item_restore)(item=found, user=request.user)
        return Response(told(found, selectors.latest(found)))


class Revisions(OfItem, Listing):
    """Its revisions, newest first, each with who made it, why, and out of what source."""

    serializer_class = RevisionSerializer
    queryset = Revision.objects.none()

    def get_queryset(self) -> Any:
        return selectors.revisions(self.item())


class Changes(OfItem, Table):
    @extend_schema(
        parameters=[OpenApiParameter(name, int, required=True, description="revision") for name in ("from", "to")],
        responses=ChangeSerializer(many=True),
    )
    def get(self, request: Request, workspace: str, item: UUID) -> Response:
        """What differs between two revisions, one row a field."""
        found = self.item()
        numbers = [whole_number(request, name) for name in ("from", "to")]
        if None in numbers:
            raise ValidationError({"from": "Which two revisions? Give their numbers as `from` and `to`."})
        pair = [selectors.revision_numbered(found, number) for number in sorted(numbers)]
        return Response(ChangeSerializer(selectors.differences(*pair), many=True).data)


def told(item: Item, revision: Revision) -> dict[str, Any]:
    """The whole of an item as an answer."""
    item.revision = revision
    item.problems = [str(problem) for problem in _problems(item.kind, revision)]
    return FullItemSerializer(item).data


def _problems(kind: str, revision: Revision) -> list[consistency.Problem]:
    checks = {
        Kind.CLUSTER: lambda: consistency.of_cluster(selectors.cluster_of(revision)),
        Kind.PRICES: lambda: consistency.of_prices(selectors.prices_of(revision)),
        Kind.SLOS: lambda: consistency.of_slos(selectors.slos_of(revision)),
        Kind.WORKLOAD: lambda: (),
    }
    return list(checks[Kind(kind)]())
