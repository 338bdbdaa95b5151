"""A small made-up cluster on which gangs of several nodes share network ports; each draw is one replication."""

from __future__ import annotations

import numpy as np

from simulation.generators.contended import HOUR_S, submissions
from simulation.generators.experiments import ALL_MADE_UP
from simulation.hardware import Cluster, Links, Pool
from simulation.rate_profile import Iteration, RateProfile
from simulation.scenario import JobTable, Scenario, Workload

LINKS = Links(island_gb_s=120.0, network_gb_s=5.9)  # NVLink of V100; one port of 50 Gb/s a node
ITERATIONS_S = (0.2, 0.4, 0.8)


def across_nodes(
    rng: np.random.Generator, *, load: float, jobs: int = 120, nodes: int = 12, gpus_per_node: int = 2, models: int = 12
) -> Scenario:
    """Gangs of 3 and 5 GPUs on nodes of 2, so that they cannot but share ports.

    An iteration across nodes takes 0.2, 0.4 or 0.8 s, for 30 to 50 % of which it communicates. load: as if all gangs
    were close together and alone.
    """
    gang = rng.choice([3, 5], jobs)
    duration_s = rng.lognormal(np.log(HOUR_S / 2), 0.8, jobs)
    model = rng.integers(0, models, jobs)
    lengths, parts = rng.choice(ITERATIONS_S, models), rng.uniform(0.3, 0.5, models)
    profiles = {
        (m, g): _talking(f"model-{m} on {g}", float(lengths[m]), float(parts[m]), g)
        for m, g in sorted(set(zip(model.tolist(), gang.tolist(), strict=True)))
    }
    pool = Pool(name="pool", gpu_model="GPU", nodes=nodes, gpus_per_node=gpus_per_node, links=LINKS)
    return Scenario(
        cluster=Cluster(pools=[pool]),
        workload=Workload(
            jobs=JobTable(
                id=[f"job-{i}" for i in range(jobs)],
                submit_s=submissions(rng, gang * duration_s, load, pool.gpus).tolist(),
                duration_s=duration_s.tolist(),
                gpus=gang.tolist(),
                profile=[profiles[m, g].name for m, g in zip(model.tolist(), gang.tolist(), strict=True)],
            ),
            profiles=list(profiles.values()),
        ),
        origins=ALL_MADE_UP,
    )


def _talking(name: str, iteration_s: float, part: float, gang: int) -> RateProfile:
    """Nothing is hidden. A ring moves 2 (n - 1) / n of the gradients; its latencies, below 1 ms, come on top."""
    assert LINKS.network_gb_s is not None
    reduced = part * iteration_s * LINKS.network_gb_s * 1e9 * gang / (2 * (gang - 1))
    model = Iteration(compute_s=(1 - part) * iteration_s * gang, gradient_bytes=reduced, overlap=1.0)
    return RateProfile(name=name, iteration=model)
