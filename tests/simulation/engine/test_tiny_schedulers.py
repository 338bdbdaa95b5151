"""The engine against schedulers made for one purpose each."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.engine.errors import Cancelled, StuckError, ThrashingError
from simulation.engine.loop import Loop
from simulation.engine.plan import Plan, plan_of
from simulation.engine.policy import Compiled, Conduct, News
from simulation.engine.view import InformationError, Regime, View
from simulation.mechanisms.scaling import StaticReplicas
from simulation.records import Ints
from simulation.scenario import Overheads, Scenario
from simulation.world.build import build_world
from tests.simulation.building import pool, table, training


class DoNothing:
    conduct = Conduct()

    def begin(self, view: View) -> None:
        self.asked_s: list[float] = []

    def compiled(self) -> Compiled | None:
        return None

    def decide(self, view: View, news: News) -> Plan | None:
        self.asked_s.append(view.now_s)
        return None

    def wake_s(self, view: View) -> float:
        return np.inf

    def last_first(self, view: View) -> Ints:
        return view.running[::-1]


class OneAtATime(DoNothing):
    def decide(self, view: View, news: News) -> Plan | None:
        super().decide(view, news)
        if len(view.running) or not len(view.waiting):
            return None
        job = int(view.waiting[0])
        return plan_of([], [(job, 0, int(view.gang[job]))])


class AskMeLater(OneAtATime):
    """Starts nothing before 100 s."""

    def decide(self, view: View, news: News) -> Plan | None:
        plan = super().decide(view, news)
        return plan if view.now_s >= 100.0 else None

    def wake_s(self, view: View) -> float:
        return 100.0 if view.now_s < 100.0 else np.inf


class Everything(DoNothing):
    """Wants all waiting jobs on node 0, fit or not."""

    def decide(self, view: View, news: News) -> Plan | None:
        return plan_of([], [(int(job), 0, int(view.gang[job])) for job in view.waiting])


class Flipper(DoNothing):
    """Swaps the two jobs every second."""

    conduct = Conduct(reclaim_by_preemption=True)

    def decide(self, view: View, news: News) -> Plan | None:
        waiting, running = view.waiting, view.running
        if not len(waiting):
            return None
        return plan_of(running.tolist(), [(int(waiting[0]), 0, 1)])

    def wake_s(self, view: View) -> float:
        return view.now_s + 1.0


class Sleepless(DoNothing):
    """Does nothing, again and again."""

    def wake_s(self, view: View) -> float:
        return view.now_s + 1.0


class Peeker(DoNothing):
    def decide(self, view: View, news: News) -> Plan | None:
        view.remaining_s(news.waiting)
        return None


def loop(scenario: Scenario, policy: DoNothing, regime: Regime = Regime.BLIND) -> Loop:
    world = build_world(scenario, 0)
    return Loop(world, scenario.overheads, policy, regime, np.ones(len(world.jobs.tenants)), StaticReplicas())


def test_a_policy_that_does_nothing_is_found_out() -> None:
    with pytest.raises(StuckError, match="job 0 waits for 4 GPUs and would fit"):
        loop(training(table((0, 10, 4))), DoNothing()).run()


def test_waking_for_ever_without_doing_anything_is_found_out_too() -> None:
    with pytest.raises(StuckError, match="job 0"):
        loop(training(table((0, 10, 4))), Sleepless()).run()


def test_one_at_a_time_runs_them_in_a_row() -> None:
    run = loop(training(table((0, 10, 4), (0, 20, 1), (5, 30, 8))), OneAtATime())
    run.run()
    assert run.ledger.end_s.tolist() == [10.0, 30.0, 60.0]


def test_a_policy_may_ask_to_be_asked_later() -> None:
    policy = AskMeLater()
    run = loop(training(table((0, 10, 4))), policy)
    run.run()
    assert run.ledger.first_start_s.tolist() == [100.0]
    assert policy.asked_s == [0.0, 100.0, 110.0]


def test_one_decision_follows_all_events_of_an_instant() -> None:
    policy = OneAtATime()
    run = loop(training(table((0, 10, 4), (0, 5, 1), (10, 5, 1), (10, 5, 1))), policy)
    run.run()
    assert policy.asked_s == [0.0, 10.0, 15.0, 20.0, 25.0]


def test_a_plan_that_does_not_fit_changes_nothing_and_is_counted() -> None:
    """Ten GPUs wanted of eight: neither job starts, though one alone would fit."""
    run = loop(training(table((0, 10, 5), (0, 10, 5))), Everything())
    with pytest.raises(StuckError):
        run.run()
    assert run.counts["plans_refused"] == 1
    assert "without enough free GPUs" in run.refusal
    assert run.ledger.free.tolist() == [8]
    assert np.isnan(run.ledger.first_start_s).all()


def test_a_plan_on_forbidden_gpus_is_refused() -> None:
    jobs = table((0, 10, 1), gpu_models=[["A100"]])
    pools = [pool(1, 8), pool(1, 8, name="b", gpu_model="A100")]
    run = loop(training(jobs, pools=pools), Everything())
    with pytest.raises(StuckError):
        run.run()
    assert "does not permit" in run.refusal


def test_a_job_that_may_not_be_preempted_is_not() -> None:
    run = loop(training(table((0, 5, 1), (0, 5, 1), preemptible=[False, False]), pools=[pool(1, 1)]), Flipper())
    run.run()
    assert run.counts["plans_refused"] == 4
    assert run.ledger.end_s.tolist() == [5.0, 10.0]


def test_thrashing_is_an_error_that_names_the_job() -> None:
    scenario = training(table((0, 10, 1), (0, 10, 1)), pools=[pool(1, 1)], overheads=Overheads(start_s=2, restart_s=2))
    with pytest.raises(ThrashingError, match="job 0 was preempted 1001 times in a row without progress"):
        loop(scenario, Flipper()).run()


def test_swapping_without_overhead_makes_progress() -> None:
    run = loop(training(table((0, 10, 1), (0, 10, 1)), pools=[pool(1, 1)]), Flipper())
    run.run()
    assert run.ledger.end_s.tolist() == [19.0, 20.0]


def test_a_blind_policy_cannot_look_ahead() -> None:
    with pytest.raises(InformationError, match="true remaining times are hidden from a policy that is blind"):
        loop(training(table((0, 10, 4))), Peeker()).run()


def test_an_oracle_may() -> None:
    with pytest.raises(StuckError):
        loop(training(table((0, 10, 4))), Peeker(), Regime.ORACLE).run()


def test_cancelling_stops_at_a_decision_point() -> None:
    jobs = table(*((float(i), 0.5, 1) for i in range(5000)))
    with pytest.raises(Cancelled):
        loop(training(jobs), OneAtATime()).run(cancelled=lambda: True)


def test_progress_grows_to_the_end() -> None:
    seen: list[float] = []
    loop(training(table(*((float(i), 0.5, 1) for i in range(5000)))), OneAtATime()).run(progress=seen.append)
    assert seen == sorted(seen)
    assert 0.0 < seen[-1] <= 1.0
