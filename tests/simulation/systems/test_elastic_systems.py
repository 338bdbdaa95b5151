"""Pollux, ElasticFlow, PowerFlow, Chronus: what their papers promise beside the signature."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.elastic import adaptive, deadlines, goodput_profiles, guaranteed_and_best_effort, metered
from simulation.mechanisms.programs.leases import LeaseProgram
from simulation.metrics.measures import BROKEN_PROMISES, DEADLINES_MET, ENERGY, MEAN_JCT
from simulation.rate_profile import NoiseStep
from simulation.records import JobOutcome, RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, Overheads, Scenario, Workload
from tests.simulation.building import pool, table


def run(scenario: Scenario, system: str, **parameters: Any) -> RunRecords:
    changes = {key.replace("__", "."): value for key, value in parameters.items()}
    return run_records(scenario.model_copy(update={"training": Choice(system=system, parameters=changes)}))


def drawn(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def without_noise(scenario: Scenario) -> Scenario:
    """Gradients without noise: a larger batch teaches nothing more."""
    still = [
        profile.model_copy(
            update={"goodput": profile.goodput.model_copy(update={"noise": [NoiseStep(progress=0, phi=0)]})}
        )
        for profile in goodput_profiles()
        if profile.goodput
    ]
    return scenario.model_copy(update={"workload": scenario.workload.model_copy(update={"profiles": still})})


def mean_gpus(records: RunRecords) -> float:
    return float(records.jobs.gpu_s.sum() / records.jobs.held_s.sum())


def test_pollux_gives_fewer_gpus_to_jobs_whose_batch_must_stay_small() -> None:
    scenario = adaptive(drawn(1), load=0.3, jobs=15)
    assert mean_gpus(run(without_noise(scenario), "pollux")) < 0.7 * mean_gpus(run(scenario, "pollux"))


def test_pollux_gives_more_gpus_to_jobs_whose_gradients_are_noisy() -> None:
    """As they are late in training. Of the mean speed-up: the fairer exponent lifts those that scale badly, too."""
    model = goodput_profiles()[0]
    assert model.goodput is not None
    profiles = [
        model.model_copy(
            update={
                "name": name,
                "goodput": model.goodput.model_copy(update={"noise": [NoiseStep(progress=0, phi=phi)]}),
            }
        )
        for name, phi in (("early", 1.0), ("late", 60.0))
    ]
    jobs = table(
        *((0.0, 7200.0, 1) for _ in range(8)), gpus_min=[1] * 8, gpus_max=[16] * 8, profile=["early", "late"] * 4
    )
    scenario = Scenario(
        cluster=Cluster(pools=[pool(4, 4)]), workload=Workload(jobs=jobs, profiles=profiles), horizon_s=1800.0
    )
    records = run(scenario, "pollux", sizing__exponent=1.0)
    assert records.jobs.gpu_s[1::2].sum() > 1.5 * records.jobs.gpu_s[::2].sum()


def test_pollux_changes_less_the_more_a_restart_costs() -> None:
    changes = [
        len(run(adaptive(drawn(2), load=0.8, jobs=25), "pollux", sizing__restart_s=cost_s).job_spans)
        for cost_s in (0.0, 60.0, 1000.0)
    ]
    assert changes[0] > changes[1] > changes[2]


def test_elasticflow_keeps_every_promise() -> None:
    """With exact profiles and free resizes. What cannot be kept is declined, on arrival."""
    found = [run(deadlines(drawn(seed), load=3.0, slack=(1.05, 4.0), jobs=40), "elasticflow") for seed in range(6)]
    assert [BROKEN_PROMISES.of(records) for records in found] == [0.0] * 6
    assert sum(int((records.jobs.outcome == JobOutcome.REJECTED).sum()) for records in found) > 6


def test_elasticflow_without_admission_breaks_promises() -> None:
    broken = [
        BROKEN_PROMISES.of(
            run(deadlines(drawn(seed), load=3.0, slack=(1.05, 4.0), jobs=40), "elasticflow", sizing__admission=False)
        )
        for seed in range(3)
    ]
    assert sum(broken) > 0


def test_elasticflow_goes_on_where_changes_cost_more_than_plans_foresee() -> None:
    """Some promises are broken then, and other jobs are planned around those."""
    slow = Overheads(start_s=30.0, resize_s=35.0, restart_s=35.0)
    scenario = deadlines(drawn(0), load=2.0, slack=(1.1, 4.0), jobs=40).model_copy(update={"overheads": slow})
    records = run(scenario, "elasticflow")
    assert BROKEN_PROMISES.of(records) > 0
    assert (records.jobs.outcome == JobOutcome.FINISHED).mean() > 0.8


def test_elasticflow_changes_less_where_little_is_gained_by_it() -> None:
    scenario = deadlines(drawn(0), load=2.0, slack=(1.1, 4.0), jobs=40)
    spans = [len(run(scenario, "elasticflow", sizing__resize_s=cost_s).job_spans) for cost_s in (0.0, 300.0)]
    assert spans[1] < 0.9 * spans[0]


def test_elasticflow_gains_little_where_jobs_scale_linearly() -> None:
    """Then one count of GPUs is as good as another, and what remains of the gap is admission."""
    gaps = {}
    for linear in (False, True):
        draws = [deadlines(drawn(seed), load=2.0, slack=(1.1, 4.0), jobs=40, linear=linear) for seed in range(4)]
        gaps[linear] = np.mean(
            [DEADLINES_MET.of(run(d, "elasticflow")) - DEADLINES_MET.of(run(d, "edf")) for d in draws]
        )
    assert gaps[True] < 0.6 * gaps[False]


def test_elasticflow_gives_idle_gpus_out_under_light_load() -> None:
    scenario = deadlines(drawn(0), load=0.3, jobs=20)
    minimum = MEAN_JCT.of(run(scenario, "elasticflow", sizing__top_up=False))
    assert MEAN_JCT.of(run(scenario, "elasticflow")) < 0.5 * minimum


@pytest.fixture
def accepted(monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """Job -> deadline, of those that are accepted from now on."""
    found: dict[int, float] = {}
    decide = LeaseProgram._deadline_that_fits

    def watched(self: LeaseProgram, view: Any, part: Any, job: int) -> float | None:
        deadline_s = decide(self, view, part, job)
        if deadline_s is not None:
            found[job] = deadline_s
        return deadline_s

    monkeypatch.setattr(LeaseProgram, "_deadline_that_fits", watched)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_chronus_keeps_what_it_accepts(seed: int, accepted: dict[int, float]) -> None:
    jobs = run(guaranteed_and_best_effort(drawn(seed), load=2.0, jobs=60), "chronus").jobs
    assert 10 < len(accepted) < int((~np.isnan(jobs.deadline_s)).sum())
    assert all(jobs.end_s[job] <= deadline_s for job, deadline_s in accepted.items())


def test_chronus_accepts_fewer_tight_deadlines_and_breaks_none(accepted: dict[int, float]) -> None:
    counts = []
    for slack in ((3.0, 6.0), (1.2, 2.0)):
        accepted.clear()
        jobs = run(guaranteed_and_best_effort(drawn(1), load=2.0, jobs=60, slack=slack), "chronus").jobs
        counts.append(len(accepted))
        assert all(jobs.end_s[job] <= deadline_s for job, deadline_s in accepted.items())
    assert counts[1] < counts[0]


def test_chronus_moves_a_deadline_only_as_far_as_is_tolerated(accepted: dict[int, float]) -> None:
    scenario = guaranteed_and_best_effort(drawn(3), load=3.0, jobs=60)
    jobs = run(scenario, "chronus", sizing__tolerate=2.0).jobs
    moved = {
        job: (due - jobs.submit_s[job]) / (jobs.deadline_s[job] - jobs.submit_s[job]) for job, due in accepted.items()
    }
    assert max(moved.values()) > 1.0
    assert max(moved.values()) <= 2.0
    assert all(jobs.end_s[job] <= due_s for job, due_s in accepted.items())


def test_powerflow_trades_energy_for_time() -> None:
    """A sweep of one number: more power, more energy, sooner ends."""
    scenario = metered(drawn(0), load=0.8, jobs=40)
    found = [run(scenario, "powerflow", sizing__power_share=share) for share in (0.9, 1.2, 1.5, 100.0)]
    energy, jct = [ENERGY.of(records) for records in found], [MEAN_JCT.of(records) for records in found]
    assert jct == sorted(jct, reverse=True)
    assert energy == sorted(energy)


def test_powerflow_without_clocks_takes_more_energy_and_no_less_time() -> None:
    scenario = metered(drawn(0), load=0.8, jobs=40)
    slow = run(scenario, "powerflow", sizing__power_share=1.2)
    full = run(scenario, "powerflow", sizing__power_share=1.2, sizing__clocks=[1.0])
    assert ENERGY.of(full) > 1.05 * ENERGY.of(slow)
    assert MEAN_JCT.of(full) > MEAN_JCT.of(slow)


def test_powerflow_runs_memory_bound_jobs_slower() -> None:
    scenario = metered(drawn(0), load=0.8, jobs=40)
    records, profiles = run(scenario, "powerflow"), scenario.workload.jobs.profile or []  # type: ignore[union-attr]
    spans = records.job_spans
    assert spans.activity is not None
    bound = {word: np.array([word in (name or "") for name in profiles]) for word in ("compute-bound", "memory-bound")}
    activity = {word: spans.activity[rows[spans.owner]].mean() for word, rows in bound.items()}
    assert activity["memory-bound"] < 0.7 * activity["compute-bound"]


def test_an_order_by_deadline_meets_more_of_them_than_one_by_arrival() -> None:
    scenario = deadlines(drawn(4), load=0.9, slack=(1.5, 8.0))
    late = run(scenario, "edf", ordering="arrival")
    assert DEADLINES_MET.of(run(scenario, "edf")) > DEADLINES_MET.of(late)
