"""Each of the twelve points follows from stored facts: change the fact, and the answer changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from planner.evidence.bundles.bringing_in import Agreement
from planner.evidence.point_facts import Facts, Replication, facts_of_run, facts_of_study
from planner.evidence.points import Answer, points
from planner.studies.models import Run
from simulation import ENGINE_VERSION
from simulation.scenario import Choice
from tests.planner.web import material

ASKED = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
ENTRY = {"value": 0.0, "origin": "simulated"}
METRICS = dict.fromkeys(("resizes", "cost_usd", "utilisation_allocated"), ENTRY)
BALANCED = {"gpu_s_allocated": 10.0, "useful": 7.0, "overhead": 2.0, "lost": 1.0, "residual": 0.0}
LATENCY = {"chat": [{"percentile": 50, "queue_s": 1.0, "batch_wait_s": 0.5, "load_s": 0.0, "execute_s": 2.0,
                     "total_s": 3.5}]}  # fmt: skip


def revision(name="June log", *, file_name="sacct.psv", **detail):
    read = {"format": "slurm-sacct", "version": 3, "counts": {"rejected": 7}}
    source = SimpleNamespace(title="typed in", file_name=file_name, sha256="ab" * 32, detail={**read, **detail})

    class Revision(SimpleNamespace):
        def __str__(self):
            return f"{name} rev 1"

    return Revision(source=source, digest="cd" * 32, origin="measured")


def replication(**changes):
    made = Replication(0, ENGINE_VERSION, 1.5, METRICS, BALANCED, LATENCY, {"decisions": 40})
    return replace(made, **changes)


def facts(**changes):
    made = Facts(
        of="study", limits=({"metric": "wait_p95_s", "limit": 1.0, "hard": True},), asked_at=ASKED,
        first_started=ASKED + timedelta(seconds=5), workload=revision(), cluster=revision("Lab"), sampling="resampled",
        jobs=12, services=0, training=(Choice(system="fcfs-quota"),), regimes=("blind",), baselines_missing=(),
        axes={"demand_factors": [1.0, 2.0]}, runs=2, open_runs=0, replications=(replication(), replication()),
        seeds=(2,), signatures={"fcfs-quota": False}, agreement=None,
    )  # fmt: skip
    return replace(made, **changes)


def finding(number, **changes):
    return points(facts(**changes))[number - 1].finding


def without(metric):
    return replication(metrics={**METRICS, metric: {**ENTRY, "value": None}})


def unbalanced(part):
    return replication(conservation={**BALANCED, part: 99.0})


@pytest.mark.parametrize(
    ("number", "changes", "answer", "words"),
    [
        (1, {}, Answer.MET, "1 limits, 1 of them hard, were stored on 2026-11-01 12:00 UTC, before any run"),
        (1, {"limits": ()}, Answer.NOT_MET, "No limit was stored"),
        (2, {}, Answer.MET, "by reader slurm-sacct version 3; 7 rows rejected"),
        (2, {"workload": None}, Answer.NOT_MET, "is gone"),
        (2, {"workload": revision(file_name="")}, Answer.MET, "not a log: typed in"),
        (3, {}, Answer.NOT_MET, "Lab rev 1"),
        (4, {}, Answer.MET, "All three baselines"),
        (4, {"jobs": 0}, Answer.NOT_APPLICABLE, "no training jobs"),
        (4, {"baselines_missing": ("a policy that prefers short jobs",)}, Answer.NOT_MET, "prefers short jobs"),
        (4, {"regimes": ("blind", "oracle")}, Answer.NOT_MET, "know different things: blind, oracle"),
        (5, {}, Answer.NOT_APPLICABLE, "No policy predicts"),
        (5, {"regimes": ("blind", "history")}, Answer.NOT_MET, "history"),
        (6, {}, Answer.NOT_MET, "both add up"),
        (6, {"replications": (replication(), unbalanced("lost"))}, Answer.NOT_MET, "10.0 GPU-s allocated, 108.0"),
        (7, {}, Answer.NOT_APPLICABLE, "No job was resized"),
        (7, {"replications": (replication(metrics={**METRICS, "resizes": {**ENTRY, "value": 3.0}}),)},
         Answer.NOT_MET, "resized 3 times"),
        (8, {}, Answer.NOT_MET, "Swept here: load; ablated: no policy"),
        (8, {"signatures": {"tiresias": True}}, Answer.NOT_MET, "ablated: tiresias"),
        (9, {}, Answer.MET, "intervals over 2 seeds"),
        (9, {"seeds": (2, 1)}, Answer.NOT_MET, "1 finished seed: no interval"),
        (9, {"replications": (replication(), without("cost_usd"))}, Answer.NOT_MET, "unknown: cost_usd"),
        (10, {}, Answer.NOT_MET, "80 decisions in 3 s"),
        (11, {}, Answer.MET, "Each of 6 values carries the weakest origin of its inputs: simulated 100 %"),
        (11, {"replications": (replication(metrics={"resizes": {**ENTRY, "origin": "measured"}}),)}, Answer.NOT_MET,
         "claims to be measured"),
        (12, {}, Answer.MET, "one command runs it again"),
        (12, {"open_runs": 1}, Answer.NOT_MET, "1 of 2 runs have not ended"),
        (12, {"engine": "9.9"}, Answer.NOT_MET, "this installation has 9.9"),
        (12, {"agreement": Agreement(None, 1, ("a run",), 0)}, Answer.NOT_MET, "1 results differ from the bundle"),
        (12, {"agreement": Agreement(None, 2, (), 0)}, Answer.MET, "2 results equal those of the bundle"),
    ],
)  # fmt: skip
def test_the_answer_follows_from_the_facts(number, changes, answer, words):
    found = finding(number, **changes)
    assert found.answer is answer
    assert words in found.why


def test_latency_that_does_not_add_up_is_named():
    wrong = {"chat": [{**LATENCY["chat"][0], "total_s": 3.6}]}
    found = finding(6, replications=(replication(latency_parts=wrong),))
    assert found.why == "Latency of chat does not add up at its 50th percentile."


def test_what_this_version_cannot_answer_says_so():
    beyond = {point.number for point in points(facts()) if point.finding.beyond}
    assert beyond == {3, 6, 8, 10}


def test_without_a_finished_run_nothing_about_results_is_met():
    bare = facts(replications=(), seeds=(0,), open_runs=2)
    met = {point.number for point in points(bare) if point.finding.answer is Answer.MET}
    assert met == {1, 2, 4}


@pytest.mark.django_db
def test_a_study_and_its_run_are_answered_from_their_rows(workspace, owner):
    made = material.study(workspace, owner, scenarios=2, seeds=3)
    of_study = facts_of_study(made)
    assert (of_study.runs, len(of_study.replications), of_study.seeds) == (6, 6, (3, 3))
    assert of_study.training == (Choice(system="fcfs-quota"),)
    assert len(of_study.baselines_missing) == 2
    of_run = facts_of_run(Run.objects.filter(scenario__study=made).first())
    assert (of_run.runs, of_run.seeds) == (1, (1,))
    answers = [point.finding.answer for point in points(of_run)]
    assert answers[8] is Answer.NOT_MET
    assert [point.number for point in points(of_study)] == list(range(1, 13))
