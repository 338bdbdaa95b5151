"""A job ends when its loss has got where it should, or gets no further; what that saves is counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.engine.view import InformationError, Regime
from simulation.loss_curve import EarlyStop, LossCurve
from simulation.metrics.summary import summarise
from simulation.rate_profile import Goodput, NoiseStep, RateProfile
from simulation.records import JobOutcome, RunRecords
from simulation.run import run_records
from simulation.scenario import Scenario, Workload
from tests.simulation.building import pool, table, training
from tests.simulation.engine.scripted import Scripted, loop_of, shrink, start

FALLS = LossCurve(name="falls", family="power", parameters={"a": 1, "alpha": 1, "c": 0}, iterations=100)  # 1 / x


def falling(**changes: Any) -> LossCurve:
    return FALLS.model_copy(update=changes)


def until(target: float) -> EarlyStop:
    return EarlyStop(target=target)


def scenario(*jobs: tuple[float, float, int], curve: LossCurve = FALLS, **columns: Any) -> Scenario:
    profiles = columns.pop("profiles", [])
    given = table(*jobs, loss=[curve.name] * len(jobs), **columns)
    return training(table(), pools=[pool()]).model_copy(
        update={"workload": Workload(jobs=given, profiles=profiles, losses=[curve])}
    )


def run(*jobs: tuple[float, float, int], **more: Any) -> RunRecords:
    return run_records(scenario(*jobs, **more))


def test_a_job_ends_with_the_iteration_that_reaches_the_target() -> None:
    """1 / x is 1/30 after 30 of 100 iterations, 300 of 1000 s."""
    records = run((0, 1000, 2), curve=falling(stop=until(1 / 30)))
    assert records.jobs.end_s.tolist() == [300.0]
    assert records.jobs.outcome.tolist() == [JobOutcome.FINISHED]
    assert records.jobs.isolated_s.tolist() == [300.0]
    assert records.jobs.saved_gpu_s is not None
    assert records.jobs.saved_gpu_s.tolist() == pytest.approx([2 * 700.0])


def test_a_job_whose_loss_gets_nowhere_ends_too() -> None:
    flat = falling(parameters={"a": 0, "alpha": 1, "c": 1}, stop=EarlyStop(patience=20))
    assert run((0, 1000, 2), curve=flat).jobs.end_s.tolist() == [210.0]  # the first is the best, then 20 without a gain


def test_a_curve_without_a_rule_or_a_target_never_reached_changes_nothing() -> None:
    plain = run_records(training(table((0, 1000, 2), (3, 70, 8)), pools=[pool()]))
    for curve in (FALLS, falling(stop=until(0.001))):
        records = run((0, 1000, 2), (3, 70, 8), curve=curve)
        assert records.jobs.end_s.tolist() == plain.jobs.end_s.tolist()
        assert records.jobs.saved_gpu_s is not None
        assert records.jobs.saved_gpu_s.tolist() == [0.0, 0.0]
    assert plain.jobs.saved_gpu_s is None


def test_those_who_wait_come_on_sooner() -> None:
    assert run((0, 1000, 8), (0, 1000, 8), curve=falling(stop=until(0.1))).jobs.end_s.tolist() == [100.0, 200.0]


def test_a_failure_that_would_have_come_later_does_not_come() -> None:
    stopped = run((0, 1000, 2), curve=falling(stop=until(0.1)), fate=["failed"])
    assert stopped.jobs.outcome.tolist() == [JobOutcome.FINISHED]
    assert run((0, 1000, 2), fate=["failed"]).jobs.outcome.tolist() == [JobOutcome.FAILED]


def test_the_document_of_a_run_says_how_many_and_how_much() -> None:
    given = scenario((0, 3600, 2), (0, 3600, 2), curve=falling(stop=until(0.02)))
    metrics = summarise(run_records(given), given)["metrics"]
    assert metrics["jobs_stopped_early"]["value"] == 2
    assert metrics["saved_gpu_h"]["value"] == pytest.approx(2.0)  # half of 2 GPUs x 2 jobs x 1 h
    plain = training(table((0, 10, 1)))
    unknown = summarise(run_records(plain), plain)["metrics"]["saved_gpu_h"]
    assert (unknown["value"], unknown["note"]) == (None, "no job has a loss curve")


def test_phases_of_a_profile_begin_where_they_would_have_begun() -> None:
    """Noise 0 for 20 % of the work, then 4: an end at 50 % comes as late as the middle of a run to the end does."""
    steps = [NoiseStep(progress=0, phi=0), NoiseStep(progress=0.2, phi=4)]
    adapting = RateProfile(
        name="p", goodput=Goodput(alpha_c_s=0.1, beta_c_s=0.01, batch=8, batch_max=64, batch_gpu_max=64, noise=steps)
    )
    tenth, half, end = (
        float(run((0, 1000, 2), curve=curve, profile=["p"], profiles=[adapting]).jobs.end_s[0])
        for curve in (falling(stop=until(0.1)), falling(stop=until(0.02)), FALLS)
    )
    assert end == pytest.approx(1000.0)
    assert half - 2 * tenth == pytest.approx((end - 2 * tenth) * 3 / 8)  # 30 of the 80 % of the second phase


def test_a_policy_sees_what_has_been_observed_and_nothing_of_the_end() -> None:
    """4 GPUs of 2 asked for: 5 s an iteration; the 25th is the last."""
    given = scenario((0, 1000, 2), curve=falling(stop=until(0.04)), gpus_min=[1], gpus_max=[4])
    loop = loop_of(given, Scripted({0.0: [start(0, 4)], 22.0: [], 60.0: [shrink(0, 2)], 100.0: []}))
    loop.view.regime = Regime.PROFILE
    loop.open()
    seen = []
    for at_s in (0.0, 22.0, 60.0, 100.0):
        loop.go_on(at_s)
        seen.append(len(loop.view.losses(0)))
        assert loop.view.losses(0).tolist() == [1 / x for x in range(1, seen[-1] + 1)]
        assert loop.view.work_s(np.array([0])).tolist() == pytest.approx(
            [1000.0 - 2 * min(at_s, 60) - max(0, at_s - 60)]
        )
    assert seen == [0, 4, 12, 16]
    assert loop.view.total_work_s(np.array([0])).tolist() == [1000.0]
    assert (loop.view.iterations(0), loop.view.stop_rule(0)) == (100, until(0.04))
    loop.go_on(np.inf)
    assert loop.ledger.end_s.tolist() == [190.0]
    assert len(loop.view.losses(0)) == 25


def test_how_many_iterations_were_asked_for_is_hidden_from_the_blind() -> None:
    loop = loop_of(scenario((0, 1000, 2)), Scripted({}))
    with pytest.raises(InformationError, match="iterations of a job are hidden"):
        loop.view.iterations(0)


def test_jobs_without_a_curve_have_no_losses() -> None:
    loop = loop_of(training(table((0, 1000, 2))), Scripted({}))
    loop.view.regime = Regime.PROFILE
    assert loop.view.losses(0).tolist() == []
    assert (loop.view.iterations(0), loop.view.stop_rule(0)) == (0, None)
