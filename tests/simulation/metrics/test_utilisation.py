"""Allocated, busy and useful GPU time over capacity, and what is stranded on partly used nodes."""

from __future__ import annotations

import pytest

from simulation.metrics.summary import summarise
from tests.simulation.metrics.runs import Job, pool, run, scenario, service


def values(records):
    metrics = summarise(records, scenario())["metrics"]
    kinds = ("allocated", "busy", "useful")
    return [metrics[f"utilisation_{kind}"]["value"] for kind in kinds], metrics["fragmentation"]["value"]


def test_overhead_is_not_busy_and_lost_work_not_useful():
    used, _ = values(run([Job(0, [(0, 10, 0, 4)], overhead=8.0, lost=12.0)], end_s=10.0))
    assert used == pytest.approx([40 / 80, 32 / 80, 20 / 80])


def test_a_replica_is_busy_while_it_executes():
    records = run(services=[service(gpus_per_replica=2)], replicas=[(0, 0, 0, 4, 0.0, 10.0)], busy=[5.0], end_s=10.0)
    assert values(records)[0] == pytest.approx([40 / 80, 10 / 80, 10 / 80])


def test_idle_gpus_on_empty_nodes_are_not_fragments():
    two = [pool(nodes=2)]
    assert values(run([Job(0, [(0, 10, 0, 8)])], two))[1] == 0.0
    assert values(run([Job(0, [(0, 10, 0, 4)])], two))[1] == pytest.approx(4 / 12)
    assert values(run([Job(0, [(0, 10, 0, 4), (0, 10, 1, 4)])], two))[1] == 1.0


def test_fragments_are_weighted_by_time_and_by_what_else_is_on_the_node():
    records = run([Job(0, [(0, 10, 0, 4)]), Job(0, [(5, 10, 0, 2)])], [pool(nodes=2)])
    assert values(records)[1] == pytest.approx((5 * 4 + 5 * 2) / (160 - 50))
    moved = run([Job(0, [(0, 5, 0, 4), (5, 10, 1, 8)])], [pool(nodes=2)])
    assert values(moved)[1] == pytest.approx(5 * 4 / (160 - 60))


def test_a_full_cluster_has_no_idle_time_to_fragment():
    metrics = summarise(run([Job(0, [(0, 10, 0, 8)])]), scenario())["metrics"]
    assert metrics["utilisation_allocated"]["value"] == 1.0
    assert (metrics["fragmentation"]["value"], metrics["fragmentation"]["note"]) == (None, "no GPU was ever idle")


def test_a_run_of_no_length_has_no_utilisation():
    assert values(run()) == ([None, None, None], None)
