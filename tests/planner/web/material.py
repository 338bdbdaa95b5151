"""Constructed rows for page tests: a study with finished results, without an engine. The numbers mean nothing."""

from __future__ import annotations

import math
from decimal import Decimal

from planner.accounts.models import User, Workspace
from planner.catalog.models import Kind, Revision
from planner.catalog.services import revision_add
from planner.studies.models import Result, Run, Scenario, Study
from simulation import ENGINE_VERSION
from simulation.metrics.definitions import METRICS
from simulation.scenario import Cluster, JobTable, Pool, PriceLine, Prices, Slo, Workload, digest_of

HOUR = 3600.0


def catalogue(workspace: Workspace, user: User) -> dict[str, Revision]:
    """One revision of each kind."""
    cluster = Cluster(pools=[Pool(name="v100", gpu_model="V100", nodes=8, gpus_per_node=8)])
    prices = Prices(lines=[PriceLine(gpu_model="V100", usd_per_gpu_h=Decimal("2.50"))])
    jobs = JobTable(id=["a", "b"], submit_s=[0.0, 60.0], duration_s=[600.0, 900.0], gpus=[8, 16], tenant=["x", "y"])
    slos = [Slo(metric="wait_p95_s", limit=HOUR)]
    entered = {"workspace": workspace, "user": user, "origin": "assumed", "source": "typed in"}
    return {
        "cluster": revision_add(
            kind=Kind.CLUSTER, name="V100-64", **entered,
            document={"cluster": cluster.model_dump(mode="json"), "origins": {"cluster": "assumed", "power": "assumed"}},
        ),
        "prices": revision_add(
            kind=Kind.PRICES, name="2026-07", **entered,
            document={"prices": prices.model_dump(mode="json"), "currency": "USD", "origins": {"prices": "assumed", "carbon": "assumed"}},
        ),
        "slos": revision_add(
            kind=Kind.SLOS, name="P95 wait 1 h", **entered, document={"slos": [s.model_dump(mode="json") for s in slos]}
        ),
        "workload": revision_add(kind=Kind.WORKLOAD, name="June log", **entered, workload=Workload(jobs=jobs)),
    }  # fmt: skip


def metrics(position: int, seed: int, unknown: tuple[str, ...] = ()) -> dict:
    """A trade: with each position the wait falls and the cost rises; seeds spread a little."""
    policy, nodes = position % 4, position // 4
    spread = 1 + 0.02 * math.sin(7.0 * seed + position)
    wait = 2.5 * HOUR * math.exp(-0.28 * nodes) * (1 - 0.13 * policy) * spread
    values = {
        "jct_mean_s": 7 * HOUR + wait, "jct_p50_s": 2 * HOUR + wait / 4, "jct_p95_s": 20 * HOUR + 2 * wait,
        "jct_p99_s": 40 * HOUR + 3 * wait, "wait_mean_s": wait / 4, "wait_p95_s": wait, "wait_p99_s": 3 * wait,
        "cost_usd": 71_200 + 5_900 * nodes, "energy_kwh": (38_000 + 800 * nodes) * spread, "rho_max": 2.2 - 0.1 * nodes + 0.2 * policy,
        "jain_gpu_time": 0.8 + 0.02 * nodes, "worst_tenant_slowdown": 3.0 - 0.2 * nodes, "makespan_s": 30 * 24 * HOUR,
    }  # fmt: skip
    return {
        name: {
            "value": None if name in unknown else values.get(name),
            "unit": metric.unit,
            "n": 100,
            "origin": "assumed" if "prices" in metric.inputs else "simulated",
            "inputs": list(metric.inputs),
            "note": None if name in values and name not in unknown else "no such input in this workload",
        }
        for name, metric in METRICS.items()
    }


