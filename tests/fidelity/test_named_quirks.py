"""What the quirks of peers do, on workloads small enough to be followed by hand."""

from __future__ import annotations

from functools import partial

import pytest

from simulation.fidelity.emulation import emulate
from simulation.fidelity.profiles.list_loop import ListLoop
from simulation.fidelity.profiles.list_policy import ListPolicy
from simulation.fidelity.profiles.lists import ListSettings
from simulation.fidelity.profiles.profile import Emulation
from simulation.mechanisms.placement import TakeAny
from simulation.records import JobRecords
from simulation.scenario import Cluster, JobTable, Pool, Scenario, Workload


def run(
    submit_s: list[float], duration_s: list[float], settings: ListSettings, gpus: int = 1, **quirks: object
) -> JobRecords:
    names = [str(i) for i in range(len(submit_s))]
    table = JobTable(id=names, submit_s=submit_s, duration_s=duration_s, gpus=[1] * len(names))
    pool = Pool(name="p", gpu_model="g", nodes=1, gpus_per_node=gpus)
    scenario = Scenario(cluster=Cluster(pools=[pool]), workload=Workload(jobs=table))
    policy = ListPolicy(settings, TakeAny(), moving=False)
    return emulate(Emulation(scenario, policy, loop=partial(ListLoop, **quirks))).jobs


def test_a_restart_is_charged_at_events_of_others_but_not_to_the_last_stretch() -> None:
    """Two GPUs: job 0 runs alone, loses 3 s when job 1 comes at 10, 2 s when it ends at 12 (so near are the events)."""
    jobs = run([0.0, 10.0], [100.0, 2.0], ListSettings(rank="remaining"), gpus=2, overhead_s={"0": 3.0, "1": 3.0})
    assert jobs.end_s.tolist() == [105.0, 12.0]
    assert jobs.overhead_gpu_s.tolist() == [5.0, 0.0]


@pytest.mark.parametrize(("stale", "end_s"), [(True, 30.0), (False, 43.0)])
def test_a_completion_that_was_foretold_with_an_arrival_happens_with_it(stale: bool, end_s: float) -> None:
    """Job 0 would end at 30, when job 2 comes; at 20 it leaves the first queue and job 1, of 12 s, takes its GPU."""
    jobs = run([0.0, 5.0, 30.0], [30.0, 12.0, 1.0], ListSettings(limits=(20.0,)), stale_completions=stale)
    assert jobs.preemptions.tolist() == [1, 0, 0]
    assert jobs.end_s[1] == 32.0
    assert jobs.end_s[0] == end_s
