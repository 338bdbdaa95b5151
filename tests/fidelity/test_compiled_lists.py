"""List policies compiled into the loop decide as they do when the general loop asks them, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.engine.loop import Loop
from simulation.fidelity.emulation import emulate
from simulation.fidelity.profiles.list_loop import ListLoop
from simulation.fidelity.profiles.list_policy import ListPolicy
from simulation.fidelity.profiles.lists import JUMPS, ListSettings
from simulation.fidelity.profiles.profile import Emulation
from simulation.mechanisms.placement import ConsolidateStrictly, TakeAny
from simulation.records import RunRecords
from simulation.scenario import Cluster, JobTable, Pool, Scenario, Workload

SETTINGS = {
    "gpus": ListSettings(rank="gpus"),
    "remaining": ListSettings(rank="remaining"),
    "remaining-gpu-time": ListSettings(rank="remaining-gpu-time"),
    "queues": ListSettings(limits=(60.0, 300.0)),
    "queues-by-time": ListSettings(limits=(60.0, 300.0), by_gpu_time=False, jump=JUMPS[1]),
    "queues-that-promote": ListSettings(limits=(60.0, 300.0), promote=2.0),
    "queues-by-index": ListSettings(limits=(60.0, 300.0), sample_gpu_s=tuple(np.arange(20.0, 2000.0, 37.0))),
}


def scenario(seed: int, jobs: int = 120) -> Scenario:
    """Whole seconds and few sizes, so that there are many ties and many events of one instant."""
    rng = np.random.default_rng(seed)
    table = JobTable(
        id=[str(i) for i in range(jobs)],
        submit_s=np.sort(rng.integers(0, 900, jobs)).astype(float).tolist(),
        duration_s=rng.choice([5.0, 20.0, 40.0, 160.0, 400.0], jobs).tolist(),
        gpus=rng.choice([1, 1, 2, 3, 4, 8, 12], jobs).tolist(),
    )
    pool = Pool(name="pool", gpu_model="generic", nodes=3, gpus_per_node=4)
    return Scenario(cluster=Cluster(pools=[pool]), workload=Workload(jobs=table))


def run(seed: int, settings: ListSettings, moving: bool, loop: type[Loop]) -> RunRecords:
    placement = ConsolidateStrictly(node="first") if moving else TakeAny()
    return emulate(Emulation(scenario(seed), ListPolicy(settings, placement, moving), loop=loop))


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("name", SETTINGS)
def test_compiled_equals_general(name: str, moving: bool) -> None:
    for seed in range(4):
        general, compiled = (run(seed, SETTINGS[name], moving, loop) for loop in (Loop, ListLoop))
        assert general.jobs.preemptions.sum() > 0
        assert general.decisions["starts"] == compiled.decisions["starts"]
        for column in ("first_start_s", "end_s", "held_s", "preemptions", "migrations", "useful_gpu_s"):
            ours, theirs = getattr(compiled.jobs, column), getattr(general.jobs, column)
            assert ours.tobytes() == theirs.tobytes(), column


def test_stable_sorting_keeps_the_order_of_jobs_that_tie() -> None:
    """Three equal jobs for one GPU: the one that has run is never passed by one that ties with it."""
    table = JobTable(id=["a", "b", "c"], submit_s=[0.0, 1.0, 2.0], duration_s=[10.0, 9.0, 9.0], gpus=[1, 1, 1])
    one = Scenario(
        cluster=Cluster(pools=[Pool(name="p", gpu_model="g", nodes=1, gpus_per_node=1)]), workload=Workload(jobs=table)
    )
    jobs = emulate(Emulation(one, ListPolicy(SETTINGS["remaining"], TakeAny(), False), loop=ListLoop)).jobs
    assert jobs.end_s.tolist() == [10.0, 19.0, 28.0]
    assert jobs.preemptions.tolist() == [0, 0, 0]
