"""A small made-up market of rented GPUs whose prices change from day to day, and jobs that may go anywhere in it."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from simulation.generators.experiments import ALL_MADE_UP
from simulation.generators.jobs import DAY_S
from simulation.hardware import Cluster, Interruptions, Pool
from simulation.rate_profile import RatePoint, RateProfile
from simulation.scenario import JobTable, Overheads, PriceLine, Prices, PriceStep, Scenario, Workload

HOUR_S = 3600.0
DAYS = 30
ROOM = 8  # nodes of a pool

# USD per GPU-hour on demand, early 2020: training_on_a_dime repository
ON_DEMAND = {"K80": Decimal("0.52"), "P100": Decimal("1.68"), "V100": Decimal("2.85")}
SPEED = {"little": {"K80": 1.0, "P100": 1.8, "V100": 2.5}, "much": {"K80": 1.0, "P100": 4.0, "V100": 10.0}}

# spot price over that on demand, day by day and again, of each type in two zones: made up so that the order changes
SPOT: dict[str, tuple[str, tuple[float, ...]]] = {
    "a-k80": ("K80", (0.30, 0.30, 0.95, 0.95, 0.60)),
    "a-p100": ("P100", (0.90, 0.35, 0.30, 0.80)),
    "a-v100": ("V100", (0.40, 0.90, 0.90, 0.30, 0.35, 0.80, 0.90)),
    "b-k80": ("K80", (0.70, 0.95, 0.35, 0.40, 0.90, 0.30)),
    "b-p100": ("P100", (0.40, 0.85, 0.90, 0.90, 0.30)),
    "b-v100": ("V100", (0.85, 0.35, 0.80, 0.90, 0.90, 0.30)),
}


def price_sheet(moving: bool = True) -> Prices:
    """Prices of the whole market; not `moving`: as on the first day, for ever."""
    lines = [PriceLine(pool=f"demand-{model.lower()}", usd_per_gpu_h=usd) for model, usd in ON_DEMAND.items()]
    for pool, (model, shares) in SPOT.items():
        daily = [(ON_DEMAND[model] * Decimal(str(shares[day % len(shares)]))) for day in range(DAYS if moving else 1)]
        steps = [PriceStep(start_s=day * DAY_S, usd_per_gpu_h=usd) for day, usd in enumerate(daily) if day]
        lines.append(PriceLine(pool=pool, usd_per_gpu_h=daily[0], steps=steps))
    return Prices(lines=lines)


def renters(rng: np.random.Generator, *, moving: bool = True, jobs: int = 8) -> Scenario:
    """One-GPU jobs of 1 to 5 days on a V100, of models that gain little or much from newer GPUs, over 10 days."""
    gain = rng.choice(list(SPEED), jobs)
    return Scenario(
        cluster=Cluster(pools=[*(_demand(model) for model in ON_DEMAND), *(_spot(pool) for pool in SPOT)]),
        prices=price_sheet(moving),
        workload=Workload(
            jobs=JobTable(
                id=[f"job-{i}" for i in range(jobs)],
                submit_s=np.sort(rng.uniform(0.0, 10 * DAY_S, jobs)).tolist(),
                duration_s=rng.uniform(DAY_S, 5 * DAY_S, jobs).tolist(),
                gpus=[1] * jobs,
                profile=gain.tolist(),
            ),
            profiles=[_gains(name) for name in SPEED],
        ),
        overheads=Overheads(checkpoint_interval_s=HOUR_S / 2, checkpoint_s=10.0, restart_s=300.0),
        origins=ALL_MADE_UP,
    )


def _demand(model: str) -> Pool:
    return Pool(
        name=f"demand-{model.lower()}", gpu_model=model, nodes=ROOM, gpus_per_node=1, purchase="on-demand",
        speed=SPEED["much"][model],
    )  # fmt: skip


def _spot(pool: str) -> Pool:
    """Reclaimed once in 20 hours on average, and there again after half an hour."""
    model, _ = SPOT[pool]
    return Pool(
        name=pool, gpu_model=model, nodes=ROOM, gpus_per_node=1, purchase="spot", speed=SPEED["much"][model],
        interruptions=Interruptions(mean_up_s=20 * HOUR_S, mean_down_s=HOUR_S / 2),
    )  # fmt: skip


def _gains(name: str) -> RateProfile:
    points = [RatePoint(gpu_model=model, gpus=1, level="island", rate=rate) for model, rate in SPEED[name].items()]
    return RateProfile(name=name, reference_model="V100", points=points)
