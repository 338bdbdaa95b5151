"""A run that is stopped and gone on with is the run that was never stopped, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.engine.books import balance
from simulation.engine.loop import Loop
from simulation.engine.recording import records_of
from simulation.records import RunRecords
from simulation.run import entitlements, run_records
from simulation.scenario import Cluster, Scenario
from simulation.systems.policy import policy_of
from simulation.systems.registry import recipe_for
from simulation.world.build import build_world
from tests.simulation.engine.test_fused_equals_general import with_service
from tests.simulation.engine.test_same_bits import digest
from tests.simulation.properties.drawing import TRAINING, drawn


def in_pieces(scenario: Scenario, stops_s: list[float]) -> RunRecords:
    """As `run_records`, with a pause at each of `stops_s`."""
    training = recipe_for(scenario.training.system, scenario.training.parameters, "training")
    serving = recipe_for(scenario.serving.system, scenario.serving.parameters, "inference")
    assert serving.scaling is not None
    world = build_world(scenario, 0)
    entitled = entitlements(world.jobs.tenants, scenario.quotas)
    loop = Loop(
        world, scenario.overheads, policy_of(training), training.information, entitled, serving.scaling,
        np.inf if scenario.horizon_s is None else scenario.horizon_s,
    )  # fmt: skip
    loop.open()
    for stop_s in [*stops_s, np.inf]:
        loop.go_on(stop_s)
        assert loop.view.now_s <= stop_s
    loop.close()
    records = records_of(loop)
    balance(records, loop.world.nodes, len(loop.world.jobs))
    return records


def stops_of(seed: int) -> list[float]:
    return np.sort(np.random.default_rng(seed).uniform(0, 3000, 4)).tolist()


@pytest.mark.parametrize("system", TRAINING)
def test_pauses_change_nothing(system: str) -> None:
    for seed in range(3):
        scenario = drawn(seed, system)
        assert digest(in_pieces(scenario, stops_of(seed))) == digest(run_records(scenario))


@pytest.mark.parametrize("system", ["fcfs-quota", "srtf", "fair-share"])
def test_services_go_on_too(system: str) -> None:
    pools = [pool.model_copy(update={"interruptions": None}) for pool in drawn(4, system).cluster.pools]
    scenario = with_service(drawn(4, system, cluster=Cluster(pools=pools)))  # replicas do not stand where nodes fail
    assert digest(in_pieces(scenario, stops_of(2))) == digest(run_records(scenario))


def test_a_pause_at_an_event_comes_after_it() -> None:
    scenario = drawn(0, "fcfs-quota")
    whole = run_records(scenario)
    stops_s = sorted({*whole.jobs.submit_s.tolist(), *whole.jobs.end_s[whole.jobs.outcome == 0].tolist()})
    assert digest(in_pieces(scenario, stops_s)) == digest(whole)
