"""Small made-up workloads of jobs that CPU cores and host memory feed; each draw is one replication."""

from __future__ import annotations

import numpy as np

from simulation.generators.contended import HOUR_S, submissions
from simulation.generators.experiments import ALL_MADE_UP, NODE_GPUS
from simulation.hardware import Cluster, Pool
from simulation.rate_profile import InputPoint, Iteration, RateProfile
from simulation.scenario import JobTable, Scenario, Workload

CORES, MEMORY_BYTES = 24, 500_000_000_000  # of a node with 8 GPUs
LITTLE_BYTES, FAIR_BYTES = 20.83e9, 62.5e9

# relative throughput on one V100 by cores, with a fair share of memory and more: models module of Synergy's repository
RESNET18 = {1: 0.37, 2: 0.72, 3: 1.0, 4: 1.3, 5: 1.53, 6: 1.75, 9: 2.4}
RESNET18_SHORT_OF_MEMORY = 0.1


def hungry_and_modest(
    rng: np.random.Generator, *, load: float, hungry: float = 0.5, nodes: int = 4, jobs: int = 400
) -> Scenario:
    """One-GPU jobs, a part of them `hungry` for cores like ResNet-18, the others content with few like BERT.

    load: with a proportional share of cores and memory for everyone.
    """
    duration_s = rng.lognormal(np.log(HOUR_S), 1.0, jobs)
    pool = Pool(
        name="pool", gpu_model="GPU", nodes=nodes, gpus_per_node=NODE_GPUS, cores_per_node=CORES,
        memory_per_node_bytes=MEMORY_BYTES,
    )  # fmt: skip
    wants = np.where(rng.random(jobs) < hungry, "hungry", "modest")
    return Scenario(
        cluster=Cluster(pools=[pool]),
        workload=Workload(
            jobs=JobTable(
                id=[f"job-{i}" for i in range(jobs)],
                submit_s=submissions(rng, duration_s, load, pool.gpus).tolist(),
                duration_s=duration_s.tolist(),
                gpus=[1] * jobs,
                profile=wants.tolist(),
            ),
            profiles=[_hungry(), _modest()],
        ),
        origins=ALL_MADE_UP,
    )


def _hungry() -> RateProfile:
    fed = [InputPoint(cores=c, memory_bytes=FAIR_BYTES, factor=speed) for c, speed in RESNET18.items()]
    short = InputPoint(cores=1, memory_bytes=LITTLE_BYTES, factor=RESNET18_SHORT_OF_MEMORY)
    return RateProfile(name="hungry", iteration=Iteration(compute_s=0.1), inputs=[*fed, short])


def _modest() -> RateProfile:
    enough = InputPoint(cores=1, memory_bytes=LITTLE_BYTES, factor=1.0)
    return RateProfile(name="modest", iteration=Iteration(compute_s=0.1), inputs=[enough])
