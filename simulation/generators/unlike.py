"""Small made-up clusters of unlike GPUs: how much faster the better ones are depends on what is trained."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from simulation.generators.experiments import ALL_MADE_UP
from simulation.hardware import Cluster, Pool
from simulation.rate_profile import RatePoint, RateProfile
from simulation.scenario import JobTable, Scenario, Workload

HOUR_S = 3600.0
MODELS = ("K80", "P100", "V100")
STEPS_PER_S: Mapping[str, tuple[float, float, float]] = {
    "ResNet-50": (0.62, 2.62, 4.39),
    "ResNet-18": (7.05, 22.3, 24.1),
    "Transformer": (1.75, 5.09, 8.62),
    "language model": (17.1, 58.2, 64.7),
    "CycleGAN": (0.50, 2.40, 4.43),
    "A3C": (3.44, 5.68, 7.18),
    "recommendation": (10.4, 16.6, 7.5),
}
"""Steps a second on one GPU of each of MODELS (Gavel, OSDI 2020: throughputs of its artifact)."""


def unlike_gpus(
    rng: np.random.Generator, *, load: float, jobs: int, gpus: int = 4, median_h: float = 2.0, sigma: float = 1.0
) -> Scenario:
    """One-GPU jobs of seven kinds on `gpus` GPUs of each model, evenly over time; rates are known, so speeds only rank.

    load: work that the jobs bring over what all GPUs can do, each kind taken at its mean rate over the models.
    median_h, sigma: of the lognormal run time on a V100.
    """
    kinds = list(STEPS_PER_S)
    kind = rng.integers(0, len(kinds), jobs)
    duration_s = rng.lognormal(np.log(median_h * HOUR_S), sigma, jobs)
    steps = np.array(list(STEPS_PER_S.values()))
    paces = steps / steps[:, 2:]  # of a V100's
    pace = paces.mean(axis=1)
    span_s = float((duration_s / pace[kind]).sum()) / (load * gpus * len(MODELS))
    return Scenario(
        cluster=Cluster(
            pools=[
                Pool(name=model, gpu_model=model, nodes=1, gpus_per_node=gpus, speed=speed)
                for model, speed in zip(MODELS, paces.mean(axis=0).tolist(), strict=True)
            ]
        ),
        workload=Workload(
            jobs=JobTable(
                id=[f"job-{i}" for i in range(jobs)],
                submit_s=np.sort(rng.uniform(0.0, span_s, jobs)).tolist(),
                duration_s=duration_s.tolist(),
                gpus=[1] * jobs,
                profile=[kinds[k] for k in kind.tolist()],
            ),
            profiles=[_profile(name, rates) for name, rates in STEPS_PER_S.items()],
        ),
        origins=ALL_MADE_UP,
    )


def _profile(name: str, rates: tuple[float, float, float]) -> RateProfile:
    points = [RatePoint(gpu_model=model, gpus=1, rate=rate) for model, rate in zip(MODELS, rates, strict=True)]
    return RateProfile(name=name, reference_model="V100", points=points)
