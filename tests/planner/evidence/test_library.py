"""The cited library is shown with its sources, filtered, beside studies of the same metric, and on no front."""

from __future__ import annotations

import pytest
from django.urls import reverse

from planner.compare.board import board
from planner.compare.fronts import front
from planner.evidence.cited import asked_of, beside, library
from planner.studies.models import Scenario
from tests.planner.web import material


@pytest.fixture
def study(workspace, owner):
    made = material.study(workspace, owner, scenarios=2, seeds=2)
    stranger = Scenario.objects.get(study=made, position=1)
    stranger.spec["training"]["system"] = "tiresias"
    stranger.save()
    return made


def test_filters_narrow_and_unknown_words_are_said():
    everything = library(asked_of({}))
    told = asked_of({"system": "tiresias", "metric": "jct_mean_s", "confidence": "read"})
    found = library(told)
    assert 0 < len(found) < len(everything)
    assert {(one.work.slug, one.of, one.claim.confidence) for one in found} == {("tiresias", "jct_mean_s", "read")}
    wrong = asked_of({"system": "nobody", "metric": "jct"})
    assert (len(wrong.notes), wrong.narrow) == (2, False)
    assert len(library(wrong)) == len(everything)


def test_claims_stand_beside_a_metric_by_system():
    (jct,) = beside(["jct_mean_s", "jct_mean_s", "jain_gpu_time"], {"tiresias", "sjf"})
    assert jct.total > len(jct.own) > 0
    assert {one.work.slug for one in jct.own} == {"tiresias"}


def test_the_page_shows_figure_source_and_confidence(signed_in, workspace):
    page = signed_in.get(reverse("library", args=[workspace.slug]), {"system": "tiresias"}).content.decode()
    for words in ("5.5", "60 P100 GPUs", "trace of 480 jobs", "abstract", "read", "never ranked", "not comparable"):
        assert words in page
    unknown = signed_in.get(reverse("library", args=[workspace.slug]), {"metric": "<b>"}).content.decode()
    assert "There is no metric “&lt;b&gt;”" in unknown
    none = signed_in.get(reverse("library", args=[workspace.slug]), {"system": "afs", "confidence": "recalled"})
    assert "Nothing was published like that" in none.content.decode()


def test_a_study_shows_what_was_published_about_its_metrics(signed_in, workspace, study):
    address = reverse("study", args=[workspace.slug, study.id])
    page = signed_in.get(address, {"x": "cost_usd", "y": "jct_mean_s"}).content.decode()
    assert "Tiresias: mean JCT" in page
    assert "other hardware: 60 P100 GPUs" in page
    assert "published claims about JCT, mean" in page


def test_no_claim_is_on_a_front(study):
    shown = front(board(study), "cost_usd", "jct_mean_s")
    assert {p.scenario_id for p in shown.points} == set(study.scenarios.values_list("id", flat=True))
    assert all(cell.origin != "cited" for p in shown.points for cell in (p.x, p.y) if cell)
