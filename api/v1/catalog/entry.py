"""Clusters, price sheets and SLO sets typed in: new ones, and the next revision of one that is there."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.idempotency import once
from api.v1.catalog import bodies
from api.v1.catalog.items import Items, Revisions, told
from api.v1.catalog.serializers import FullItemSerializer
from planner.accounts.selectors import Act
from planner.catalog import selectors
from planner.catalog.models import Kind, Revision
from planner.catalog.services_entry import cluster_enter, prices_enter, slos_enter

SAVED = {201: FullItemSerializer}


def _clusters(given: bodies.NewCluster, **common: Any) -> Revision:
    changes = None if given.changes is None else [change.model_dump() for change in given.changes]
    pools = [pool.model_dump(exclude_unset=True) for pool in given.pools]
    return cluster_enter(**common, pools=pools, changes=changes, pue=given.pue)


def _prices(given: bodies.NewPrices, **common: Any) -> Revision:
    return prices_enter(**common, lines=[line.entry() for line in given.lines], tariff=given.tariff())


def _slos(given: bodies.NewSlos, **common: Any) -> Revision:
    return slos_enter(**common, slos=[slo.model_dump() for slo in given.limits])


ENTER = {Kind.CLUSTER: _clusters, Kind.PRICES: _prices, Kind.SLOS: _slos}


class _Typed(Items):
    def enter(self, model: type[bodies.Given]) -> Response:
        here, given = self.here(Act.EDIT), self.body(model)
        revision = ENTER[self.kind](given, workspace=here, user=self.request.user, name=given.name, why=given.why)
        return Response(told(revision.item, revision), status=201)


class Clusters(_Typed):
    @extend_schema(request=bodies.NewCluster, responses=SAVED)
    @once
    def post(self, request: Request, workspace: str) -> Response:
        """A cluster, pool by pool; blank memory and powers are filled from the catalogue of GPU models."""
        return self.enter(bodies.NewCluster)


class PriceSheets(_Typed):
    @extend_schema(request=bodies.NewPrices, responses=SAVED)
    @once
    def post(self, request: Request, workspace: str) -> Response:
        """A price sheet; each line keeps its own unit, and the price per GPU-hour is worked out."""
        return self.enter(bodies.NewPrices)


class SloSets(_Typed):
    @extend_schema(request=bodies.NewSlos, responses=SAVED)
    @once
    def post(self, request: Request, workspace: str) -> Response:
        """An SLO set: limits on metrics, hard ones and preferences."""
        return self.enter(bodies.NewSlos)


class _Edited(Revisions):
    def enter(self, model: type[bodies.Given]) -> Response:
        item, given = self.item(Act.EDIT), self.body(model)
        base = selectors.revision_for(item.workspace, given.based_on, self.kind)
        revision = ENTER[self.kind](
            given,
            workspace=item.workspace,
            user=self.request.user,
            item=item,
            based_on=base,
            name=given.name,
            why=given.why,
        )
        return Response(told(revision.item, revision), status=201)


class ClusterRevisions(_Edited):
    @extend_schema(request=bodies.EditedCluster, responses=SAVED)
    @once
    def post(self, request: Request, workspace: str, item: UUID) -> Response:
        """The next revision of a cluster; figures that did not change keep their origin."""
        return self.enter(bodies.EditedCluster)


class PriceRevisions(_Edited):
    @extend_schema(request=bodies.EditedPrices, responses=SAVED)
    @once
    def post(self, request: Request, workspace: str, item: UUID) -> Response:
        """The next revision of a price sheet."""
        return self.enter(bodies.EditedPrices)


class SloRevisions(_Edited):
    @extend_schema(request=bodies.EditedSlos, responses=SAVED)
    @once
    def post(self, request: Request, workspace: str, item: UUID) -> Response:
        """The next revision of an SLO set."""
        return self.enter(bodies.EditedSlos)
