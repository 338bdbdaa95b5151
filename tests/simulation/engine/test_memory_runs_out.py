"""Jobs that share GPUs whose memory does not hold them: the newcomer is stopped, and runs alone from then on."""

from __future__ import annotations

import numpy as np

from simulation.engine.books import balance
from simulation.engine.loop import Loop
from simulation.engine.memory import PEAK_AFTER_S
from simulation.engine.recording import records_of
from simulation.engine.sharing import TIME_SLICES, sharing_law
from simulation.engine.view import Regime
from simulation.mechanisms.scaling import StaticReplicas
from simulation.rate_profile import Iteration, RateProfile
from simulation.records import JobOutcome
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Overheads, Scenario, Workload
from simulation.world.build import build_world
from tests.simulation.building import pool, table
from tests.simulation.engine.test_jobs_share_gpus import PackAll

GIB = 2**30
LAW = sharing_law(TIME_SLICES, 2, 0.0)
MEMORY = pool(1, 4, gpu_memory_bytes=16 * GIB)


class Careless(PackAll):
    """Packs whoever may still be packed."""

    def decide(self, view, news):
        waiting = [job for job in view.waiting.tolist() if not view.is_apart(job)]
        if len(view.running) and not waiting:
            return None
        return super().decide(view, news)


def run(jobs: JobTable, policy: PackAll) -> tuple[object, Loop]:
    scenario = Scenario(
        cluster=Cluster(pools=[MEMORY]), workload=Workload(jobs=jobs), overheads=Overheads(start_s=10, restart_s=5)
    )
    world = build_world(scenario, 0)
    loop = Loop(world, scenario.overheads, policy, Regime.BLIND, np.ones(1), StaticReplicas())
    loop.run()
    records = records_of(loop)
    balance(records, world.nodes, len(world.jobs))
    return records, loop


def test_the_guest_dies_loses_its_work_and_runs_alone() -> None:
    jobs = table((0, 500, 4), (100, 50, 4), memory_bytes=[10 * GIB, 10 * GIB])
    records, _ = run(jobs, Careless(LAW))
    peak_s = 100 + 10 + PEAK_AFTER_S
    assert records.decisions["jobs_out_of_memory"] == 1
    # the host is alone, shares from 100 s until the peak at half rate, and is alone again
    host_end_s = 10 + 500 + (peak_s - 100) / 2
    assert records.jobs.end_s.tolist() == [host_end_s, host_end_s + 5 + 50]
    assert records.jobs.lost_gpu_s.tolist() == [0.0, PEAK_AFTER_S * 4 / 2]
    assert records.jobs.outcome.tolist() == [JobOutcome.FINISHED] * 2


def test_who_fits_beside_others_stays() -> None:
    records, _ = run(table((0, 500, 4), (100, 50, 4), memory_bytes=[10 * GIB, 6 * GIB]), Careless(LAW))
    assert "jobs_out_of_memory" not in records.decisions
    assert records.jobs.end_s[1] == 100 + 10 + 50 * 2


def test_who_has_ended_before_its_peak_had_luck() -> None:
    records, _ = run(table((0, 500, 4), (100, 20, 4), memory_bytes=[10 * GIB, 10 * GIB]), Careless(LAW))
    assert "jobs_out_of_memory" not in records.decisions


def test_a_plan_that_packs_it_again_is_refused() -> None:
    jobs = table((0, 500, 4), (100, 50, 4), memory_bytes=[10 * GIB, 10 * GIB])
    records, loop = run(jobs, PackAll(LAW))
    assert loop.refusal == "job 1 is to share with job 0: one has run out of memory beside others"
    assert records.jobs.outcome.tolist() == [JobOutcome.FINISHED] * 2


def test_a_system_without_a_memory_check_pays_for_it() -> None:
    """Muri packs by stages alone: jobs that together need more than a GPU has are stopped once, and then run apart."""
    profiles = [
        RateProfile(name=f"r{i}", iteration=Iteration(compute_s=1.0), memory_bytes=10.0 * GIB, utilisation=1.0,
                    stages_s=tuple(1.0 if r == i else 0.05 for r in range(4)))
        for i in range(2)
    ]  # fmt: skip
    jobs = table(*((0, 1000, 4) for _ in range(4)), profile=["r0", "r1", "r0", "r1"])
    ends_s = []
    for memory in (16 * GIB, 64 * GIB):
        pools = [pool(1, 4, gpu_memory_bytes=memory)]
        scenario = Scenario(
            cluster=Cluster(pools=pools),
            workload=Workload(jobs=jobs, profiles=profiles),
            training=Choice(system="muri"),
        )
        records = run_records(scenario)
        assert (records.jobs.outcome == JobOutcome.FINISHED).all()
        ends_s.append(records.end_s)
        assert (records.decisions.get("jobs_out_of_memory", 0) > 0) == (memory == 16 * GIB)
    assert ends_s[0] > ends_s[1]
