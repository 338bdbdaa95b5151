"""A small catalogue: one cluster, two price sheets, a workload and an SLO set, with different origins."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from planner.catalog.models import Kind, Revision
from planner.catalog.services import revision_add
from simulation.scenario import JobTable, Workload

POOLS = [
    {"name": "a100", "gpu_model": "A100", "nodes": 2, "gpus_per_node": 4, "idle_w": 60.0, "peak_w": 400.0},
    {"name": "h100", "gpu_model": "H100", "nodes": 1, "gpus_per_node": 8, "node_names": ["h1"]},
]


@dataclass(frozen=True)
class Catalogue:
    cluster: Revision
    prices: Revision
    dear: Revision
    workload: Revision
    slos: Revision

    def base(self, **changes):
        refs = {"cluster": self.cluster, "prices": self.prices, "workload": self.workload, "slos": self.slos}
        return {**{field: str(revision.id) for field, revision in refs.items()}, **changes}


def prices(amount):
    return {"prices": {"lines": [{"gpu_model": "A100", "usd_per_gpu_h": amount}]}, "origins": {"prices": "assumed"}}


def build_catalogue(workspace, user):
    def add(kind, name, origin, **content):
        return revision_add(
            workspace=workspace, user=user, kind=kind, name=name, origin=origin, source=f"source of {name}", **content
        )

    jobs = JobTable(
        id=[f"j{i}" for i in range(12)], submit_s=[60.0 * i for i in range(12)],
        duration_s=[600.0 + 300 * (i % 4) for i in range(12)], gpus=[1, 2, 4] * 4, tenant=["vision", "speech"] * 6,
    )  # fmt: skip
    origins = {"cluster": "measured", "power": "cited"}
    return Catalogue(
        cluster=add(Kind.CLUSTER, "Lab", "measured", document={"cluster": {"pools": POOLS}, "origins": origins}),
        prices=add(Kind.PRICES, "List 2026", "measured", document=prices("2.50")),
        dear=add(Kind.PRICES, "Dear", "assumed", document=prices("9.00")),
        workload=add(Kind.WORKLOAD, "June log", "measured", workload=Workload(jobs=jobs)),
        slos=add(
            Kind.SLOS, "Waits", "assumed",
            document={"slos": [{"metric": "wait_p95_s", "limit": 3600.0, "hard": True}]},
        ),
    )  # fmt: skip


@pytest.fixture
def catalogue(workspace, owner):
    return build_catalogue(workspace, owner)
