"""A small made-up cluster on which short and long jobs contend, some of them slow when their GPUs lie apart."""

from __future__ import annotations

import numpy as np

from simulation.generators.experiments import ALL_MADE_UP
from simulation.hardware import Cluster, Pool
from simulation.rate_profile import RatePoint, RateProfile
from simulation.scenario import JobTable, Scenario, Workload

HOUR_S = 3600.0
GANGS = (1, 2, 4)
SCALING = (1.0, 1.9, 3.6)  # rate of GANGS on one node
APART = {"bears spreading": 0.95, "needs one node": 0.5}  # of that rate over several nodes


def short_and_long(
    rng: np.random.Generator, *, load: float, jobs: int, nodes: int = 4, gpus_per_node: int = 4, elastic: bool = False
) -> Scenario:
    """Half of the jobs take about half an hour, the others four hours; all come within one period.

    elastic: every job also runs with fewer GPUs than it asks for.
    """
    gang = rng.choice(GANGS, jobs, p=[0.4, 0.3, 0.3])
    long = rng.random(jobs) < 0.5
    duration_s = np.where(long, 4.0, 0.5) * HOUR_S * rng.lognormal(0.0, 0.3, jobs)
    span_s = float(gang @ duration_s) / (load * nodes * gpus_per_node)
    kinds = list(APART)
    return Scenario(
        cluster=Cluster(pools=[Pool(name="pool", gpu_model="GPU", nodes=nodes, gpus_per_node=gpus_per_node)]),
        workload=Workload(
            jobs=JobTable(
                id=[f"job-{i}" for i in range(jobs)],
                submit_s=np.sort(rng.uniform(0.0, span_s, jobs)).tolist(),
                duration_s=duration_s.tolist(),
                gpus=gang.tolist(),
                gpus_min=[1] * jobs if elastic else None,
                profile=[kinds[k] for k in rng.integers(0, 2, jobs)],
            ),
            profiles=[_profile(kind, factor) for kind, factor in APART.items()],
        ),
        origins=ALL_MADE_UP,
    )


def _profile(name: str, factor: float) -> RateProfile:
    points = [RatePoint(gpu_model="GPU", gpus=n, level="node", rate=r) for n, r in zip(GANGS, SCALING, strict=True)]
    apart = [
        RatePoint(gpu_model="GPU", gpus=n, level="rack", rate=r * factor)
        for n, r in zip(GANGS[1:], SCALING[1:], strict=True)
    ]
    return RateProfile(name=name, reference_model="GPU", points=[*points, *apart])
