"""Replicas go with their nodes, are stood anew where there is room, and no request is lost."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.hardware import Interruptions, NodeChange
from simulation.records import RequestOutcome, RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Phase, Requests, Scenario, Service, Workload
from tests.simulation.building import pool, random_jobs, table

AUTOSCALER = Choice(system="utilisation-autoscaler", parameters={"scaling.interval_s": 20.0, "scaling.window_s": 40.0})


def change(at_s: float, up: bool) -> NodeChange:
    return NodeChange(at_s=at_s, pool="a", nodes=1, up=up)


def service(times_s: list[float], **changes: object) -> Service:
    return Service(**({"name": "s", "alpha_s": 2.0, "load_s": 5.0, "requests": Requests(times_s=times_s)} | changes))


def run(
    s: Service, nodes: int, changes: list[NodeChange], jobs: JobTable | None = None, system: str = "srtf"
) -> RunRecords:
    cluster = Cluster(pools=[pool(nodes, 1)], changes=changes)
    return run_records(
        Scenario(cluster=cluster, workload=Workload(jobs=jobs, services=[s]), training=Choice(system=system))
    )


def test_one_replica_one_failure_and_a_known_outage() -> None:
    records = run(service([0.0, 9.0, 20.0]), 1, [change(10, up=False), change(30, up=True)])
    requests = records.requests
    assert requests.outcome.tolist() == [RequestOutcome.SERVED] * 3
    assert requests.latency_s.tolist() == [2.0, 37.0 - 9.0, 39.0 - 20.0]
    assert requests.queue_s.tolist() == [0.0, 21.0, 12.0]  # until the node is back; the third behind the second, too
    assert requests.load_s.tolist() == [0.0, 5.0, 5.0]
    assert records.replica_busy_s.tolist() == [2.0 + 1.0 + 2.0 + 2.0]
    spans = records.replica_spans
    assert sorted(zip(spans.start_s.tolist(), spans.end_s.tolist(), strict=True)) == [(0.0, 10.0), (30.0, 39.0)]
    assert (records.decisions["replicas_lost"], records.decisions["requests_returned"]) == (1, 1)


def test_a_free_node_takes_the_replica_at_once() -> None:
    records = run(service([9.0]), 2, [change(10, up=False)])
    assert records.requests.latency_s.tolist() == [15.0 + 2.0 - 9.0]
    assert records.replica_spans.node.tolist() == [0, 1]


def test_training_gives_way_where_the_recipe_lets_it() -> None:
    records = run(service([9.0, 200.0]), 2, [change(10, up=False)], table((0, 500, 1)))
    assert records.requests.latency_s.tolist() == [15.0 + 2.0 - 9.0, 2.0]
    assert records.jobs.preemptions.tolist() == [1]


def test_else_the_replica_waits_and_looks_again_every_minute() -> None:
    records = run(service([9.0]), 2, [change(10, up=False)], table((0, 100, 1)), "fcfs-quota")
    assert records.replica_spans.start_s.tolist() == [0.0, 130.0]
    assert records.requests.latency_s.tolist() == [135.0 + 2.0 - 9.0]


def test_where_no_node_comes_back_requests_are_unfinished() -> None:
    records = run(service([0.0, 9.0]), 1, [change(10, up=False)])
    assert records.requests.outcome.tolist() == [RequestOutcome.SERVED, RequestOutcome.UNFINISHED]


def test_replicas_of_nodes_that_come_later_stand_when_they_come() -> None:
    s = service([1.0])
    cluster = Cluster(pools=[pool(1, 1, starts_down=True)], changes=[change(40, up=True)])
    records = run_records(Scenario(cluster=cluster, workload=Workload(services=[s])))
    assert records.requests.latency_s.tolist() == [47.0 - 1.0]


def random_world(seed: int, serving: Choice) -> Scenario:
    phases = [Phase(start_s=0, rate_per_s=0.8), Phase(start_s=1500, rate_per_s=2.0)]
    s = Service(
        name="s", alpha_s=1.0, beta_s=0.5, batch_max=4, timeout_s=2.0, replicas=2, load_s=20.0, gpus_per_replica=2,
        requests=Requests(phases=phases, end_s=3000.0),
    )  # fmt: skip
    failing = Interruptions(mean_up_s=900.0, mean_down_s=200.0)
    return Scenario(
        cluster=Cluster(pools=[pool(5, 4, interruptions=failing)]),
        workload=Workload(jobs=random_jobs(seed, n=25, widest=4), services=[s]),
        training=Choice(system=("srtf", "fcfs-quota", "tiresias")[seed % 3]),
        serving=serving,
        horizon_s=3600.0 if seed % 2 else None,
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("serving", [Choice(system="static-replicas"), AUTOSCALER], ids=lambda c: c.system)
def test_every_request_is_finished_or_unfinished_under_random_failures(seed: int, serving: Choice) -> None:
    world = random_world(seed, serving)
    records = run_records(world, seed)  # the books of replicas and nodes are balanced in every run
    requests, served = records.requests, records.requests.outcome == RequestOutcome.SERVED
    assert set(requests.outcome.tolist()) <= {RequestOutcome.SERVED, RequestOutcome.UNFINISHED}
    assert served.all() or world.horizon_s is not None
    assert records.decisions["requests_returned"] > 0
    assert (requests.arrival_s + requests.latency_s)[served].max() <= records.end_s + 1e-6
    again = run_records(world, seed, allow_compiled=False)
    assert again.requests.latency_s.tobytes() == requests.latency_s.tobytes()
    assert again.jobs.end_s.tobytes() == records.jobs.end_s.tobytes()
    assert np.array_equal(again.replica_spans.start_s, records.replica_spans.start_s)
