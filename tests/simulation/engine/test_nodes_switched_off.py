"""A node that is off draws little, runs nothing, and comes back only after it has booted."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.hardware import NodeChange
from simulation.metrics.capacity import pool_use
from simulation.metrics.energy import pool_energy_kwh
from simulation.records import Absence, RunRecords
from simulation.scenario import Cluster, Scenario, Workload
from tests.simulation.building import pool, table
from tests.simulation.engine.scripted import play, power, put, start

BOOT_S = 30.0


def scenario(*jobs: tuple[float, float, int], nodes: int = 2, horizon_s: float = 300.0) -> Scenario:
    """Nodes of 4 GPUs at 100 to 500 W, 200 W of overhead, 20 W when off."""
    machines = pool(nodes, 4, idle_w=100.0, peak_w=500.0, node_overhead_w=200.0, off_w=20.0, boot_s=BOOT_S)
    return Scenario(cluster=Cluster(pools=[machines]), workload=Workload(jobs=table(*jobs)), horizon_s=horizon_s)


def absences(records: RunRecords) -> list[tuple[int, Absence, float, float]]:
    a = records.absences
    assert a is not None
    rows = zip(a.node.tolist(), a.why.tolist(), a.start_s.tolist(), a.end_s.tolist(), strict=True)
    return [(node, Absence(why), start_s, end_s) for node, why, start_s, end_s in rows]


def test_energy_of_off_boot_busy_and_idle_by_hand() -> None:
    """Node 0 works for 100 s and idles; node 1 is off for 120 s, boots for 30 s and idles."""
    script = {0.0: [start(0, 4), power(1, False)], 120.0: [power(1, True)]}
    records, _ = play(scenario((0, 100, 4)), script)
    assert absences(records) == [(1, Absence.OFF, 0.0, 120.0), (1, Absence.BOOTING, 120.0, 150.0)]
    busy_j, idle_j, off_j = 4 * 500.0 + 200.0, 4 * 100.0 + 200.0, 20.0
    kwh = pool_energy_kwh(records, pool_use(records), pue=1.2)[0]
    assert kwh == pytest.approx(1.2 * (100 * busy_j + 200 * idle_j + 120 * off_j + 180 * idle_j) / 3.6e6)


def test_nobody_is_put_on_a_node_that_is_off_or_boots() -> None:
    script = {0.0: [power(0, False)], 10.0: [put(0, (0, 4))], 20.0: [power(0, True)], 30.0: [put(0, (0, 4))]}
    records, loop = play(scenario((0, 50, 4)), script)
    assert loop.counts["plans_refused"] == 2
    assert np.isnan(records.jobs.first_start_s[0])


def test_it_is_back_just_after_its_boot() -> None:
    script = {0.0: [power(0, False)], 20.0: [power(0, True)], 50.0: [put(0, (0, 4))]}
    records, loop = play(scenario((0, 50, 4)), script)
    assert records.jobs.first_start_s[0] == 20.0 + BOOT_S
    assert (loop.counts["boots"], loop.counts["nodes_switched_off"]) == (1, 1)


def test_a_node_in_use_is_not_switched_off() -> None:
    script = {0.0: [put(0, (0, 1))], 5.0: [power(0, False)]}
    records, loop = play(scenario((0, 50, 1), (5, 1, 1)), script)
    assert loop.refusal == "node a-0 is to be switched off but is in use"
    assert records.absences is None


def test_a_plan_that_uses_a_node_and_switches_it_off_is_refused() -> None:
    records, loop = play(scenario((0, 50, 1)), {0.0: [put(0, (0, 1)), power(0, False)]})
    assert "switched off but is in use" in loop.refusal
    assert records.absences is None


def test_a_node_that_fails_while_it_boots_does_not_come_up() -> None:
    changes = [NodeChange(at_s=40, pool="a", nodes=1, up=False), NodeChange(at_s=100, pool="a", nodes=1, up=True)]
    one = scenario((0, 50, 4), nodes=1)
    one = one.model_copy(update={"cluster": one.cluster.model_copy(update={"changes": changes})})
    records, _ = play(one, {0.0: [power(0, False)], 20.0: [power(0, True)], 100.0: [put(0, (0, 4))]})
    assert absences(records) == [
        (0, Absence.OFF, 0.0, 20.0), (0, Absence.BOOTING, 20.0, 40.0), (0, Absence.DOWN, 40.0, 100.0),
    ]  # fmt: skip
    assert records.jobs.first_start_s[0] == 100.0
