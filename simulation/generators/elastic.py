"""Small made-up workloads of jobs that can run with more or fewer GPUs; each draw is one replication."""

from __future__ import annotations

import numpy as np

from simulation.generators.experiments import ALL_MADE_UP, cluster
from simulation.rate_profile import Goodput, Iteration, NoiseStep, RatePoint, RateProfile
from simulation.records import Floats
from simulation.scenario import Cluster, JobTable, Scenario, Workload

HOUR_S = 3600.0

# Rates with 1, 2, 4, 8, 16 GPUs of V100 over that with one: the shapes of measured tables, from near-linear to poor
SCALING: dict[str, tuple[float, ...]] = {
    "scales well": (1.0, 1.9, 3.6, 6.6, 11.0),
    "scales fairly": (1.0, 1.7, 2.8, 4.2, 5.5),
    "scales badly": (1.0, 1.5, 2.0, 2.4, 2.6),
}


def goodput_profiles() -> list[RateProfile]:
    """Three models whose gradient noise grows tenfold and more during training."""
    shapes = {
        "image model": (0.02, 6e-4, 0.01, 0.03, 128, 4096, 512, (1.0, 5.0, 20.0, 60.0)),
        "language model": (0.10, 8e-3, 0.06, 0.20, 12, 384, 12, (2.0, 6.0, 15.0, 40.0)),
        "speech model": (0.05, 4e-3, 0.02, 0.08, 32, 512, 64, (0.5, 2.0, 6.0, 12.0)),
    }
    return [
        RateProfile(
            name=name,
            goodput=Goodput(
                alpha_c_s=alpha, beta_c_s=beta, alpha_node_s=node, beta_node_s=node / 10, alpha_network_s=network,
                beta_network_s=network / 10, gamma=2.0, batch=batch, batch_max=most, batch_gpu_max=gpu,
                noise=[NoiseStep(progress=i / 4, phi=phi) for i, phi in enumerate(noise)],
            ),
        )
        for name, (alpha, beta, node, network, batch, most, gpu, noise) in shapes.items()
    ]  # fmt: skip


def adaptive(
    rng: np.random.Generator, *, load: float, nodes: int = 4, gpus_per_node: int = 4, jobs: int = 60
) -> Scenario:
    """Jobs of goodput profiles whose users fixed a number of GPUs, 1 to 4, without looking; any number would do."""
    profiles = goodput_profiles()
    machine = cluster(nodes, gpus_per_node)
    gpus = rng.choice([1, 2, 4], jobs)
    duration_s = rng.lognormal(np.log(1200.0), 0.9, jobs)
    submit_s = submissions(rng, float(np.dot(gpus, duration_s)), load, machine.gpus, jobs)
    table = JobTable(
        id=[f"job-{i}" for i in range(jobs)],
        submit_s=submit_s.tolist(),
        duration_s=duration_s.tolist(),
        gpus=gpus.tolist(),
        gpus_min=[1] * jobs,
        gpus_max=[machine.gpus] * jobs,
        tenant=[f"tenant-{i}" for i in rng.integers(0, 4, jobs)],
        profile=[profiles[k].name for k in rng.integers(0, len(profiles), jobs)],
    )
    return Scenario(cluster=machine, workload=Workload(jobs=table, profiles=profiles), origins=ALL_MADE_UP)


def deadlines(
    rng: np.random.Generator, *, load: float, nodes: int = 4, gpus_per_node: int = 8, jobs: int = 60,
    slack: tuple[float, float] = (1.2, 6.0), share: float = 1.0, linear: bool = False,
) -> Scenario:  # fmt: skip
    """Jobs that ask for 8 GPUs, take 1 to 8, and are due within `slack` times their time with 8.

    share: of jobs that have a deadline; load: GPU-time with 8 GPUs over what there is.
    """
    profiles = scaling_profiles(linear)
    machine = cluster(nodes, gpus_per_node)
    duration_s = rng.lognormal(np.log(1800.0), 0.8, jobs)
    submit_s = submissions(rng, 8 * float(duration_s.sum()), load, machine.gpus, jobs)
    due_s = submit_s + duration_s * rng.uniform(*slack, jobs)
    given = rng.random(jobs) < share
    table = JobTable(
        id=[f"job-{i}" for i in range(jobs)],
        submit_s=submit_s.tolist(),
        duration_s=duration_s.tolist(),
        gpus=[8] * jobs,
        gpus_min=[1] * jobs,
        gpus_max=[8] * jobs,
        deadline_s=[float(d) if known else None for d, known in zip(due_s, given, strict=True)],
        profile=[profiles[k].name for k in rng.integers(0, len(profiles), jobs)],
    )
    return Scenario(cluster=machine, workload=Workload(jobs=table, profiles=profiles), origins=ALL_MADE_UP)


