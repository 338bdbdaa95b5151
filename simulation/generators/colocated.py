"""Small made-up workloads of jobs that could share GPUs; each draw is one replication."""

from __future__ import annotations

import numpy as np

from simulation.generators.contended import HOUR_S, submissions
from simulation.generators.experiments import ALL_MADE_UP, NODE_GPUS, cluster
from simulation.hardware import Cluster, Pool
from simulation.rate_profile import Iteration, RateProfile
from simulation.scenario import JobTable, Scenario, Workload

GIB = 2**30
GPU_MEMORY_BYTES = 24 * GIB
BOTTLENECK = 0.7  # of an iteration on one of four resources, the rest evenly on the others


def profiled(rng: np.random.Generator, *, load: float, nodes: int = 8, jobs: int = 400, names: int = 40) -> Scenario:
    """A user submits the same names again and again. Jobs of a name take about as long, have the same gang, keep their
    GPUs equally busy (10 to 60 %) and need the same memory (2 to 11 of 24 GiB)."""
    typical_s = rng.lognormal(np.log(HOUR_S), 1.4, names)
    gangs = rng.choice([1, 2, 4], names, p=[0.6, 0.25, 0.15])
    name = rng.integers(0, names, jobs)
    duration_s = typical_s[name] * rng.lognormal(0.0, 0.3, jobs)
    profiles = [
        RateProfile(
            name=f"name-{i}",
            iteration=Iteration(compute_s=0.1),
            utilisation=float(rng.uniform(0.1, 0.6)),
            memory_bytes=float(rng.uniform(2, 11)) * GIB,
        )
        for i in range(names)
    ]
    labels = [profiles[i].name for i in name.tolist()]
    pool = Pool(name="pool", gpu_model="GPU", nodes=nodes, gpus_per_node=NODE_GPUS, gpu_memory_bytes=GPU_MEMORY_BYTES)
    return Scenario(
        cluster=Cluster(pools=[pool]),
        workload=Workload(
            jobs=JobTable(
                id=[f"job-{i}" for i in range(jobs)],
                submit_s=submissions(rng, gangs[name] * duration_s, load, pool.gpus).tolist(),
                duration_s=duration_s.tolist(),
                gpus=gangs[name].tolist(),
                name=labels,
                profile=list(labels),
            ),
            profiles=profiles,
        ),
        origins=ALL_MADE_UP,
    )


def bottlenecked(rng: np.random.Generator, *, load: float, jobs: int = 200, alike: bool = False) -> Scenario:
    """Jobs bound by storage, CPU, GPU or network, as many of each (`alike`: all by the GPU); the load may exceed 1."""
    gang = rng.choice([1, 2, 4], jobs, p=[0.5, 0.25, 0.25])
    duration_s = rng.lognormal(np.log(HOUR_S / 2), 1.0, jobs)
    machine = cluster(2)
    bound = ["gpu"] * jobs if alike else rng.choice(RESOURCES, jobs).tolist()
    return Scenario(
        cluster=machine,
        workload=Workload(
            jobs=JobTable(
                id=[f"job-{i}" for i in range(jobs)],
                submit_s=submissions(rng, gang * duration_s, load, machine.gpus).tolist(),
                duration_s=duration_s.tolist(),
                gpus=gang.tolist(),
                profile=bound,
            ),
            profiles=[_bound_by(at) for at in range(len(RESOURCES))],
        ),
        origins=ALL_MADE_UP,
    )


RESOURCES = ("storage", "cpu", "gpu", "network")


def _bound_by(at: int) -> RateProfile:
    other = (1 - BOTTLENECK) / (len(RESOURCES) - 1)
    stages = [BOTTLENECK if i == at else other for i in range(len(RESOURCES))]
    return RateProfile(
        name=RESOURCES[at],
        iteration=Iteration(compute_s=1.0),
        stages_s=(stages[0], stages[1], stages[2], stages[3]),
    )
