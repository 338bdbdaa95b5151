"""The page of a run: figures, tables that add up, and what happened in words."""

from __future__ import annotations

import pytest
from django.urls import reverse

from planner.studies.models import Run
from tests.planner.web import material


@pytest.fixture
def run(workspace, owner):
    study = material.study(workspace, owner, scenarios=4, seeds=3)
    return Run.objects.get(scenario__study=study, scenario__position=2, seed=1)


def shown(client, workspace, run):
    return client.get(reverse("run", args=[workspace.slug, run.id])).content.decode()


def test_a_finished_run_shows_its_figures(signed_in, workspace, run):
    page = shown(signed_in, workspace, run)
    wanted = ("wait", "jct", "wait-by-gang", "latency-rank", "usage")
    assert [name for name in wanted if f'data-figure="{name}"' not in page] == []


def test_unfinished_work_is_said_in_words(signed_in, workspace, run):
    page = shown(signed_in, workspace, run)
    assert "110 finished + 6 running at the end + 3 still waiting at the end + 1 that can never run here" in page


def test_the_cost_lines_and_their_sum_stand_on_the_page(signed_in, workspace, run):
    page = shown(signed_in, workspace, run)
    assert "3,000.00" in page
    assert "<b>3,250.00</b>" in page


def test_the_other_seeds_are_one_click_away(signed_in, workspace, run):
    page = shown(signed_in, workspace, run)
    others = Run.objects.filter(scenario=run.scenario).exclude(id=run.id)
    assert all(reverse("run", args=[workspace.slug, other.id]) in page for other in others)


def test_a_run_without_result_says_why(signed_in, workspace, run):
    Run.objects.filter(id=run.id).update(state=Run.State.FAILED, result=None, reason="Needed more memory.")
    page = shown(signed_in, workspace, run)
    assert "Needed more memory." in page
    assert "Retry" in page
    assert 'data-figure="wait"' not in page


def test_the_result_is_handed_out_as_the_engine_wrote_it(signed_in, workspace, run):
    answer = signed_in.get(reverse("run-json", args=[workspace.slug, run.id]))
    assert answer.json() == run.result.document


def test_retry_and_cancel_lead_back_to_our_own_pages_only(signed_in, workspace, run):
    Run.objects.filter(id=run.id).update(state=Run.State.FAILED, result=None)
    run.result.delete()
    own, queue = reverse("run", args=[workspace.slug, run.id]), reverse("queue", args=[workspace.slug])
    address = reverse("run-retry", args=[workspace.slug, run.id])
    assert signed_in.post(address, {"next": "https://elsewhere.example/"}).url == queue
    run.refresh_from_db()
    assert run.state == Run.State.QUEUED
    assert signed_in.post(address, {"next": own}).url == own