def guaranteed_and_best_effort(
    rng: np.random.Generator, *, load: float, nodes: int = 4, gpus_per_node: int = 8, jobs: int = 120,
    share: float = 0.8, slack: tuple[float, float] = (1.2, 4.0),
) -> Scenario:  # fmt: skip
    """Rigid gangs of 1 to 8; a `share` of the jobs is due within `slack` times their run time."""
    machine = cluster(nodes, gpus_per_node)
    gpus = rng.choice([1, 2, 4, 8], jobs)
    duration_s = rng.lognormal(np.log(4000.0), 0.6, jobs)
    submit_s = submissions(rng, float(np.dot(gpus, duration_s)), load, machine.gpus, jobs)
    due_s = submit_s + duration_s * rng.uniform(*slack, jobs)
    guaranteed = rng.random(jobs) < share
    table = JobTable(
        id=[f"job-{i}" for i in range(jobs)],
        submit_s=submit_s.tolist(),
        duration_s=duration_s.tolist(),
        gpus=gpus.tolist(),
        deadline_s=[float(due) if given else None for due, given in zip(due_s, guaranteed, strict=True)],
    )
    return Scenario(cluster=machine, workload=Workload(jobs=table), origins=ALL_MADE_UP)


def metered(
    rng: np.random.Generator, *, load: float, nodes: int = 4, gpus_per_node: int = 8, jobs: int = 60
) -> Scenario:
    """Jobs that ask for 1 to 8 GPUs and would take 1 to 16, from compute-bound to memory-bound; power is known."""
    pool = cluster(nodes, gpus_per_node).pools[0].model_copy(update={"idle_w": 80.0, "peak_w": 300.0})
    profiles = [
        RateProfile(
            name=f"{name} model, {bound}",
            iteration=Iteration(compute_s=0.2, gradient_bytes=size, overlap=1.0),
            clock_sensitivity=sensitivity,
        )
        for name, size in (("small", 1e8), ("large", 6e8))
        for bound, sensitivity in (("compute-bound", 1.0), ("balanced", 0.5), ("memory-bound", 0.1))
    ]
    gpus = rng.choice([1, 2, 4, 8], jobs)
    duration_s = rng.lognormal(np.log(1800.0), 0.9, jobs)
    submit_s = submissions(rng, float(np.dot(gpus, duration_s)), load, pool.gpus, jobs)
    table = JobTable(
        id=[f"job-{i}" for i in range(jobs)],
        submit_s=submit_s.tolist(),
        duration_s=duration_s.tolist(),
        gpus=gpus.tolist(),
        gpus_min=[1] * jobs,
        gpus_max=[16] * jobs,
        profile=[profiles[k].name for k in rng.integers(0, len(profiles), jobs)],
    )
    return Scenario(
        cluster=Cluster(pools=[pool]), workload=Workload(jobs=table, profiles=profiles), origins=ALL_MADE_UP
    )


def scaling_profiles(linear: bool = False) -> list[RateProfile]:
    """The shapes of `SCALING`, measured with 1 to 16 GPUs; linear: all of them with perfect scaling."""
    counts = (1, 2, 4, 8, 16)
    return [
        RateProfile(
            name=name, reference_model="GPU",
            points=[
                RatePoint(gpu_model="GPU", gpus=n, rate=float(n) if linear else rate)
                for n, rate in zip(counts, rates, strict=True)
            ],
        )
        for name, rates in SCALING.items()
    ]  # fmt: skip


def submissions(rng: np.random.Generator, work_gpu_s: float, load: float, gpus: int, jobs: int) -> Floats:
    """Whole seconds, spread evenly over the time in which the work makes up an offered load of `load`."""
    span_s = work_gpu_s / (load * gpus)
    return np.floor(np.sort(rng.uniform(0.0, span_s, jobs)))
