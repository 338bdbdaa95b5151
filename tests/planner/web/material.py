"""Constructed rows for page tests: a study with finished results, without an engine. The numbers mean nothing."""

from __future__ import annotations

from decimal import Decimal

from planner.accounts.models import User, Workspace
from planner.catalog.models import Kind, Revision
from planner.catalog.services import revision_add
from planner.studies.models import Result, Run, Scenario, Study
from simulation import ENGINE_VERSION
from simulation.scenario import Cluster, JobTable, Pool, PriceLine, Prices, Slo, Workload, digest_of
from tests.planner.web.result_document import HOUR, document


def catalogue(workspace: Workspace, user: User, facts: dict | None = None) -> dict[str, Revision]:
    """One revision of each kind; `facts` are those of the log that the workload comes from."""
    cluster = Cluster(pools=[Pool(name="v100", gpu_model="V100", nodes=8, gpus_per_node=8)])
    prices = Prices(lines=[PriceLine(gpu_model="V100", usd_per_gpu_h=Decimal("2.50"))])
    jobs = JobTable(id=["a", "b"], submit_s=[0.0, 60.0], duration_s=[600.0, 900.0], gpus=[8, 16], tenant=["x", "y"])
    slos = [Slo(metric="wait_p95_s", limit=HOUR)]
    entered = {"workspace": workspace, "user": user, "origin": "assumed", "source": "typed in"}
    return {
        "cluster": revision_add(
            kind=Kind.CLUSTER,
            name="V100-64",
            **entered,
            document={
                "cluster": cluster.model_dump(mode="json"),
                "origins": {"cluster": "assumed", "power": "assumed"},
            },
        ),
        "prices": revision_add(
            kind=Kind.PRICES,
            name="2026-07",
            **entered,
            document={
                "prices": prices.model_dump(mode="json"),
                "currency": "USD",
                "origins": {"prices": "assumed", "carbon": "assumed"},
            },
        ),
        "slos": revision_add(
            kind=Kind.SLOS, name="P95 wait 1 h", **entered, document={"slos": [s.model_dump(mode="json") for s in slos]}
        ),
        "workload": revision_add(
            kind=Kind.WORKLOAD, name="June log", **entered, workload=Workload(jobs=jobs), facts=facts
        ),
    }


def study(
    workspace: Workspace, user: User, *, scenarios: int = 12, seeds: int = 3, done: bool = True, slo: bool = True,
    facts: dict | None = None,
) -> Study:  # fmt: skip
    """A study whose runs are all done, or all queued."""
    parts = {name: str(revision.id) for name, revision in catalogue(workspace, user, facts).items()}
    base = parts | {
        "training": {"system": "fcfs-quota", "parameters": {}},
        "serving": {"system": "static-replicas", "parameters": {}},
        "pool_changes": {},
        "sampling": {"mode": "resampled", "demand_factor": 1.0},
        "horizon_s": None,
        "overheads": {},
        "quotas": {},
    }
    limits = [{"metric": "wait_p95_s", "limit": HOUR, "hard": True}] if slo else []
    made = Study.objects.create(
        workspace=workspace,
        question="Which policy keeps P95 wait under 1 h for the least money?",
        base=base,
        axes={"seeds": seeds},
        slos=limits,
        created_by=user,
    )
    for position in range(scenarios):
        _scenario(made, base, position, seeds, done)
    return made


def _scenario(made: Study, base: dict, position: int, seeds: int, done: bool) -> None:
    label = f"{('FCFS', 'Backfill', 'Shortest first', 'Tiresias')[position % 4]}, +{4 * (position // 4)} V100"
    change = {"path": "cluster.v100", "old": 8, "new": 8 + position // 4, "unit": "nodes"}
    scenario = Scenario.objects.create(
        study=made,
        position=position,
        label=label,
        spec=base,
        changes=[change] if position else [],
        digest=digest_of([str(made.id), position]),
        family="one",
    )
    for seed in range(seeds):
        result = None
        if done:
            doc = document(position, seed)
            result = Result.objects.create(
                scenario_digest=scenario.digest,
                seed=seed,
                engine_version=ENGINE_VERSION,
                document=doc,
                metrics=doc["metrics"],
                sha256=digest_of(doc),
                compute_s=0.5,
            )
        state = Run.State.DONE if done else Run.State.QUEUED
        Run.objects.create(scenario=scenario, seed=seed, state=state, result=result, progress=float(done))


def tied_study(workspace: Workspace, user: User) -> Study:
    """Two scenarios with one mean JCT and unlike medians, each with two tenants of one job."""
    made = study(workspace, user, scenarios=2, seeds=1, slo=False)
    _retell(made, 0, "A keeps 4", 1800.0, 2100.0)
    _retell(made, 1, "A shrinks to 2", 3000.0, 900.0)
    return made


def _retell(made: Study, position: int, label: str, jct_a: float, jct_b: float) -> None:
    Scenario.objects.filter(study=made, position=position).update(label=label)
    result = Run.objects.get(scenario__study=made, scenario__position=position).result
    doc = result.document
    values = {"jct_mean_s": (jct_a + jct_b) / 2, "jct_p50_s": min(jct_a, jct_b), "jct_p95_s": max(jct_a, jct_b)}
    for name, value in values.items():
        doc["metrics"][name]["value"] = value
    for tenant, jct in zip(doc["tenants"], (jct_a, jct_b), strict=True):
        tenant["jct_mean_s"] = jct
    result.metrics = doc["metrics"]
    result.save()
