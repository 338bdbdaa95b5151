"""Small made-up clusters on which gangs contend for whole nodes; each draw is one replication."""

from __future__ import annotations

import numpy as np

from simulation.generators.experiments import ALL_MADE_UP, NODE_GPUS, cluster
from simulation.hardware import Cluster, Links, Pool
from simulation.rate_profile import RatePoint, RateProfile
from simulation.records import Floats, Ints
from simulation.scenario import JobTable, Overheads, Scenario, Workload

HOUR_S = 3600.0
SPREAD_RATE = {"island": 1.0, "node": 1.0, "rack": 0.9, "cluster": 0.8}  # inside the ranges measured on 10 to 25 Gb/s


def submissions(rng: np.random.Generator, work_gpu_s: Floats, load: float, gpus: int) -> Floats:
    """Instants evenly over as long as `gpus` need for the work at an offered load."""
    return np.sort(rng.uniform(0.0, float(work_gpu_s.sum()) / (load * gpus), len(work_gpu_s)))


def parts_and_wholes(rng: np.random.Generator, *, nodes: int = 4, small: int = 300, wide: int = 40) -> Scenario:
    """Tenant `a` keeps its half of the cluster busy with parts of nodes; `b` sends gangs of one and two whole nodes."""
    half = nodes * NODE_GPUS // 2
    small_gang = rng.choice([1, 2, 4], small, p=[0.4, 0.3, 0.3])
    small_s = rng.lognormal(np.log(HOUR_S), 0.8, small)
    small_at_s = submissions(rng, small_gang * small_s, 0.85, half)
    wide_gang = rng.choice([NODE_GPUS, 2 * NODE_GPUS], wide, p=[0.7, 0.3])
    wide_s = rng.lognormal(np.log(HOUR_S / 2), 0.8, wide)
    wide_at_s = np.sort(rng.uniform(0.0, float(small_at_s[-1]), wide))
    return Scenario(
        cluster=cluster(nodes),
        workload=Workload(
            jobs=JobTable(
                id=[f"a{i}" for i in range(small)] + [f"b{i}" for i in range(wide)],
                submit_s=[*small_at_s.tolist(), *wide_at_s.tolist()],
                duration_s=[*small_s.tolist(), *wide_s.tolist()],
                gpus=[*small_gang.tolist(), *wide_gang.tolist()],
                tenant=["a"] * small + ["b"] * wide,
            )
        ),
        origins=ALL_MADE_UP,
    )


def racks(rng: np.random.Generator, *, load: float, nodes: int = 8, rack_nodes: int = 2, jobs: int = 300) -> Scenario:
    """Gangs of 1 to 16 GPUs on four racks; a gang that is spread works more slowly."""
    gang = rng.choice([1, 2, 4, 8, 16], jobs, p=[0.5, 0.15, 0.15, 0.12, 0.08])
    duration_s = rng.lognormal(np.log(HOUR_S / 2), 1.0, jobs)
    pool = Pool(name="pool", gpu_model="GPU", nodes=nodes, gpus_per_node=NODE_GPUS, links=Links(rack_nodes=rack_nodes))
    return Scenario(
        cluster=Cluster(pools=[pool]),
        workload=Workload(
            jobs=JobTable(
                id=[f"job-{i}" for i in range(jobs)],
                submit_s=submissions(rng, gang * duration_s, load, nodes * NODE_GPUS).tolist(),
                duration_s=duration_s.tolist(),
                gpus=gang.tolist(),
                profile=["spread"] * jobs,
            ),
            profiles=[_spread(np.unique(gang))],
        ),
        overheads=Overheads(checkpoint_interval_s=HOUR_S / 6),
        origins=ALL_MADE_UP,
    )


def _spread(gangs: Ints) -> RateProfile:
    points = [
        RatePoint(gpu_model="GPU", gpus=gpus, level=level, rate=gpus * factor)
        for gpus in gangs.tolist()
        for level, factor in SPREAD_RATE.items()
    ]
    return RateProfile(name="spread", reference_model="GPU", points=points)
