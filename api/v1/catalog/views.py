"""The tables of single kinds: pools of a cluster, lines and costs of a price sheet, limits, joined workloads."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Table
from api.idempotency import once
from api.v1.catalog.bodies import JoinedWorkload
from api.v1.catalog.items import REV, Items, OfItem, told
from api.v1.catalog.serializers import (
    CostSerializer,
    FullItemSerializer,
    LimitSerializer,
    ModelFigureSerializer,
    PoolRowSerializer,
    PriceRowSerializer,
)
from api.v1.fields import number
from planner.accounts.selectors import Act
from planner.catalog import consistency, costs, hardware, selectors
from planner.catalog.figures import Told, told_in
from planner.catalog.models import Kind, Revision
from planner.catalog.services import workload_combine
from simulation.metrics.definitions import METRICS
from simulation.provenance import Origin, weakest

_UNITS = {"nodes": "nodes", "gpus_per_node": "GPUs", "gpu_memory_bytes": "bytes", "idle_w": "W", "peak_w": "W",
          "node_overhead_w": "W", "speed": "1"}  # fmt: skip
_PRICE = "USD/GPU-h"


class Pools(OfItem, Table):
    @extend_schema(parameters=[REV], responses=PoolRowSerializer(many=True))
    def get(self, request: Request, workspace: str, item: UUID) -> Response:
        """The pools of a cluster, each figure with its origin and source."""
        revision = self.revision(self.item())
        known, pools = told_in(revision), revision.document["cluster"]["pools"]
        return Response(PoolRowSerializer([_pool(pool, known[pool["name"]]) for pool in pools], many=True).data)


def _pool(pool: dict[str, Any], known: dict[str, Told]) -> dict[str, Any]:
    figures = {
        field: number(pool[field], unit, note="not known" if pool[field] is None else "", **known[field])
        for field, unit in _UNITS.items()
    }
    worst = max((known["nodes"], known["gpus_per_node"]), key=lambda one: Origin(one["origin"]).weakness)
    return {**pool, **figures, "gpus": number(pool["nodes"] * pool["gpus_per_node"], "GPUs", **worst)}


class PriceLines(OfItem, Table):
    kind = Kind.PRICES

    @extend_schema(parameters=[REV], responses=PriceRowSerializer(many=True))
    def get(self, request: Request, workspace: str, item: UUID) -> Response:
        """The lines of a price sheet, each worked out per GPU and hour."""
        revision = self.revision(self.item())
        origin = revision.document["origins"]["prices"]
        rows = [
            {**line.model_dump(), "price": number(line.usd_per_gpu_h, _PRICE, origin, revision.source.title)}
            for line in selectors.prices_of(revision).lines
        ]
        return Response(PriceRowSerializer(rows, many=True).data)


class MonthlyCost(OfItem, Table):
    kind = Kind.PRICES

    @extend_schema(
        parameters=[REV, OpenApiParameter("cluster", UUID, description="at its newest; else the first by name")],
        responses=CostSerializer,
    )
    def get(self, request: Request, workspace: str, item: UUID) -> Response:
        """What a cluster costs a month under this sheet, pool by pool; what has no price stays unknown."""
        revision, here = self.revision(self.item()), self.here()
        asked = (
            request.query_params.get("cluster")
            or selectors.items(here, Kind.CLUSTER).values_list("id", flat=True).first()
        )
        cluster = selectors.latest(selectors.item_for(request.user, here, Kind.CLUSTER, asked))
        return Response(CostSerializer(_cost(cluster, revision)).data)


def _cost(cluster: Revision, sheet: Revision) -> dict[str, Any]:
    machines, prices = selectors.cluster_of(cluster), selectors.prices_of(sheet)
    found = costs.monthly(machines, prices)
    size, price = cluster.document["origins"]["cluster"], sheet.document["origins"]["prices"]
    both = weakest([size, price])

    def rows() -> Iterator[dict[str, Any]]:
        for one in found.pools:
            why = "" if one.line else "no price fits this pool"
            yield {
                "pool": one.pool.name,
                "gpu_h": number(float(one.gpu_h), "GPU-h", size),
                "price": number(one.line.usd_per_gpu_h if one.line else None, _PRICE, price, note=why),
                "cost": _usd(one.usd, both, why),
            }

    return {
        "cluster": cluster.id,
        "prices": sheet.id,
        "rows": list(rows()),
        "total": _usd(found.total, both, f"no price for {', '.join(found.unpriced)}" if found.unpriced else ""),
        "problems": [str(p) for p in (*consistency.of_prices(prices), *consistency.of_cost(machines, prices))],
    }


def _usd(amount: Decimal | None, origin: Origin, note: str) -> dict[str, Any]:
    return number(amount, "USD", origin, "price x quantity of each pool, for 730 h", note)


class Limits(OfItem, Table):
    kind = Kind.SLOS

    @extend_schema(parameters=[REV], responses=LimitSerializer(many=True))
    def get(self, request: Request, workspace: str, item: UUID) -> Response:
        """The limits of an SLO set; hard ones decide what is feasible."""
        revision = self.revision(self.item())
        rows = [
            {
                "metric": slo.metric,
                "title": METRICS[slo.metric].title if slo.metric in METRICS else slo.metric,
                "limit": number(slo.limit, _unit(slo.metric), revision.origin, revision.source.title),
                "hard": slo.hard,
            }
            for slo in selectors.slos_of(revision)
        ]
        return Response(LimitSerializer(rows, many=True).data)


def _unit(metric: str) -> str:
    return METRICS[metric].unit if metric in METRICS else ""


class Workloads(Items):
    kind = Kind.WORKLOAD


class WorkloadCombine(OfItem):
    kind = Kind.WORKLOAD

    @extend_schema(request=JoinedWorkload, responses={201: FullItemSerializer})
    @once
    def post(self, request: Request, workspace: str) -> Response:
        """Join the jobs of one workload with the services of another, under a new name."""
        here, given = self.here(Act.EDIT), self.body(JoinedWorkload)
        parts = {
            part: selectors.latest(selectors.item_for(request.user, here, self.kind, id, Act.EDIT))
            for part, id in (("jobs", given.jobs), ("services", given.services))
        }
        revision = workload_combine(workspace=here, user=request.user, name=given.name, **parts)
        return Response(told(revision.item, revision), status=201)


class GpuModels(Table):
    @extend_schema(responses=ModelFigureSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The GPU models whose published figures fill what a cluster leaves blank."""
        fields = {field: _UNITS[field] for field in hardware.ATTRIBUTES}
        rows = [{"model": name, **{f: _published(name, f, unit) for f, unit in fields.items()}}
                for name in hardware.model_names()]  # fmt: skip
        return Response(ModelFigureSerializer(rows, many=True).data)


def _published(model: str, field: str, unit: str) -> dict[str, Any]:
    value, told_by = hardware.published(model, field)
    said = told_by or {"origin": str(Origin.CITED), "source": ""}
    return number(value, unit, note="" if told_by else "no figure is published", **said)
