"""The illustrative example: a small mixed cluster, two weeks of training jobs and one inference service.

Made up in order to try the planner out; nothing in it was measured. Hardware figures follow the catalogue where it
knows them, and what it does not know (idle power of the A100, prices) is invented and marked illustrative.
"""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from simulation.generators.jobs import DAY_S, JobMix, at_load, synthetic_jobs
from simulation.provenance import Origin
from simulation.scenario import (
    Cluster,
    JobTable,
    Origins,
    Overheads,
    Phase,
    Pool,
    PriceLine,
    Prices,
    Requests,
    Sampling,
    Scenario,
    Service,
    Slo,
    Workload,
)

DAYS = 14
SEED = 20_260_504
LOAD = 0.85  # of the training share of the middle cluster, in reference (A100) GPU time
H100_SPEED = 2.0  # against the A100: illustrative
A100_NODES = (5, 6, 8)  # the three sizes that the example study compares
SERVING_GPUS = 8  # H100, held by the service at its start
SOURCE = "illustrative example, generated with seed 20260504"

MIX = JobMix(
    jobs_per_day=125,
    days=DAYS,
    gangs={1: 0.50, 2: 0.15, 4: 0.15, 8: 0.15, 16: 0.05},
    median_s=5_400.0,
    mean_s=18_000.0,
    longest_s=2 * DAY_S,
    tenants={"vision": 0.45, "language": 0.35, "speech": 0.20},
    deadline_share=0.15,
)

QUOTAS = {"vision": 0.40, "language": 0.40, "speech": 0.20}


def cluster(a100_nodes: int = A100_NODES[1]) -> Cluster:
    """`a100_nodes` owned nodes of 8 A100 and 3 reserved nodes of 8 H100; speeds relative to the A100."""
    return Cluster(
        name=f"example with {a100_nodes} A100 nodes",
        pue=1.3,
        pools=[
            Pool(
                name="a100",
                gpu_model="A100-SXM4-80GB",
                nodes=a100_nodes,
                gpus_per_node=8,
                gpu_memory_bytes=80 * 10**9,
                idle_w=60.0,
                peak_w=400.0,
                node_overhead_w=900.0,
                purchase="owned",
            ),
            Pool(
                name="h100",
                gpu_model="H100-SXM5-80GB",
                nodes=3,
                gpus_per_node=8,
                speed=H100_SPEED,
                gpu_memory_bytes=80 * 10**9,
                idle_w=70.0,
                peak_w=700.0,
                node_overhead_w=1200.0,
                purchase="reserved",
            ),
        ],
    )


def prices() -> Prices:
    """Invented prices: owned A100 at their cost of capital, reserved H100, electricity and a grid's mean intensity."""
    return Prices(
        lines=[
            PriceLine(pool="a100", purchase="owned", usd_per_gpu_h=Decimal("1.40")),
            PriceLine(pool="h100", purchase="reserved", usd_per_gpu_h=Decimal("3.10")),
        ],
        electricity_usd_per_kwh=Decimal("0.18"),
        carbon_g_per_kwh=350.0,
    )


def training_jobs(seed: int = SEED) -> JobTable:
    """About 1,500 jobs of three teams over two weeks, scaled to the example's load."""
    reference_gpus = A100_NODES[1] * 8 + round((3 * 8 - SERVING_GPUS) * H100_SPEED)
    jobs = synthetic_jobs(MIX, np.random.default_rng(seed))
    return at_load(jobs, LOAD, reference_gpus, DAYS * DAY_S)


def request_phases() -> list[Phase]:
    """One phase an hour: busiest at 14:00, a fifth of that at night, less at weekends; requests/s."""
    return [Phase(start_s=hour * 3600.0, rate_per_s=_hourly_rate(hour)) for hour in range(DAYS * 24)]


def _hourly_rate(hour: int) -> float:
    daily = 0.6 + 0.4 * math.cos((hour % 24 - 14) * 2 * math.pi / 24)
    return round(0.5 * daily * (0.6 if hour // 24 % 7 >= 5 else 1.0), 6)


def service() -> Service:
    """A text generator on 4 H100 a replica: 8 s for a batch of 8, so at most one request a second each."""
    return Service(
        name="assistant",
        tenant="serving",
        gpus_per_replica=4,
        replicas=2,
        replicas_min=1,
        replicas_max=4,
        batch_max=8,
        timeout_s=1.0,
        alpha_s=4.0,
        beta_s=0.5,
        slo_s=20.0,
        load_s=90.0,
        gpu_models=["H100-SXM5-80GB"],
        requests=Requests(phases=request_phases(), process="poisson", end_s=DAYS * DAY_S),
    )


def workload(seed: int = SEED) -> Workload:
    return Workload(jobs=training_jobs(seed), services=[service()])


def scenario() -> Scenario:
    """The base scenario of the example study; its replications resample the jobs of each day."""
    return Scenario(
        name="Illustrative example",
        cluster=cluster(),
        prices=prices(),
        workload=workload(),
        quotas=QUOTAS,
        overheads=Overheads(start_s=30.0, checkpoint_s=60.0, restart_s=120.0, resize_s=60.0),
        sampling=Sampling(mode="resampled"),
        slos=[Slo(metric="wait_p95_s", limit=12 * 3600.0), Slo(metric="slo_attainment", limit=0.95)],
        origins=Origins(
            workload=Origin.ILLUSTRATIVE,
            cluster=Origin.ILLUSTRATIVE,
            prices=Origin.ILLUSTRATIVE,
            power=Origin.ILLUSTRATIVE,
            carbon=Origin.ILLUSTRATIVE,
        ),
        sources=dict.fromkeys(("workload", "cluster", "prices", "power", "carbon"), SOURCE),
    )
