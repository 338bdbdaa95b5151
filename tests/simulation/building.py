"""Small scenarios for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulation.scenario import Choice, Cluster, JobTable, Pool, Scenario, Workload

TRAINING = ("fcfs-quota", "fcfs-backfill", "sjf", "srtf", "tiresias", "fair-share", "yarn-cs", "helios", "edf")
BLIND = ("fcfs-quota", "tiresias", "fair-share", "yarn-cs", "helios", "edf")  # to all that has not finished


def pool(nodes: int = 1, gpus: int = 8, **changes: Any) -> Pool:
    return Pool(**({"name": "a", "gpu_model": "V100", "nodes": nodes, "gpus_per_node": gpus} | changes))


def table(*jobs: tuple[float, float, int], **columns: Any) -> JobTable:
    """Jobs as (submit_s, duration_s, gpus), named 0, 1, ..."""
    submit_s, duration_s, gpus = zip(*jobs, strict=True) if jobs else ((), (), ())
    return JobTable(
        id=[str(i) for i in range(len(jobs))],
        submit_s=list(submit_s),
        duration_s=list(duration_s),
        gpus=list(gpus),
        **columns,
    )


def training(
    jobs: JobTable,
    system: str = "fcfs-quota",
    pools: list[Pool] | None = None,
    parameters: dict[str, Any] | None = None,
    **changes: Any,
) -> Scenario:
    return Scenario(
        cluster=Cluster(pools=pools or [pool()]),
        workload=Workload(jobs=jobs),
        training=Choice(system=system, parameters=parameters or {}),
        **changes,
    )


def random_jobs(seed: int, n: int = 60, widest: int = 16, tenants: int = 3, gap_s: float = 40.0) -> JobTable:
    """Heavy-tailed jobs of mixed gangs, with estimates for half of them."""
    rng = np.random.default_rng(seed)
    gpus = rng.choice([g for g in (1, 1, 1, 2, 3, 4, 8, 12, 16) if g <= widest], n)
    duration_s = np.round(rng.lognormal(5.5, 1.3, n), 3)
    guesses_s, known = duration_s * rng.uniform(0.5, 3, n), rng.random(n) < 0.5
    estimates = [float(guess) if told else None for guess, told in zip(guesses_s, known, strict=True)]
    return JobTable(
        id=[f"j{i}" for i in range(n)],
        submit_s=np.round(np.cumsum(rng.exponential(gap_s, n)), 3).tolist(),
        duration_s=duration_s.tolist(),
        gpus=gpus.tolist(),
        tenant=[f"t{k}" for k in rng.integers(0, tenants, n)],
        estimate_s=estimates,
    )
