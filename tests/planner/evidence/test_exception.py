"""A reviewer may except a refused scenario, with a reason that everybody sees; nobody edits it, and it can be ended."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.http import QueryDict
from django.urls import reverse

from planner.accounts.immutable import ImmutableError
from planner.accounts.models import AuditEntry, Role
from planner.compare.board import board
from planner.compare.fronts import front
from planner.evidence.bundles.contents import study_experiment, without_names
from planner.evidence.exceptions import (
    ExceptionError,
    excepted,
    exception_record,
    exception_revoke,
    history,
    refusals_of,
)
from planner.evidence.models import ComparabilityException
from planner.studies.models import Result, Run, Scenario
from planner.web.exports.study_tables import study_table
from planner.web.study_facts import caption
from tests.planner.web import material

WHY = "The last hour holds no job, so the shorter horizon changes nothing."
REFUSAL = "Other horizon: 3600 s, not until all work has ended."


@pytest.fixture
def stranger(workspace, owner):
    """A scenario under another horizon, as a hand in the database may bring it, with results as if it had been run."""
    study = material.study(workspace, owner, scenarios=3, seeds=2)
    row = Scenario.objects.get(study=study, position=2)
    row.spec, row.family, row.label = {**row.spec, "horizon_s": 3600}, "another", "Stranger"
    row.save()
    return Scenario.objects.select_related("study__workspace").get(pk=row.pk)


@pytest.fixture
def reviewer(member):
    return member(Role.REVIEWER)


def labels(study):
    return [row.label for row in board(study).rows]


def test_without_an_exception_it_is_refused(stranger):
    assert refusals_of(stranger.study) == {stranger.id: REFUSAL}
    assert "Stranger" not in labels(stranger.study)


def test_with_one_it_is_compared_and_the_chart_says_who_when_and_why(stranger, reviewer):
    row = exception_record(scenario=stranger, user=reviewer, justification=WHY)
    table = board(stranger.study)
    assert "Stranger" in labels(stranger.study)
    assert table.excluded == ()
    said = caption(stranger.study, table)
    for words in ("Stranger", "reviewer-person", f"{row.made_at:%Y-%m-%d}", REFUSAL, WHY):
        assert words in said
    assert "Stranger" in {point.label for point in front(table, "cost_usd", "jct_mean_s").points if point.x}


def test_another_difference_than_the_excepted_one_is_refused_again(stranger, reviewer):
    exception_record(scenario=stranger, user=reviewer, justification=WHY)
    stranger.spec["horizon_s"] = 7200
    stranger.save()
    assert "Stranger" not in labels(stranger.study)
    exception_record(scenario=stranger, user=reviewer, justification=WHY)
    assert "Stranger" in labels(stranger.study)


def test_an_exception_is_ended_by_a_row_that_supersedes_it(stranger, reviewer, owner):
    first = exception_record(scenario=stranger, user=reviewer, justification=WHY)
    last = exception_revoke(scenario=stranger, user=owner, justification="There is a job in the last hour after all.")
    assert last.supersedes == first
    assert "Stranger" not in labels(stranger.study)
    assert [row.admits for row in history(stranger.study)] == [True, False]
    again = exception_record(scenario=stranger, user=reviewer, justification=WHY)
    assert again.supersedes == last
    actions = AuditEntry.objects.filter(action__startswith="exception.").values_list("action", flat=True)
    assert sorted(actions) == ["exception.record", "exception.record", "exception.revoke"]


def test_rows_are_never_edited(stranger, reviewer):
    row = exception_record(scenario=stranger, user=reviewer, justification=WHY)
    row.justification = "Another reason, thought of later on."
    with pytest.raises(ImmutableError):
        row.save()
    with pytest.raises(ImmutableError):
        ComparabilityException.objects.update(admits=False)


@pytest.mark.parametrize("role", [Role.PLANNER, Role.MANAGER])
def test_whoever_is_no_reviewer_may_not(stranger, member, role):
    person = member(role)
    for write in (exception_record, exception_revoke):
        with pytest.raises(PermissionDenied):
            write(scenario=stranger, user=person, justification=WHY)


def test_what_makes_no_sense_is_refused_in_words(stranger, reviewer):
    with pytest.raises(ExceptionError, match=r"has 4 characters; expected 20 to 1,000"):
        exception_record(scenario=stranger, user=reviewer, justification=" why? ")
    with pytest.raises(ExceptionError, match="No exception of Stranger stands"):
        exception_revoke(scenario=stranger, user=reviewer, justification=WHY)
    base = Scenario.objects.select_related("study__workspace").get(study=stranger.study, position=0)
    with pytest.raises(ExceptionError, match="compared anyhow"):
        exception_record(scenario=base, user=reviewer, justification=WHY)
    exception_record(scenario=stranger, user=reviewer, justification=WHY)
    with pytest.raises(ExceptionError, match="by exception already"):
        exception_record(scenario=stranger, user=reviewer, justification=WHY)


def test_it_goes_with_the_bundle_without_its_names_where_names_go(stranger, reviewer):
    for result in Result.objects.all():
        result.document["services"], result.document["latency_parts"] = [], {}
        result.document["distributions"].pop("latency:rank")
        result.save()
    exception_record(scenario=stranger, user=reviewer, justification=WHY)
    experiment = study_experiment(stranger.study, ("cost_usd", "jct_mean_s"))
    (told,) = experiment.study["exceptions"]
    assert (told["scenario"], told["by"], told["justification"]) == ("Stranger", "reviewer-person", WHY)
    assert set(experiment.families) == {"one"}, "so that the front of the bundle is that of the page"
    (bare,) = without_names(experiment).study["exceptions"]
    assert "reviewer-person" not in json.dumps(bare)
    exception_revoke(scenario=stranger, user=reviewer, justification=WHY)
    assert study_experiment(stranger.study, ("cost_usd", "jct_mean_s")).study["exceptions"] == []


def test_the_page_records_and_ends_it(client, workspace, stranger, reviewer, member):
    address = reverse("study-exceptions", args=[workspace.slug, stranger.study_id])
    client.force_login(reviewer)
    assert REFUSAL in client.get(address).content.decode()
    wrong = client.post(address, {"scenario": stranger.id, "justification": "no"})
    assert (wrong.status_code, "has 2 characters" in wrong.content.decode()) == (400, True)
    given = {"scenario": stranger.id, "justification": WHY}
    assert client.post(address, given | {"act": "record"}, follow=True).status_code == 200
    study = client.get(reverse("study", args=[workspace.slug, stranger.study_id])).content.decode()
    assert "is compared by exception (reviewer-person" in study
    assert ">by exception</a>" in study
    client.force_login(member(Role.PLANNER))
    seen = client.get(address).content.decode()
    assert WHY in seen
    assert "<textarea" not in seen
    assert client.post(address, given | {"act": "end"}).status_code == 403
    client.force_login(reviewer)
    client.post(address, given | {"act": "end"})
    assert not excepted(stranger.study, refusals_of(stranger.study))


def test_the_api_does_the_same(client, workspace, stranger, reviewer):
    client.force_login(reviewer)
    address = reverse("api:study-exceptions", args=[workspace.slug, stranger.study_id])
    body = {"scenario": str(stranger.id), "justification": WHY}
    made = client.post(address, body, content_type="application/json")
    assert (made.status_code, made.json()["refusal"]) == (201, REFUSAL)
    shown = client.get(reverse("api:study-board", args=[workspace.slug, stranger.study_id])).json()["exceptions"]
    assert [(one["label"], one["by"], one["justification"]) for one in shown] == [("Stranger", "reviewer-person", WHY)]
    assert (
        client.get(reverse("api:study-front", args=[workspace.slug, stranger.study_id])).json()["exceptions"] == shown
    )
    assert client.post(address, body, content_type="application/json").status_code == 400
    ended = client.post(address, body | {"admits": False}, content_type="application/json")
    assert ended.json()["supersedes"] == made.json()["id"]
    assert [row["admits"] for row in client.get(address).json()] == [True, False]


def test_runs_of_an_excepted_scenario_stay_its_own(stranger, reviewer):
    exception_record(scenario=stranger, user=reviewer, justification=WHY)
    row = board(stranger.study).row(stranger.id)
    assert set(row.run_ids) == set(Run.objects.filter(scenario=stranger).values_list("id", flat=True))


@pytest.mark.parametrize("table", ["comparison", "front"])
def test_a_table_that_is_taken_along_says_it(stranger, reviewer, table):
    study_table(stranger.study, table, QueryDict())  # refused: its front has a point of no row
    exception_record(scenario=stranger, user=reviewer, justification=WHY)
    assert WHY in study_table(stranger.study, table, QueryDict()).about["by exception"]
