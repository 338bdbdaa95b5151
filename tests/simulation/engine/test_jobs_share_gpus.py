"""Jobs on the same GPUs: what they share is counted once, and each goes as fast as the law of sharing says."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.engine.books import balance
from simulation.engine.draft import Draft
from simulation.engine.loop import Loop
from simulation.engine.plan import Decision
from simulation.engine.policy import Conduct, News
from simulation.engine.recording import records_of
from simulation.engine.sharing import CROWDING, INTERLEAVING, TIME_SLICES, SharingLaw, sharing_law
from simulation.engine.view import Regime, View
from simulation.mechanisms.scaling import StaticReplicas
from simulation.rate_profile import Iteration, RateProfile
from simulation.records import RunRecords
from simulation.scenario import Cluster, JobTable, Overheads, Scenario, Workload
from simulation.world.build import build_world
from tests.simulation.building import pool, table
from tests.simulation.engine.test_tiny_schedulers import DoNothing


class PackAll(DoNothing):
    """Everyone on the GPUs of whoever runs, up to the most that the law permits; in order of submission."""

    def __init__(self, law: SharingLaw) -> None:
        self.conduct = Conduct(sharing=law)

    def decide(self, view: View, news: News) -> Decision:
        draft = Draft(view.ledger)
        for job in sorted(view.waiting.tolist()):
            hosts = [h for h in sorted({*view.running.tolist(), *range(job)}) if draft.pieces(h)]
            room = [h for h in hosts if len(draft.mates(h)) < self.conduct.sharing.most]
            if room:
                draft.join(job, room[0])
            else:
                draft.start(job, int(view.gang[job]), 0)
        return Decision(draft.plan(), draft.beside())


def run(jobs: JobTable, law: SharingLaw, profiles: list[RateProfile] | None = None, **overheads: float) -> RunRecords:
    scenario = Scenario(
        cluster=Cluster(pools=[pool(1, 4)]),
        workload=Workload(jobs=jobs, profiles=profiles or []),
        overheads=Overheads(**overheads),
    )
    world = build_world(scenario, 0)
    loop = Loop(world, scenario.overheads, PackAll(law), Regime.BLIND, np.ones(1), StaticReplicas())
    loop.run()
    records = records_of(loop)
    balance(records, world.nodes, len(world.jobs))
    return records


def profile(name: str, utilisation: float, stages: tuple[float, float, float, float] | None = None) -> RateProfile:
    return RateProfile(name=name, iteration=Iteration(compute_s=1.0), utilisation=utilisation, stages_s=stages)


def test_two_that_leave_each_other_room_are_not_slowed():
    jobs = table((0, 100, 4), (0, 100, 4), profile=["light", "light"])
    records = run(jobs, sharing_law(CROWDING, 2, 0.4, 1.0), [profile("light", 0.4)])
    assert records.jobs.end_s.tolist() == [100.0, 100.0]
    assert records.jobs.gpu_s.tolist() == [200.0, 200.0]  # half of 4 GPUs each


def test_the_survivor_goes_on_alone_at_full_rate():
    jobs = table((0, 100, 4), (0, 300, 4), profile=["heavy", "heavy"])
    records = run(jobs, sharing_law(TIME_SLICES, 2, 0.0), [profile("heavy", 1.0)])
    # half rate until 200 s, when the first ends; the second has done 100 s of work by then
    assert records.jobs.end_s.tolist() == [200.0, 400.0]
    assert records.jobs.gpu_s.tolist() == [400.0, 1200.0]


def test_the_gpus_pass_to_the_guest_when_the_host_ends_first():
    jobs = table((0, 100, 4), (50, 100, 4), (50, 1, 4))
    records = run(jobs, sharing_law(TIME_SLICES, 2, 0.0))
    # the first is alone for 50 s, then both at half rate until 150 s; the guest then goes on with the third
    assert records.jobs.end_s[0] == 150.0
    assert records.job_spans.held.sum() > 0
    assert records.jobs.end_s[1] == pytest.approx(201.0)


def test_interleaved_stages_take_as_long_as_the_busiest_resource():
    """Four jobs, each busy on one resource: in every phase each resource serves one of them."""
    stages = {f"r{i}": tuple(1.0 if r == i else 0.0 for r in range(4)) for i in range(4)}
    profiles = [profile(name, 1.0, of) for name, of in stages.items()]  # type: ignore[arg-type]
    jobs = table(*((0, 10, 4) for _ in range(4)), profile=list(stages))
    records = run(jobs, sharing_law(INTERLEAVING, 4, 1.0, 1.0, 1.0, 1.0), profiles)
    assert records.jobs.end_s.tolist() == [10.0] * 4


def test_jobs_on_one_resource_take_turns():
    profiles = [profile("gpu", 1.0, (0.0, 0.0, 1.0, 0.0))]
    jobs = table(*((0, 10, 4) for _ in range(4)), profile=["gpu"] * 4)
    records = run(jobs, sharing_law(INTERLEAVING, 4, 1.0, 1.0, 1.0, 1.0), profiles)
    assert records.jobs.end_s.tolist() == [40.0] * 4


@pytest.mark.parametrize("most", [2, 3, 4])
def test_capacity_is_shared_and_conserved_over_random_jobs(most: int):
    rng = np.random.default_rng(most)
    jobs = table(
        *((float(t), float(d), 4) for t, d in zip(rng.uniform(0, 50, 30), rng.exponential(20, 30), strict=True))
    )
    records = run(jobs, sharing_law(TIME_SLICES, most, 0.03), start_s=1.0)
    assert (records.jobs.outcome == 0).all()
    assert records.job_spans.share is not None
    assert set(np.round(1 / records.job_spans.share).astype(int)) <= set(range(1, most + 1))
    # the law conserves work: summed over the members at most one GPU's worth is done at any time
    assert records.end_s >= sum(jobs.duration_s)


def test_more_than_the_law_permits_is_refused():
    class Greedy(PackAll):
        def decide(self, view: View, news: News) -> Decision:
            draft = Draft(view.ledger)
            for job in sorted(view.waiting.tolist()):
                if job == 0:
                    draft.start(0, 4, 0)
                else:
                    draft.join(job, 0)
            return Decision(draft.plan(), draft.beside())

    scenario = Scenario(
        cluster=Cluster(pools=[pool(1, 4)]),
        workload=Workload(jobs=table((0, 9, 4), (0, 9, 4), (0, 9, 4))),
        horizon_s=50,
    )
    world = build_world(scenario, 0)
    loop = Loop(
        world, Overheads(), Greedy(sharing_law(TIME_SLICES, 2, 0.0)), Regime.BLIND, np.ones(1), StaticReplicas(), 50
    )
    loop.run()
    assert "more than 2 jobs" in loop.refusal
    assert loop.counts["starts"] == 0


def test_service_attained_and_the_begin_of_a_holding_outlast_a_change_of_the_group():
    """A guest that comes is no new start for its host, and half of the GPUs is what each holds from then on."""

    class Looks(PackAll):
        def decide(self, view: View, news: News) -> Decision:
            if view.now_s >= 50.0 and len(view.running) == 2:
                both = np.array([0, 1])
                self.seen = (view.began_s(both).tolist(), view.attained_gpu_s(both).tolist())
            return super().decide(view, news)

        def wake_s(self, view: View) -> float:
            return 60.0 if view.now_s < 60.0 else np.inf

    policy = Looks(sharing_law(TIME_SLICES, 2, 0.0))
    scenario = Scenario(cluster=Cluster(pools=[pool(1, 4)]), workload=Workload(jobs=table((0, 100, 4), (40, 100, 4))))
    loop = Loop(build_world(scenario, 0), Overheads(), policy, Regime.BLIND, np.ones(1), StaticReplicas())
    loop.run()
    assert policy.seen == ([0.0, 40.0], [4 * 40.0 + 2 * 20.0, 2 * 20.0])
