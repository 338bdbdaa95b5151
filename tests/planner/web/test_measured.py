"""Where the workload is a log with measured waits, runs and studies show them beside the simulation."""

from __future__ import annotations

import pytest
from django.urls import reverse

from planner.studies.models import Run, Scenario
from planner.web.figures.distribution import Curve, distribution_figure
from simulation.provenance import Origin
from tests.planner.web import material
from tests.planner.web.result_document import HOUR, spread_of

WAITS = {
    "n": 80,
    "mean_s": 1200.0,
    "p50_s": 0.0,
    "p90_s": HOUR,
    "p95_s": 2 * HOUR,
    "p99_s": 4 * HOUR,
    "max_s": 5 * HOUR,
}


@pytest.fixture
def study(workspace, owner):
    return material.study(workspace, owner, scenarios=2, seeds=2, facts={"waits": WAITS, "completions": None})


def shown(client, study, position):
    run = Run.objects.get(scenario__study=study, scenario__position=position, seed=1)
    return client.get(reverse("run", args=[study.workspace.slug, run.id]))


def test_measured_points_stand_beside_the_curves_and_are_not_joined(signed_in, study):
    for position in (0, 1):
        wait, jct = shown(signed_in, study, position).context["figures"]["spread"]
        measured = [key.text for key in wait.key if "June log" in key.text]
        assert measured == ["June log rev 1, A assumed"]
        points = [trace for trace in wait.data if trace["x"] == [HOUR, 2 * HOUR, 4 * HOUR]]
        assert [trace["mode"] for trace in points] == ["markers"]
        assert "P50 is 0 s, off this axis." in wait.sources[-1].text
        assert "n = 80" in wait.sources[-1].text
        assert "June log" not in jct.head


def test_the_base_is_held_against_the_log_and_no_other_scenario(signed_in, study):
    base = shown(signed_in, study, 0).content.decode()
    assert "Simulated against measured" in base
    assert "the log measured 0" in base
    assert "n&lt;100" in base
    assert "jobs drawn anew: not the very jobs of the log" in base
    assert "Simulated against measured" not in shown(signed_in, study, 1).content.decode()


def test_a_replay_is_not_said_to_be_drawn_anew(signed_in, study):
    base = Scenario.objects.get(study=study, position=0)
    Scenario.objects.filter(id=base.id).update(spec=base.spec | {"sampling": {"mode": "replay", "demand_factor": 1.0}})
    assert "jobs drawn anew" not in shown(signed_in, study, 0).content.decode()


def test_the_study_shows_the_error_that_travels_with_it(signed_in, study):
    page = signed_in.get(reverse("study", args=[study.workspace.slug, study.id])).content.decode()
    assert 'href="#measured"' in page
    assert "An error here travels with every scenario of the study." in page


def test_a_workload_without_measured_waits_says_nothing_of_them(signed_in, workspace, owner):
    made = material.study(workspace, owner, scenarios=1, seeds=2)
    assert "Simulated against measured" not in shown(signed_in, made, 0).content.decode()


def test_a_figure_of_single_points_interpolates_nothing():
    curve = Curve("run", "sc1", Origin.SIMULATED, spread_of(HOUR)["curve"], 100, main=True)
    points = Curve("log", "measured", Origin.MEASURED, [(0.5, 60.0), (0.99, HOUR)], 80, joined=False)
    figure = distribution_figure("wait", "Wait", "Queueing delay", "jobs", [curve, points])
    assert [row[2] for row in figure.rows] == ["60 s", "–", "–", "60 min", "–"]
    (trace,) = [t for t in figure.data if t["x"] == [60.0, HOUR]]
    assert trace["mode"] == "markers"
    assert trace["marker"]["symbol"] == "circle"
