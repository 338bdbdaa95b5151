"""A plan says how many runs a study has, how many are known, how long it takes, and what is missing."""

from __future__ import annotations

import pytest
from django.utils import timezone

from planner.studies.models import Process, Result, Run, Study
from planner.studies.pace import Pace, takes_s
from planner.studies.planning import study_plan
from planner.studies.progress import progress_of
from planner.studies.services import study_create
from simulation import ENGINE_VERSION

AXES = {"training": [{"system": "fcfs-quota"}, {"system": "sjf"}], "seeds": 3}


@pytest.fixture(autouse=True)
def _no_broker(settings):
    settings.REDIS_URL = ""


@pytest.fixture
def worker(db):
    now = timezone.now()
    return lambda slots=2: Process.objects.create(
        name="w", kind="worker", slots=slots, started_at=now, last_seen=timezone.now()
    )


@pytest.fixture
def finish(workspace, owner, catalogue):
    """Asks a study and finishes some of its runs with the given seconds of compute."""

    def make(question, seconds_by_seed, axes=AXES, **base):
        study = study_create(workspace=workspace, user=owner, question=question, base=catalogue.base(**base), axes=axes)
        for run in Run.objects.filter(scenario__study=study, seed__in=seconds_by_seed).select_related("scenario"):
            result = Result.objects.create(
                scenario_digest=run.scenario.digest, seed=run.seed, engine_version=ENGINE_VERSION, document={},
                sha256="", compute_s=seconds_by_seed[run.seed],
            )  # fmt: skip
            Run.objects.filter(pk=run.pk).update(state="done", result=result, finished_at=timezone.now(), progress=1.0)
        return study

    return make


def test_runs_are_counted_before_anything_is_saved(workspace, catalogue):
    plan = study_plan(workspace, catalogue.base(), AXES)
    assert (plan.scenarios, plan.runs, plan.already_known, plan.ahead, plan.problems) == (2, 6, 0, 0, ())
    assert not Study.objects.exists()


def test_problems_are_told_and_not_raised(workspace, catalogue):
    plan = study_plan(workspace, catalogue.base(cluster="x"), {"seeds": 0})
    assert [p.field for p in plan.problems] == ["base.cluster", "axes.seeds"]


def test_known_answers_are_not_counted_as_work(workspace, catalogue, worker, finish):
    worker()
    finish("First", {0: 2.0, 1: 2.0, 2: 2.0})
    plan = study_plan(workspace, catalogue.base(), AXES)
    assert (plan.runs, plan.already_known, plan.takes_s) == (6, 6, (0.0, 0.0))


def test_without_a_worker_or_a_past_the_time_is_unsure(workspace, catalogue, worker, finish):
    alone = study_plan(workspace, catalogue.base(), AXES)
    assert (alone.takes_s, alone.starts_in_s, alone.workers) == (None, None, 0)
    worker()
    plan = study_plan(workspace, catalogue.base(), AXES)
    assert (plan.takes_s, plan.starts_in_s) == (None, (0.0, 0.0))
    assert not any("worker" in w for w in plan.warnings)


def test_time_is_a_range_from_past_runs_of_the_same_workload(workspace, catalogue, worker, finish):
    worker(slots=2)
    finish("First", {0: 9.0, 1: 10.0, 2: 11.0})
    plan = study_plan(workspace, catalogue.base(sampling={"demand_factor": 2.0}), AXES)
    low, high = plan.takes_s
    assert 15.0 < low < 30.0 < high < 60.0  # 6 runs of about 10 s on 2 slots


def test_the_queue_ahead_is_told(workspace, catalogue, worker, finish):
    worker()
    finish("First", {0: 10.0, 1: 10.0})
    plan = study_plan(workspace, catalogue.base(sampling={"demand_factor": 2.0}), AXES)
    assert plan.ahead == 2
    assert plan.starts_in_s == (10.0, 10.0)


def test_a_workload_replayed_as_it_is_with_many_seeds_is_pointed_out(workspace, catalogue):
    warned = " ".join(study_plan(workspace, catalogue.base(), AXES).warnings)
    assert "seeds differ only where requests are generated" in warned
    assert "No worker has given a sign of life lately" in warned
    one = study_plan(workspace, catalogue.base(sampling={"mode": "resampled"}), {"seeds": 1})
    assert any("no interval" in w for w in one.warnings)


def test_progress_counts_states_and_parts_of_running_runs(workspace, worker, finish):
    worker(slots=1)
    study = finish("First", {0: 10.0, 1: 10.0})
    waiting = Run.objects.filter(scenario__study=study, seed=2)
    waiting.filter(scenario__position=0).update(state="running", progress=0.5)
    progress = progress_of(study)
    assert progress.states == {"done": 4, "running": 1, "queued": 1}
    assert progress.fraction == 4.5 / 6
    assert progress.left_s == (15.0, 15.0)
    assert (progress.words, progress.finished, progress.done) == ("4 of 6 runs", False, 4)
    waiting.update(state="failed")
    ended = progress_of(study)
    assert (ended.finished, ended.left_s, ended.words) == (True, (0.0, 0.0), "4 of 6 runs, 2 failed")


def test_the_range_widens_with_the_spread_and_narrows_with_what_is_known():
    steady, wild = Pace.of([10.0, 10.0, 10.0]), Pace.of([1.0, 10.0, 19.0])
    assert takes_s({"a": 4}, {"a": steady}, 1) == (40.0, 40.0)
    low, high = takes_s({"a": 4}, {"a": wild}, 1)
    assert low < 40.0 < high
    more = Pace.of([1.0, 10.0, 19.0] * 10)
    assert takes_s({"a": 4}, {"a": more}, 1)[1] < high


def test_more_slots_than_runs_do_not_help():
    assert takes_s({"a": 2}, {"a": Pace.of([10.0, 10.0])}, 8)[1] == 10.0


def test_a_system_that_was_never_seen_takes_the_pace_of_all():
    assert takes_s({"new": 1}, {"": Pace.of([4.0, 4.0])}, 1) == (4.0, 4.0)
    assert takes_s({"new": 1}, {"a": Pace.of([4.0, 4.0])}, 1) is None
