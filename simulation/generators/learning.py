"""Small made-up workloads of jobs whose loss ends them long before the iterations that their users asked for."""

from __future__ import annotations

import numpy as np

from simulation.generators.elastic import scaling_profiles, submissions
from simulation.generators.experiments import ALL_MADE_UP, cluster
from simulation.loss_curve import EarlyStop, LossCurve
from simulation.scenario import JobTable, Scenario, Workload

ITERATIONS = 200
GPUS = 2  # that every user asks for


def converging(
    rng: np.random.Generator, *, load: float, nodes: int = 4, gpus_per_node: int = 8, jobs: int = 40,
    noise: float = 0.01, ends: tuple[float, float] = (0.1, 0.9), iteration_s: float = 60.0,
) -> Scenario:  # fmt: skip
    """Jobs of 2 GPUs that take 1 to 16, scale well or badly, and reach their target within `ends` of their iterations.

    load: GPU-time with 2 GPUs up to the target over what there is; iteration_s: the median, with 2 GPUs.
    """
    profiles = scaling_profiles()
    machine = cluster(nodes, gpus_per_node)
    part = rng.uniform(*ends, jobs)
    curves = [_curve(f"curve-{i}", rng, float(p), noise) for i, p in enumerate(part)]
    duration_s = ITERATIONS * iteration_s * rng.lognormal(0.0, 0.5, jobs)
    table = JobTable(
        id=[f"job-{i}" for i in range(jobs)],
        submit_s=submissions(rng, GPUS * float(part @ duration_s), load, machine.gpus, jobs).tolist(),
        duration_s=duration_s.tolist(),
        gpus=[GPUS] * jobs,
        gpus_min=[1] * jobs,
        gpus_max=[16] * jobs,
        tenant=[f"tenant-{i}" for i in rng.integers(0, 4, jobs)],
        profile=[profiles[k].name for k in rng.integers(0, len(profiles), jobs)],
        loss=[curve.name for curve in curves],
    )
    workload = Workload(jobs=table, profiles=profiles, losses=curves)
    return Scenario(cluster=machine, workload=workload, origins=ALL_MADE_UP)


def _curve(name: str, rng: np.random.Generator, ends: float, noise: float) -> LossCurve:
    """1 / (a x + b) + c, from a loss of about 2; the target is where it is after `ends` of the iterations."""
    parameters = {"a": float(rng.uniform(0.03, 0.2)), "b": 0.5, "c": float(rng.uniform(0.05, 0.3))}
    target = 1.0 / (parameters["a"] * ends * ITERATIONS + parameters["b"]) + parameters["c"]
    return LossCurve(
        name=name, family="inverse", parameters=parameters, iterations=ITERATIONS, noise=noise,
        seed=int(rng.integers(2**31)), stop=EarlyStop(target=target),
    )  # fmt: skip
