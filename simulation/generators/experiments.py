"""Small made-up clusters and workloads in which one mechanism can show; each draw is one replication."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from simulation.generators.jobs import DAY_S, JobMix, at_load, synthetic_jobs
from simulation.provenance import Origin
from simulation.scenario import Cluster, JobTable, Origins, Phase, Pool, Requests, Scenario, Service, Workload

GANGS: Mapping[int, float] = {1: 0.6, 2: 0.15, 4: 0.15, 8: 0.1}
NODE_GPUS = 8
ALL_MADE_UP = Origins(workload=Origin.ILLUSTRATIVE, cluster=Origin.ILLUSTRATIVE)


def cluster(nodes: int, gpus_per_node: int = NODE_GPUS) -> Cluster:
    return Cluster(pools=[Pool(name="pool", gpu_model="GPU", nodes=nodes, gpus_per_node=gpus_per_node)])


def heavy_tailed(
    rng: np.random.Generator, *, load: float, nodes: int = 4, gpus_per_node: int = NODE_GPUS,
    gangs: Mapping[int, float] = GANGS, jobs: int = 400, days: float = 4.0,
) -> Scenario:  # fmt: skip
    """About `jobs` jobs of one tenant with the run times of the Philly mix, evenly over `days`, at an offered load."""
    mix = JobMix(jobs_per_day=jobs / days, days=days, gangs=gangs, day_swing=0.0, weekend=1.0)
    machine = cluster(nodes, gpus_per_node)
    table = at_load(synthetic_jobs(mix, rng), load, machine.gpus, days * DAY_S)
    return _training(machine, table)


def flood(
    rng: np.random.Generator, *, big: int = 60, small: int = 30, hour_s: float = 3600.0, nodes: int = 2
) -> Scenario:
    """Tenant `a` submits `big` one-GPU jobs of about an hour at once; tenant `b` short ones, one by one, after it."""
    long_s = hour_s * rng.uniform(0.5, 1.5, big)
    short_s = hour_s / 6 * rng.uniform(0.5, 1.5, small)
    begin_s = 60.0 + np.cumsum(rng.exponential(hour_s / 12, small))
    return _training(
        cluster(nodes),
        JobTable(
            id=[f"a{i}" for i in range(big)] + [f"b{i}" for i in range(small)],
            submit_s=[0.0] * big + begin_s.tolist(),
            duration_s=[*long_s.tolist(), *short_s.tolist()],
            gpus=[1] * (big + small),
            tenant=["a"] * big + ["b"] * small,
        ),
    )


def recurring(
    rng: np.random.Generator, *, load: float, nodes: int = 4, users: int = 8, names: int = 6, jobs: int = 500,
    days: float = 4.0, spread: float = 0.3,
) -> Scenario:  # fmt: skip
    """Users submit the same `names` again and again: run times differ widely between names, and little within one.

    spread: sigma of the lognormal within a name. Between names it is that of the Philly mix. All in one tenant.
    """
    mix = JobMix(jobs_per_day=jobs / days, days=days)
    kinds = users * names
    typical_s = rng.lognormal(math.log(mix.median_s), math.sqrt(2 * math.log(mix.mean_s / mix.median_s)), kinds)
    gangs = rng.choice(list(GANGS), kinds, p=list(GANGS.values()))
    kind = rng.integers(0, kinds, jobs)
    machine = cluster(nodes)
    table = JobTable(
        id=[f"job-{i}" for i in range(jobs)],
        submit_s=np.sort(rng.uniform(0.0, days * DAY_S, jobs)).tolist(),
        duration_s=(typical_s[kind] * rng.lognormal(0.0, spread, jobs)).tolist(),
        gpus=gangs[kind].tolist(),
        user=[f"user-{k // names}" for k in kind.tolist()],
        name=[f"name-{k}" for k in kind.tolist()],
    )
    return _training(machine, at_load(table, load, machine.gpus, days * DAY_S))


def rising_traffic(rng: np.random.Generator, *, low_per_s: float = 5.0, times: float = 4.0) -> Scenario:
    """A service sized for low traffic, which grows severalfold for a third of an hour, at an instant of the draw."""
    rise_s = float(rng.uniform(900.0, 1500.0))
    phases = [
        Phase(start_s=0.0, rate_per_s=low_per_s),
        Phase(start_s=rise_s, rate_per_s=low_per_s * times),
        Phase(start_s=rise_s + 1200.0, rate_per_s=low_per_s),
    ]
    service = Service(
        name="service", replicas=1, replicas_max=NODE_GPUS, batch_max=1, alpha_s=0.1, slo_s=0.5, load_s=10.0,
        requests=Requests(phases=phases, end_s=3600.0),
    )  # fmt: skip
    return Scenario(cluster=cluster(1), workload=Workload(services=[service]), horizon_s=3600.0, origins=ALL_MADE_UP)


def _training(machine: Cluster, jobs: JobTable) -> Scenario:
    return Scenario(cluster=machine, workload=Workload(jobs=jobs), origins=ALL_MADE_UP)
