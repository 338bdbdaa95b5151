"""Small made-up workloads of jobs that could share GPUs; each draw is one replication."""

from __future__ import annotations

import numpy as np

from simulation.generators.contended import HOUR_S, submissions
from simulation.generators.experiments import ALL_MADE_UP, NODE_GPUS, cluster, recurring
from simulation.hardware import Cluster, Pool
from simulation.rate_profile import Iteration, RateProfile
from simulation.scenario import JobTable, Scenario, Workload

GIB = 2**30
GPU_MEMORY_BYTES = 24 * GIB
BOTTLENECK = 0.7  # of an iteration on one of four resources, the rest evenly on the others


def profiled(rng: np.random.Generator, *, load: float, jobs: int = 400) -> Scenario:
    """As `recurring`; jobs of a name keep their GPUs equally busy, 10 to 90 %, in 2 to 14 of 24 GiB."""
    drawn = recurring(rng, load=load, nodes=4, jobs=jobs, days=2.0)
    table = drawn.workload.jobs
    assert table is not None
    assert table.name is not None
    profiles = [
        RateProfile(
            name=name,
            iteration=Iteration(compute_s=0.1),
            utilisation=float(rng.uniform(0.1, 0.9)),
            memory_bytes=float(rng.uniform(2, 14)) * GIB,
        )
        for name in sorted(set(table.name))
    ]
    pool = Pool(name="pool", gpu_model="GPU", nodes=5, gpus_per_node=NODE_GPUS, gpu_memory_bytes=GPU_MEMORY_BYTES)
    workload = Workload(jobs=table.model_copy(update={"profile": list(table.name)}), profiles=profiles)
    return drawn.model_copy(update={"cluster": Cluster(pools=[pool]), "workload": workload})


def bottlenecked(rng: np.random.Generator, *, load: float, jobs: int = 200, alike: bool = False) -> Scenario:
    """Jobs bound by storage, CPU, GPU or network, as many of each (`alike`: all by the GPU); a load that may exceed 1."""
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
