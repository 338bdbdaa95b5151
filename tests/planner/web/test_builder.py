"""The study builder: how many runs, complaints beside their field, a draft that survives."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from planner.studies.models import Run, Study
from tests.planner.web import material


@pytest.fixture
def parts(workspace, owner):
    return {name: str(revision.id) for name, revision in material.catalogue(workspace, owner).items()}


@pytest.fixture
def given(parts):
    return parts | {
        "question": "Is shortest first better?", "base_policy": "fcfs-quota", "policy": ["fcfs-quota", "sjf"],
        "nodes-v100": "+2, 16", "demand": "", "seeds": "3", "sampling": "resampled",
    }  # fmt: skip


def address(workspace, name="study-new"):
    return reverse(name, args=[workspace.slug])


def test_without_data_the_builder_leads_to_the_data(signed_in, workspace):
    page = signed_in.get(address(workspace)).content.decode()
    assert "A study needs a cluster and a workload first." in page


def test_the_first_page_proposes_a_handful_of_policies_that_lack_no_baseline(signed_in, workspace, parts):
    answer = signed_in.get(address(workspace))
    page = answer.content.decode()
    ticked = answer.context["chosen"]["policy"]
    assert len(ticked) == len(re.findall(r'name="policy" value="[\w-]+" checked', page)) == 6
    assert not any("Baseline missing" in warning for warning in answer.context["plan"].warnings)
    assert parts["cluster"] in page
    assert "What this asks for" in page


def test_the_plan_counts_scenarios_and_runs(signed_in, workspace, given):
    answer = signed_in.post(address(workspace, "study-new-plan"), given)
    plan = answer.context["plan"]
    assert (plan.scenarios, plan.runs, plan.already_known) == (6, 18, 0)
    assert "<b>18</b>" in answer.content.decode()


def test_a_complaint_stands_beside_its_field(signed_in, workspace, given):
    answer = signed_in.post(address(workspace), given | {"demand": "1 lots", "nodes-v100": "+x", "question": ""})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert Study.objects.count() == 0
    for field, words in (("demand", "“lots” is no number."), ("nodes", "“+x” is no number of nodes")):
        assert words in page.split(f'id="e-{field}"')[1].split("</p>")[0]


BAD = (
    ("cluster", "x"),
    ("workload", ""),
    ("prices", "y"),
    ("base_policy", "magic"),
    ("policy", ["magic"]),
    ("seeds", "0"),
    ("seeds", "many"),
    ("demand", "-1"),
    ("quotas", "vision"),
    ("horizon", "-2"),
    ("overhead-start_s", "-1"),
    ("parameters-sjf", "nothing"),
    ("parameters-sjf", "ordering.durations = guess"),
    ("nodes-v100", "-99"),
    ("question", "x" * 300),
    ("question", "\x00"),
)


@pytest.mark.parametrize(("field", "value"), BAD)
def test_bad_input_is_answered_in_words_and_saves_nothing(signed_in, workspace, given, field, value):
    answer = signed_in.post(address(workspace), given | {field: value})
    assert answer.status_code == 422
    assert any(answer.context["errors"].values())
    assert Study.objects.count() == 0


def test_starting_makes_the_study_and_queues_its_runs(signed_in, workspace, given):
    answer = signed_in.post(address(workspace), given)
    made = Study.objects.get()
    assert answer.url == reverse("study", args=[workspace.slug, made.id])
    assert Run.objects.filter(scenario__study=made, state=Run.State.QUEUED).count() == 18


def test_a_draft_survives_a_reload_until_it_is_started_or_begun_afresh(signed_in, workspace, given):
    signed_in.post(address(workspace, "study-new-plan"), given | {"question": "Half a thought"})
    assert "Half a thought" in signed_in.get(address(workspace)).content.decode()
    assert "Half a thought" not in signed_in.get(address(workspace), {"fresh": "1"}).content.decode()


def test_a_study_can_be_varied_from_where_it_stands(signed_in, workspace, given):
    signed_in.post(address(workspace), given | {"parameters-sjf": "ordering.durations = estimate-else-oracle"})
    made = Study.objects.get()
    page = signed_in.get(address(workspace), {"like": str(made.id)}).content.decode()
    assert "Is shortest first better?" in page
    assert "ordering.durations = estimate-else-oracle" in page
    assert 'value="+2, 16"' in page
