"""Every system gives GPUs to every job that an empty cluster could hold, whatever the shapes of nodes and gangs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.engine.kernels.place import CONSOLIDATE_FIRST, place
from simulation.engine.plan import make_plan
from simulation.engine.state import make_state
from simulation.records import JobOutcome
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Pool, Scenario, Workload
from simulation.world.build import build_world
from tests.simulation.building import pool
from tests.simulation.properties.drawing import PROFILES, TRAINING, drawn

FEW, MANY = 4, 100
DECLINING = ("elasticflow", "hived")  # a deadline that no plan can keep; a gang that has no cells and may not be moved


def odd_shapes(seed: int, system: str) -> Scenario:
    """Up to three pools of small nodes, and gangs of any width that one of the pools can hold."""
    rng = np.random.default_rng(seed)
    pools = [_pool(rng, *kind) for kind in (("a", "V100"), ("b", "A100"), ("c", "V100"))[: rng.integers(1, 4)]]
    widest = max(p.nodes * p.gpus_per_node for p in pools)
    n = int(rng.integers(3, 15))
    duration_s = rng.lognormal(5.3, 0.9, n)
    columns: dict[str, Any] = {
        "tenant": [f"t{k}" for k in rng.integers(0, 3, n)],
        "deadline_s": (1e5 + np.arange(n)).tolist(),
        "estimate_s": duration_s.tolist(),
        "preemptible": (rng.random(n) < 0.8).tolist(),
        "profile": rng.choice([None, *(p.name for p in PROFILES)], n).tolist(),
    }
    jobs = JobTable(
        id=[f"j{i}" for i in range(n)], submit_s=np.cumsum(rng.exponential(60.0, n)).tolist(),
        duration_s=duration_s.tolist(), gpus=rng.integers(1, widest + 1, n).tolist(), **columns,
    )  # fmt: skip
    workload = Workload(jobs=jobs, profiles=PROFILES)
    return Scenario(cluster=Cluster(pools=pools), workload=workload, training=Choice(system=system))


def _pool(rng: np.random.Generator, name: str, model: str) -> Pool:
    return pool(int(rng.integers(1, 5)), int(rng.choice([1, 2, 4, 8])), name=name, gpu_model=model)


def fits(scenario: Scenario) -> np.ndarray:
    """(jobs,) whether an empty cluster could hold each job, close together."""
    world = build_world(scenario, 0)
    ledger, scratch = make_state(world, scenario.overheads), make_plan(world.nodes.gpus)
    found = np.zeros(len(world.jobs), np.bool_)
    for job in range(len(found)):
        scratch.clear()
        found[job] = place(ledger, ledger.size.copy(), scratch, job, int(ledger.gang[job]), CONSOLIDATE_FIRST)
    return found


def everyone_ends(scenario: Scenario, declines: bool) -> None:
    records = run_records(scenario)
    refused = records.jobs.outcome == JobOutcome.REJECTED
    ended, able = ~np.isnan(records.jobs.end_s), fits(scenario)
    assert ended[able & ~refused].all()
    assert (able & refused).sum() == records.decisions.get("jobs_refused", 0)
    assert declines or not (able & refused).any()


def of_all_kinds(system: str, number: int) -> None:
    for seed in range(number):
        everyone_ends(odd_shapes(seed, system), system in DECLINING)
        everyone_ends(drawn(seed, system, horizon_s=None), system in DECLINING)


@pytest.mark.parametrize("system", TRAINING)
def test_whoever_fits_starts_some_time(system: str) -> None:
    of_all_kinds(system, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("system", TRAINING)
def test_whoever_fits_starts_some_time_in_many_cases(system: str) -> None:
    of_all_kinds(system, MANY)


@pytest.mark.parametrize(
    ("system", "seed"),
    [
        ("lucid", 172),  # 8 GPUs, and nodes of unlike pools are set aside: 4 GPUs of each
        ("chronus", 86),  # 8 GPUs whole, though a job of 1 to 8 would have a home of 4
    ],
)
def test_a_gang_is_not_sent_where_it_has_no_room(system: str, seed: int) -> None:
    everyone_ends(drawn(seed, system, horizon_s=None), declines=False)
