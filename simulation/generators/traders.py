"""Tenants whose jobs gain differently from fast GPUs, on a small made-up cluster of slow and fast ones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from simulation.generators.experiments import ALL_MADE_UP
from simulation.hardware import Cluster, Pool
from simulation.rate_profile import RatePoint, RateProfile
from simulation.scenario import JobTable, Scenario, Workload

HOUR_S = 3600.0
GAINS: Mapping[str, float] = {"low": 1.2, "middle": 2.0, "high": 5.0}  # rate on a fast GPU over that on a slow one


def unlike_gains(
    rng: np.random.Generator, *, gains: Mapping[str, float] = GAINS, gpus: int = 6, jobs: int = 10, busy_h: float = 3.0
) -> Scenario:
    """A tenant for each of `gains`, with `jobs` one-GPU jobs that come at once; `gpus` slow GPUs and as many fast ones.

    With an equal part of both kinds each tenant is busy for about `busy_h`. Run times are those on a slow GPU.
    """
    drawn = {tenant: float(gain * rng.lognormal(0.0, 0.1)) for tenant, gain in gains.items()}
    part = {tenant: gpus / len(gains) * (1.0 + gain) for tenant, gain in drawn.items()}  # slow GPUs that it is worth
    run_s = np.concatenate([busy_h * HOUR_S * part[tenant] / jobs * rng.lognormal(0.0, 0.3, jobs) for tenant in gains])
    tenants = [tenant for tenant in gains for _ in range(jobs)]
    return Scenario(
        cluster=Cluster(
            pools=[
                Pool(name=kind, gpu_model=kind, nodes=1, gpus_per_node=gpus, speed=speed)
                for kind, speed in (("slow", 1.0), ("fast", 2.0))
            ]
        ),
        workload=Workload(
            jobs=JobTable(
                id=[f"{tenant}-{i % jobs}" for i, tenant in enumerate(tenants)],
                submit_s=[0.0] * len(tenants),
                duration_s=run_s.tolist(),
                gpus=[1] * len(tenants),
                tenant=tenants,
                profile=tenants,
            ),
            profiles=[_profile(tenant, gain) for tenant, gain in drawn.items()],
        ),
        origins=ALL_MADE_UP,
    )


def _profile(name: str, gain: float) -> RateProfile:
    points = [RatePoint(gpu_model=model, gpus=1, rate=rate) for model, rate in (("slow", 1.0), ("fast", gain))]
    return RateProfile(name=name, reference_model="slow", points=points)
