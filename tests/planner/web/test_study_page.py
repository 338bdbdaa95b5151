"""The page of a study: it renders in every state, the address bar is the view, numbers lead to their sources."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from planner.studies.models import Run, Scenario
from tests.planner.web import material


@pytest.fixture
def study(workspace, owner):
    return material.study(workspace, owner)


def page(client, study, query="", name="study", **headers):
    return client.get(reverse(name, args=[study.workspace.slug, study.id]) + query, headers=headers)


def text(*args, **kwargs):
    return page(*args, **kwargs).content.decode()


def test_a_finished_study_shows_front_limits_and_comparison(signed_in, study):
    shown = text(signed_in, study)
    assert study.question in shown
    assert 'data-figure="front"' in shown
    assert "Binding: Wait, P95" in shown
    assert "no difference shown" in shown


def test_a_study_without_results_says_so_and_asks_again(signed_in, workspace, owner):
    shown = text(signed_in, material.study(workspace, owner, done=False))
    assert "No figure: No run has finished yet." in shown
    assert "study-progress" in shown
    assert "data-poll" in shown


def test_missing_numbers_are_dashes_with_a_reason(signed_in, workspace, owner):
    shown = text(signed_in, material.study(workspace, owner, done=False), "?columns=cost_usd")
    assert 'data-why="no run has finished yet"' in shown


def test_one_seed_is_said_and_draws_no_arrow(signed_in, workspace, owner):
    shown = text(signed_in, material.study(workspace, owner, seeds=1))
    assert "1 seed" in shown
    assert "↓" not in shown


BAD = [
    "?x=nonsense", "?y=<script>", "?x=cost_usd&y=cost_usd", "?baseline=42", "?baseline=%00", "?limit.cost_usd=cheap",
    "?limit.nothing=3", "?limit.cost_usd=nan", "?limit.cost_usd=1e999", "?hide=everything", "?drop=gold",
    "?columns=colour", "?sort=--", "?sort=-nothing", "?x=", "?limit.cost_usd=", "?%ff=%fe", "?x=" + "a" * 3000,
]  # fmt: skip


@pytest.mark.parametrize("query", BAD)
def test_a_bad_address_gives_the_default_and_a_note_never_a_failure(signed_in, study, query):
    answer = page(signed_in, study, query)
    assert answer.status_code == 200
    shown = answer.content.decode()
    assert '<script>"' not in shown
    if query not in ("?x=", "?limit.cost_usd=", "?%ff=%fe"):
        assert 'class="note warn mb"' in shown


def test_the_address_holds_only_what_differs_from_the_default(signed_in, study):
    answer = page(signed_in, study, "?x=cost_usd&y=wait_p95_s&hide=dominated&limit.cost_usd=90000", HX_Request="true")
    assert answer["HX-Replace-Url"].endswith("/?limit.cost_usd=90000&hide=dominated")


def test_a_limit_in_the_address_turns_scenarios_away(signed_in, study):
    before, after = page(signed_in, study), page(signed_in, study, "?limit.cost_usd=80000")
    assert after.context["front"].counts["survive"] < before.context["front"].counts["survive"]


def test_any_row_can_be_the_baseline(signed_in, study):
    other = Scenario.objects.get(study=study, position=5)
    shown = text(signed_in, study, f"?baseline={other.id}")
    assert f"against {other.label}" in shown


def test_rows_are_sorted_by_the_metric_in_the_address(signed_in, study):
    lines = page(signed_in, study, "?sort=-cost_usd").context["lines"]
    costs = [line.row.cells["cost_usd"].value for line in lines]
    assert costs == sorted(costs, reverse=True)


def test_a_number_opens_its_source(signed_in, study):
    scenario = Scenario.objects.filter(study=study).first()
    shown = text(signed_in, study, f"?scenario={scenario.id}&metric=cost_usd", name="study-source")
    assert "assumed" in shown
    assert "2026-07 rev 1" in shown
    assert scenario.digest in shown
    assert reverse("run", args=[study.workspace.slug, Run.objects.get(scenario=scenario, seed=0).id]) in shown


@pytest.mark.parametrize("query", ["", "?scenario=x&metric=cost_usd", "?scenario=&metric=nothing"])
def test_a_number_that_does_not_exist_has_no_source(signed_in, study, query):
    assert page(signed_in, study, query, name="study-source").status_code == 404


def test_the_exported_table_holds_the_numbers_of_the_page_and_no_formula(signed_in, study):
    Scenario.objects.filter(study=study, position=1).update(label="=HYPERLINK(1)")
    address = reverse("study-file", args=[study.workspace.slug, study.id, "comparison", "csv"])
    answer = signed_in.get(address)
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    row = next(r for r in rows if r["metric"] == "cost_usd")
    assert float(row["value"]) == 71_200
    assert row["origin"] == "assumed"
    assert any(r["scenario"] == "'=HYPERLINK(1)" for r in rows)
    assert not [cell for r in rows for cell in r.values() if cell.startswith(("=", "+", "@"))]


def test_progress_is_one_light_answer_and_304_when_nothing_changed(signed_in, workspace, owner):
    waiting = material.study(workspace, owner, scenarios=2, done=False)
    first = page(signed_in, waiting, name="study-progress")
    again = page(signed_in, waiting, name="study-progress", If_None_Match=first["ETag"])
    assert (first.status_code, again.status_code) == (200, 304)
    Run.objects.filter(scenario__study=waiting, seed=0).update(state=Run.State.RUNNING, progress=0.5)
    assert page(signed_in, waiting, name="study-progress", If_None_Match=first["ETag"]).status_code == 200


def test_cancel_stops_what_has_not_ended(signed_in, workspace, owner):
    waiting = material.study(workspace, owner, scenarios=2, done=False)
    signed_in.post(reverse("study-cancel", args=[workspace.slug, waiting.id]))
    assert set(Run.objects.filter(scenario__study=waiting).values_list("state", flat=True)) == {Run.State.CANCELLED}


def test_where_the_mean_ties_the_page_says_what_tells_them_apart(signed_in, workspace, owner):
    made = material.tied_study(workspace, owner)
    shown = text(signed_in, made)
    assert "Mean JCT cannot choose between A keeps 4 and A shrinks to 2: 1,950 s and 1,950 s." in shown
    assert "JCT, median" in shown
    assert 'data-figure="jct-by-tenant"' in shown


def test_the_better_of_two_ties_is_named_beside_its_value(signed_in, workspace, owner):
    shown = text(signed_in, material.tied_study(workspace, owner))
    row = shown.split("JCT, median")[1].split("</tr>")[0]
    first, second = row.split("<td")[1:]
    assert "1,800" in first
    assert "better" not in first
    assert "better" in second
    assert "<b>900</b>" in second


def test_values_of_a_tie_say_where_they_come_from(signed_in, workspace, owner):
    made = material.tied_study(workspace, owner)
    answer = page(signed_in, made)
    (tie,) = answer.context["ties"]
    after_the_table = answer.content.decode().split('id="ties"')[1].split("</table>")[1].split("</p>")[0]
    assert tie.origin.value in after_the_table
    assert tie.origin == tie.first.cells["jct_mean_s"].origin


def test_what_may_not_be_compared_stands_beside_the_front_with_a_reason(signed_in, study):
    other = Scenario.objects.get(study=study, position=7)
    other.family, other.spec = "another", other.spec | {"horizon_s": 3600}
    other.save()
    answer = page(signed_in, study)
    beside = answer.content.decode().split("Beside the front, not on it:")[1].split("</ul>")[0]
    assert f"{other.label}: " in beside
    assert "horizon" in beside
    assert other.label not in {line.row.label for line in answer.context["lines"]}
