"""The worked example (kind: illustrative): 8 GPUs, one service, two jobs, and what the engine must say exactly.

Job A takes 2 to 4 GPUs and 7,200 single-GPU seconds, and arrives at 0; job B takes exactly 2, and 1,800 single-GPU
seconds, and arrives at 600 s. The service answers batches of up to 8 in 80 ms and holds 4 GPUs, each good for 80
requests a second at the target utilisation. Scaling is linear.
"""

from __future__ import annotations

from typing import Any

from simulation.provenance import Origin
from simulation.scenario import (
    Choice,
    Cluster,
    JobTable,
    Origins,
    Overheads,
    Phase,
    Pool,
    Requests,
    Scenario,
    Service,
    Slo,
    Workload,
)

BATCH, EXECUTE_S, SLO_S = 8, 0.080, 0.200
SWITCHES: dict[str, tuple[bool, bool]] = {  # shrink for waiting jobs, regrow
    "keeps-4": (False, False),
    "shrinks": (True, False),
    "shrinks-and-regrows": (True, True),
}
TITLES = {
    "keeps-4": "A keeps 4 GPUs, B waits",
    "shrinks": "A shrinks to 2, B starts",
    "shrinks-and-regrows": "A shrinks to 2, B starts, A grows back",
}


def service(requests: Requests, **changes: Any) -> Service:
    """The service of the example: 8 a batch, 80 ms, SLO 200 ms, so a request may wait for its batch 120 ms at most."""
    document = {
        "name": "service",
        "replicas": 4,
        "replicas_min": 4,
        "batch_max": BATCH,
        "timeout_s": SLO_S - EXECUTE_S,
        "alpha_s": EXECUTE_S,
        "slo_s": SLO_S,
        "requests": requests,
    }
    return Service(**(document | changes))


def traffic(*phases: tuple[float, float], end_s: float) -> Requests:
    """Evenly spaced requests: (from_s, rate_per_s) phases until end_s."""
    return Requests(phases=[Phase(start_s=s, rate_per_s=r) for s, r in phases], process="constant", end_s=end_s)


def cluster(gpus: int = 8) -> Cluster:
    return Cluster(name="eight", pools=[Pool(name="gpus", gpu_model="generic", nodes=1, gpus_per_node=gpus)])


def jobs() -> JobTable:
    return JobTable(
        id=["A", "B"],
        submit_s=[0.0, 600.0],
        duration_s=[1800.0, 900.0],
        gpus=[4, 2],
        gpus_min=[2, 2],
        gpus_max=[4, 2],
        tenant=["a", "b"],
    )


def scenario(
    variant: str, phases: tuple[tuple[float, float], ...] = ((0.0, 160.0),), end_s: float = 1800.0, **changes: Any
) -> Scenario:
    """One of the three variants (see TITLES); KeyError for another name."""
    return Scenario(
        name=TITLES[variant],
        cluster=cluster(),
        workload=Workload(jobs=jobs(), services=[service(traffic(*phases, end_s=end_s))]),
        training=Choice(
            system="fcfs-backfill",
            parameters={
                "walk.durations": "estimate",  # there are none: no policy of the example knows run times
                "sizing": "elastic-gang",
                "sizing.shrink_for_waiting": SWITCHES[variant][0],
                "sizing.regrow": SWITCHES[variant][1],
            },
        ),
        serving=Choice(system="utilisation-autoscaler", parameters={"scaling.target": 0.8}),
        slos=[Slo(metric="latency_p99_s", limit=SLO_S)],
        origins=Origins(**dict.fromkeys(Origins.model_fields, Origin.ILLUSTRATIVE)),
        sources={"workload": "the worked example of the engine's description", "cluster": "the same"},
        **changes,
    )


def scenarios() -> dict[str, Scenario]:
    """The three variants of the built-in study, by slug."""
    return {variant: scenario(variant) for variant in TITLES}


def traffic_rise(variant: str) -> Scenario:
    """As a variant, with 400 requests/s from 1,200 s on: the service needs a fifth GPU, from an elastic job."""
    return scenario(variant, ((0.0, 160.0), (1200.0, 400.0)), end_s=2400.0)


def loan(length_s: float, overhead_s: float) -> Scenario:
    """One GPU, used by a service but for [0, 60) and a loan of `length_s` from 120 s on; one preemptible job.

    The job starts at 0 at no cost, is preempted when traffic comes, and needs checkpoint and restore to use the loan.
    """
    back_s = 120.0 + length_s
    requests = traffic((0.0, 0.0), (50.0, 80.0), (110.0, 0.0), (back_s - 5.0, 80.0), end_s=back_s + 50.0)
    return Scenario(
        name=f"A loan of {length_s:g} s",
        cluster=cluster(1),
        workload=Workload(
            jobs=JobTable(id=["borrower"], submit_s=[0.0], duration_s=[600.0], gpus=[1]),
            services=[service(requests, replicas=0, replicas_min=0, replicas_max=1)],
        ),
        training=Choice(system="srtf"),
        serving=Choice(
            system="utilisation-autoscaler",
            parameters={"scaling.interval_s": 10.0, "scaling.window_s": 10.0, "scaling.cooldown_s": 0.0},
        ),
        overheads=Overheads(checkpoint_s=overhead_s / 2, restart_s=overhead_s / 2),
        horizon_s=back_s + 40.0,
        origins=Origins(**dict.fromkeys(Origins.model_fields, Origin.ILLUSTRATIVE)),
    )


def one_replica(rate_per_s: float, timeout_s: float | None) -> Scenario:
    """The service alone on as many GPUs as it ever needs, at a steady rate for a minute."""
    return Scenario(
        cluster=cluster(),
        workload=Workload(services=[service(traffic((0.0, rate_per_s), end_s=60.0), timeout_s=timeout_s, replicas=5)]),
        origins=Origins(**dict.fromkeys(Origins.model_fields, Origin.ILLUSTRATIVE)),
    )