def document(position: int, seed: int, **more) -> dict:
    """A whole result document in the shape that the engine writes."""
    found = metrics(position, seed, **more)
    wait, jct = found["wait_p95_s"]["value"] or 60.0, found["jct_p95_s"]["value"] or 600.0

    def curve(p95: float) -> dict:
        qs = [i / 40 for i in range(40)] + [0.98, 0.99, 0.995, 0.999]
        points = [[q, p95 * math.exp(3.2 * (q - 0.95) / (1.04 - q * 0.9))] for q in qs]
        value = dict(points)
        return {"unit": "s", "n": 100, "censored": 3, "mean": p95 / 3, "p50": value[0.5], "p90": value[0.9],
                "p95": value[0.95], "p99": value[0.99], "max": points[-1][1], "curve": points}  # fmt: skip

    latency = {"unit": "s", "n": 5000, "censored": 0, "mean": 0.1, "p50": 0.09, "p90": 0.13, "p95": 0.14, "p99": 0.19,
               "max": 0.4, "curve": [[q / 20, 0.08 + 0.1 * q / 20] for q in range(20)] + [[0.999, 0.4]]}  # fmt: skip
    return {
        "engine": ENGINE_VERSION, "end_s": 720 * HOUR, "metrics": found,
        "distributions": {"wait": curve(wait), "jct": curve(jct), "latency:rank": latency},
        "wait_by_gang": [{"gang": g, "n": 20, "mean_s": 600.0 * i, "p95_s": 2400.0 * i} for i, g in enumerate(["1", "2-4", "5-8", "9-16"], 1)],
        "latency_parts": {"rank": [{"percentile": p, "queue_s": 0.01 * i, "batch_wait_s": 0.02 * i, "load_s": 0.0, "execute_s": 0.08, "total_s": 0.08 + 0.03 * i, "n": 50} for i, p in enumerate([50, 95, 99, 99.9], 1)]},
        "services": [{"service": "rank", "tenant": "serving", "requests": 5000, "served": 4990, "late": 12, "miss_rate": 0.0024, "mean_s": 0.1, "p50_s": 0.09, "p95_s": 0.14, "p99_s": 0.19, "goodput_per_s": 4.9, "mean_replicas": 2.0}],
        "tenants": [{"tenant": t, "submitted": 60, "finished": 55, "gpu_h": 400.0 * i, "share": 0.4 * i / 2, "entitled": 0.5, "wait_mean_s": 300.0, "wait_p95_s": 2400.0, "jct_mean_s": 9000.0, "slowdown_mean": 1.4, "rho_mean": 1.0, "rho_max": 1.4, "deadlines": 0, "deadlines_missed": 0, "cost_usd": 1000.0 * i} for i, t in enumerate(["x", "y"], 1)],
        "timeline": {"t_s": [i * 12 * HOUR for i in range(60)], "bin_s": 12 * HOUR, "capacity_gpus": 64, "allocated": [0.9 - 0.2 * (i % 14 > 10) for i in range(60)], "busy": [0.85 - 0.2 * (i % 14 > 10) for i in range(60)], "useful": [0.8 - 0.2 * (i % 14 > 10) for i in range(60)], "waiting": [i % 7 for i in range(60)]},
        "costs": [{"line": "used", "pool": "v100", "quantity": 1200.0, "unit": "GPU-h", "price_usd": "2.50", "usd": "3000.00"}, {"line": "idle", "pool": "v100", "quantity": 100.0, "unit": "GPU-h", "price_usd": "2.50", "usd": "250.00"}],
        "counts": {"jobs": {"submitted": 120, "finished": 110, "running": 6, "waiting": 3, "rejected": 1}, "requests": {"submitted": 5000, "served": 4990, "unfinished": 4, "dropped": 6}},
        "decisions": {"starts": 110, "preemptions": 4}, "conservation": {"gpu_s_allocated": 4e6, "useful": 3.8e6, "overhead": 1.5e5, "lost": 5e4, "residual": 0.0},
    }  # fmt: skip


def study(
    workspace: Workspace, user: User, *, scenarios: int = 12, seeds: int = 3, done: bool = True, slo: bool = True
) -> Study:
    """A study whose runs are all done, or all queued."""
    parts = {name: str(revision.id) for name, revision in catalogue(workspace, user).items()}
    base = parts | {"training": {"system": "fcfs-quota", "parameters": {}}, "serving": {"system": "static-replicas", "parameters": {}},
                    "pool_changes": {}, "sampling": {"mode": "resampled", "demand_factor": 1.0}, "horizon_s": None,
                    "overheads": {}, "quotas": {}}  # fmt: skip
    limits = [{"metric": "wait_p95_s", "limit": HOUR, "hard": True}] if slo else []
    made = Study.objects.create(
        workspace=workspace, question="Which policy keeps P95 wait under 1 h for the least money?", base=base,
        axes={"seeds": seeds}, slos=limits, created_by=user,
    )  # fmt: skip
    for position in range(scenarios):
        _scenario(made, base, position, seeds, done)
    return made


def _scenario(made: Study, base: dict, position: int, seeds: int, done: bool) -> None:
    label = f"{('FCFS', 'Backfill', 'Shortest first', 'Tiresias')[position % 4]}, +{4 * (position // 4)} V100"
    change = {"path": "cluster.v100", "old": 8, "new": 8 + position // 4, "unit": "nodes"}
    scenario = Scenario.objects.create(
        study=made, position=position, label=label, spec=base, changes=[change] if position else [],
        digest=digest_of([str(made.id), position]), family="one",
    )  # fmt: skip
    for seed in range(seeds):
        result = None
        if done:
            doc = document(position, seed)
            result = Result.objects.create(
                scenario_digest=scenario.digest, seed=seed, engine_version=ENGINE_VERSION, document=doc,
                metrics=doc["metrics"], sha256=digest_of(doc), compute_s=0.5,
            )  # fmt: skip
        state = Run.State.DONE if done else Run.State.QUEUED
        Run.objects.create(scenario=scenario, seed=seed, state=state, result=result, progress=float(done))
