"""Random scenarios in which every feature of the world may occur; each is determined by a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulation.hardware import Interruptions, Links, NodeChange
from simulation.loss_curve import EarlyStop, LossCurve
from simulation.rate_profile import Goodput, InputPoint, Iteration, NoiseStep, RatePoint, RateProfile
from simulation.scenario import Choice, Cluster, JobTable, Overheads, Pool, Scenario, Workload
from simulation.systems.registry import SYSTEMS

TRAINING = tuple(slug for slug, system in SYSTEMS.items() if system.workload == "training")
GIB = 2**30


def points(*rows: tuple[str, int, float]) -> list[RatePoint]:
    return [RatePoint(gpu_model=model, gpus=gpus, rate=rate) for model, gpus, rate in rows]


PROFILES = [
    RateProfile(
        name="measured",
        reference_model="V100",
        points=points(("V100", 1, 5.0), ("V100", 4, 16.0), ("V100", 8, 22.0), ("A100", 1, 9.0), ("A100", 8, 50.0)),
        utilisation=0.45,
        stages_s=(0.1, 0.2, 0.5, 0.1),
    ),
    RateProfile(
        name="reducing",
        iteration=Iteration(compute_s=0.5, gradient_bytes=4e8, overlap=2.0),
        clock_sensitivity=0.7,
        utilisation=0.9,
        memory_bytes=14.0 * GIB,
        inputs=[InputPoint(cores=1, factor=0.5), InputPoint(cores=3, factor=1.0), InputPoint(cores=6, factor=1.1)],
    ),
    RateProfile(
        name="adaptive",
        goodput=Goodput(
            alpha_c_s=0.05, beta_c_s=4e-3, alpha_node_s=0.02, beta_node_s=0.002, alpha_network_s=0.08, batch=32,
            batch_max=512, batch_gpu_max=64, gamma=2.0,
            noise=[NoiseStep(progress=0, phi=1), NoiseStep(progress=0.4, phi=5), NoiseStep(progress=0.8, phi=20)],
        ),
    ),
]  # fmt: skip


CURVES = [
    LossCurve(
        name="to a target", family="inverse", parameters={"a": 0.1, "b": 0.4, "c": 0.2}, iterations=60, noise=0.02,
        stop=EarlyStop(target=0.5),
    ),
    LossCurve(
        name="to a halt", family="exponential", parameters={"a": 2.0, "b": 0.2, "c": 0.3}, iterations=50, noise=0.01,
        seed=3, stop=EarlyStop(patience=8, least_gain=0.005),
    ),
    LossCurve(name="to the end", family="power", parameters={"a": 1.0, "alpha": 0.5, "c": 0.1}, iterations=40),
]  # fmt: skip


def drawn(seed: int, system: str, **changes: Any) -> Scenario:
    """One scenario of a training system; `changes` replace its parts."""
    rng = np.random.default_rng(seed)
    pools = [_pool(rng, "a", "V100", 1.0, 16), *([_pool(rng, "b", "A100", 2.0, 40)] if rng.random() < 0.5 else [])]
    profiles = PROFILES if rng.random() < 0.7 else []
    jobs = _jobs(rng, int(rng.integers(4, 30)), sum(pool.gpus for pool in pools), [p.name for p in profiles])
    losses = CURVES if (choice := np.random.default_rng([seed, 1])).random() < 0.4 else []
    if losses:
        names = [None, *(curve.name for curve in losses)]
        jobs = jobs.model_copy(update={"loss": choice.choice(names, len(jobs)).tolist()})
    nodes = pools[0].nodes
    recorded = [
        NodeChange(at_s=900.0, pool="a", nodes=1, up=False),
        NodeChange(at_s=1500.0, pool="a", nodes=1, up=True),
    ]
    given: dict[str, Any] = {
        "cluster": Cluster(pools=pools, changes=recorded if nodes > 1 and rng.random() < 0.3 else []),
        "workload": Workload(jobs=jobs, profiles=profiles, losses=losses),
        "training": Choice(system=system),
        "overheads": _overheads(rng),
        "horizon_s": 3000.0 if rng.random() < 0.4 else None,
    }
    return Scenario(**(given | changes))


def _pool(rng: np.random.Generator, name: str, model: str, speed: float, gib: int) -> Pool:
    links = Links(island_gb_s=100.0, network_gb_s=3.0) if rng.random() < 0.6 else Links()
    failing = Interruptions(mean_up_s=8000.0, mean_down_s=300.0, notice_s=float(rng.choice([0.0, 60.0])))
    return Pool(
        name=name, gpu_model=model, nodes=int(rng.integers(1, 4)), gpus_per_node=int(rng.choice([4, 8])), speed=speed,
        gpu_memory_bytes=gib * GIB, cores_per_node=24, memory_per_node_bytes=200 * GIB, links=links, boot_s=60.0,
        interruptions=failing if rng.random() < 0.4 else None, idle_w=60.0, peak_w=300.0,
    )  # fmt: skip


def _overheads(rng: np.random.Generator) -> Overheads:
    if rng.random() < 0.4:
        return Overheads(checkpoint_interval_s=200.0)
    return Overheads(start_s=5, checkpoint_s=3, restart_s=7, resize_s=2, checkpoint_interval_s=200.0)


def _jobs(rng: np.random.Generator, n: int, cluster_gpus: int, profiles: list[str]) -> JobTable:
    gpus = np.minimum(rng.choice([1, 1, 2, 2, 4, 8], n), cluster_gpus)
    duration_s = np.round(rng.lognormal(5.3, 0.9, n), 3)
    submit_s = np.round(np.cumsum(rng.exponential(60.0, n)) - 1.0, 3).clip(min=0.0)
    elastic = rng.random(n) < 0.4
    columns: dict[str, Any] = {
        "tenant": [f"t{k}" for k in rng.integers(0, 3, n)],
        "user": [f"u{k}" for k in rng.integers(0, 5, n)],
        "name": [f"n{k}" for k in rng.integers(0, 6, n)],
        "gpus_min": np.where(elastic, 1, gpus).tolist(),
        "gpus_max": np.where(elastic, np.minimum(2 * gpus, cluster_gpus), gpus).tolist(),
        "estimate_s": (duration_s * rng.uniform(0.5, 3.0, n)).tolist(),
        "deadline_s": [float(due) if rng.random() < 0.5 else None for due in submit_s + 4 * duration_s],
        "preemptible": (rng.random(n) < 0.9).tolist(),
        "fate": rng.choice(["completed", "completed", "failed", "killed"], n).tolist(),
    }
    if profiles:
        columns["profile"] = rng.choice([None, *profiles], n).tolist()
    return JobTable(
        id=[f"j{i}" for i in range(n)], submit_s=submit_s.tolist(), duration_s=duration_s.tolist(), gpus=gpus.tolist(),
        **columns,
    )  # fmt: skip
