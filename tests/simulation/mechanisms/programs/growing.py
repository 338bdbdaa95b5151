"""Jobs that grow about twice as fast in training, when their gradient noise allows larger batches."""

from __future__ import annotations

import numpy as np

from simulation.rate_profile import Goodput, NoiseStep, RateProfile
from simulation.scenario import Cluster, JobTable, Scenario, Workload
from tests.simulation.building import pool

GROWS_AT = (0.3, 0.4, 0.5, 0.6, 0.7)  # progress from which the larger batch pays


def growing_batches(seed: int, jobs: int, load: float, nodes: int = 2) -> Scenario:
    """Gangs of 1 to 4 on nodes of 8 GPUs; run times, about 2 h, include the growth."""
    rng = np.random.default_rng(seed)
    gang = rng.choice([1, 2, 4], jobs, p=[0.6, 0.25, 0.15])
    duration_s = rng.lognormal(np.log(7200.0), 0.8, jobs)
    span_s = float(gang @ duration_s) / (load * nodes * 8)
    profiles = [growing(at) for at in GROWS_AT]
    table = JobTable(
        id=[f"job-{i}" for i in range(jobs)],
        submit_s=np.sort(rng.uniform(0.0, span_s, jobs)).tolist(),
        duration_s=duration_s.tolist(),
        gpus=gang.tolist(),
        profile=[profiles[k].name for k in rng.integers(0, len(profiles), jobs)],
    )
    return Scenario(cluster=Cluster(pools=[pool(nodes, 8)]), workload=Workload(jobs=table, profiles=profiles))


def growing(at: float) -> RateProfile:
    noise = [NoiseStep(progress=0.0, phi=0.1), NoiseStep(progress=at, phi=8.0)]
    return RateProfile(
        name=f"grows at {at:.0%}",
        goodput=Goodput(
            alpha_c_s=0.1, beta_c_s=0.1 / 128, batch=32, batch_max=512, batch_gpu_max=512, noise=noise
        ),
    )  # fmt: skip
