"""Replicas and training jobs on the same GPUs: placed first, scaled up at the cost of training, given back."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.records import RequestOutcome, RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Phase, Requests, Scenario, Service, Workload
from tests.simulation.building import pool, table

AUTOSCALER = Choice(
    system="utilisation-autoscaler",
    parameters={
        "scaling.interval_s": 10.0,
        "scaling.window_s": 10.0,
        "scaling.cooldown_s": 20.0,
        "scaling.target": 1.0,
    },
)


def service(*phases: tuple[float, float], end_s: float, **changes: object) -> Service:
    """One request a second per replica."""
    requests = Requests(phases=[Phase(start_s=s, rate_per_s=r) for s, r in phases], process="constant", end_s=end_s)
    return Service(**({"name": "s", "alpha_s": 1.0, "replicas": 1, "requests": requests} | changes))


def run(s: Service, jobs: JobTable, system: str = "srtf", gpus: int = 4, **changes: object) -> RunRecords:
    return run_records(
        Scenario(
            cluster=Cluster(pools=[pool(1, gpus)]),
            workload=Workload(jobs=jobs, services=[s]),
            training=Choice(system=system),
            serving=AUTOSCALER,
            **changes,
        )
    )


def held(records: RunRecords, at_s: float) -> int:
    spans = records.replica_spans
    return int(spans.gpus[(spans.start_s <= at_s) & (at_s < spans.end_s)].sum())


def test_replicas_stand_before_the_first_job() -> None:
    records = run(service((0, 0.5), end_s=100), table((0, 10, 4), (0, 10, 3)), horizon_s=100.0)
    assert held(records, 0.0) == 1
    assert np.isnan(records.jobs.first_start_s[0])
    assert records.jobs.first_start_s[1] == 0.0


def test_scaling_up_preempts_and_scaling_down_gives_back() -> None:
    records = run(service((0, 1), (100, 2), (200, 1), end_s=300), table((0, 1000, 3)))
    assert [held(records, t) for t in (0.0, 109.0, 111.0, 209.0, 212.0)] == [1, 1, 2, 2, 1]
    assert records.jobs.preemptions.tolist() == [1]
    # stopped from 110 s until the service shrank, and no work is lost
    back_s = records.replica_spans.end_s.min()
    assert records.jobs.end_s[0] == pytest.approx(1000.0 + back_s - 110.0)


def test_without_preemption_the_service_waits_for_free_gpus() -> None:
    records = run(service((0, 1), (100, 2), end_s=300), table((0, 150, 3)), system="fcfs-quota")
    assert held(records, 149.0) == 1
    assert held(records, 151.0) == 2
    assert records.decisions["replicas_refused"] > 0


def test_a_new_replica_loads_first() -> None:
    records = run(service((0, 1), (100, 2), end_s=200, load_s=30.0), table())
    assert held(records, 111.0) == 2
    assert np.nanmax(records.requests.load_s) > 0


def test_every_request_is_accounted_for_and_latency_adds_up() -> None:
    records = run(service((0, 1), (100, 3), end_s=200), table((0, 50, 2)))
    requests = records.requests
    assert len(requests) == 400
    assert (requests.outcome == RequestOutcome.SERVED).all()
    assert (requests.latency_s >= 1.0 - 1e-9).all()
    assert records.end_s >= (requests.arrival_s + requests.latency_s).max() - 1e-6


def test_static_replicas_leave_the_compiled_path_the_same() -> None:
    s = service((0, 1), (100, 2), end_s=300)
    jobs = table((0, 150, 3), (5, 20, 1), (7, 9, 2))
    scenario = Scenario(
        cluster=Cluster(pools=[pool(1, 4)]), workload=Workload(jobs=jobs, services=[s]), serving=AUTOSCALER
    )
    fused, general = run_records(scenario), run_records(scenario, allow_compiled=False)
    assert fused.jobs.end_s.tolist() == general.jobs.end_s.tolist()
    assert fused.replica_spans.start_s.tolist() == general.replica_spans.start_s.tolist()
    assert fused.decisions == general.decisions
