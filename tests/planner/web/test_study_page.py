"""The page of a study: it renders in every state, and the address bar is the view."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.planner.web import material


@pytest.fixture
def study(workspace, owner):
    return material.study(workspace, owner)


def page(client, study, **params):
    return client.get(reverse("study", args=[study.workspace.slug, study.id]), params)


def test_a_finished_study_shows_front_limits_and_comparison(signed_in, study):
    text = page(signed_in, study).content.decode()
    assert study.question in text
    assert "figure-front" in text
    assert "no difference shown" in text or "baseline" in text


def test_a_study_without_results_says_so(signed_in, workspace, owner):
    waiting = material.study(workspace, owner, done=False)
    text = page(signed_in, waiting).content.decode()
    assert "No figure: No run has finished yet." in text
    assert "data-poll" in text
