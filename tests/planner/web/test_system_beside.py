"""Beside a system: the box that tries it on a log, what it did in this workspace, and a signature under way."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from planner.accounts.models import Role
from planner.compare.trials import trials
from planner.evidence.models import SignatureRun
from planner.evidence.services import signature_record
from planner.studies.models import Scenario
from tests.planner.web import material


def page_of(client, workspace, slug):
    answer = client.get(reverse("system", args=[workspace.slug, slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def box(page):
    return page.split("Try it on my log")[1].split("</form>")[0]


def test_the_box_leads_to_the_builder_with_workload_and_system_chosen(signed_in, workspace, owner):
    log = material.catalogue(workspace, owner)["workload"]
    told = box(page_of(signed_in, workspace, "tiresias"))
    assert f'<option value="{log.id}">June log</option>' in told
    assert '<input type="hidden" name="policy" value="tiresias">' in told
    query = f"?policy=tiresias&workload={log.id}"
    built = signed_in.get(reverse("study-new", args=[workspace.slug]) + query)
    assert built.context["chosen"]["policy"] == ["tiresias"]
    assert built.context["given"]["workload"] == str(log.id)


@pytest.mark.parametrize("wrong", ["x", "0" * 32, "%00"])
def test_a_workload_that_is_not_there_is_told_beside_its_field(signed_in, workspace, owner, wrong):
    material.catalogue(workspace, owner)
    built = signed_in.get(reverse("study-new", args=[workspace.slug]) + f"?policy=tiresias&workload={wrong}")
    assert built.status_code == 200
    assert built.context["errors"]["workload"]


def test_without_a_log_the_box_says_how_to_bring_one(signed_in, workspace, owner):
    assert reverse("import-new", args=[workspace.slug]) in box(page_of(signed_in, workspace, "tiresias"))
    material.catalogue(workspace, owner)
    assert "has services yet" in box(page_of(signed_in, workspace, "static-replicas"))


def test_readers_are_offered_no_box(client, member, workspace):
    client.force_login(member(Role.MANAGER))
    assert "Try it on my log" not in page_of(client, workspace, "tiresias")


def test_its_best_scenario_of_a_study_is_shown_with_its_place(signed_in, workspace, owner):
    study = material.study(workspace, owner, scenarios=4, seeds=2)
    for position in (1, 3):
        scenario = Scenario.objects.get(study=study, position=position)
        scenario.spec = scenario.spec | {"training": {"system": "tiresias", "parameters": {}}}
        scenario.save()
    (trial,) = trials(workspace, "tiresias", "training")
    own = {s.id: s.position for s in study.scenarios.all()}
    means = sorted((row.cells["jct_mean_s"].value, own[row.scenario_id]) for row in board_of(study))
    assert own[trial.row.scenario_id] == next(position for _, position in means if position in (1, 3))
    assert (trial.place, trial.of) == (1 + [p for _, p in means].index(own[trial.row.scenario_id]), 4)
    table = page_of(signed_in, workspace, "tiresias").split('aria-labelledby="tri-t"')[1].split("</table>")[0]
    assert study.question in table
    assert trial.row.label in table
    assert f'{trial.place} <span class="u">of 4</span>' in table


def board_of(study):
    from planner.compare.board import board

    return board(study, metrics=["jct_mean_s"]).rows


def test_what_was_not_run_or_was_run_elsewhere_is_not_shown(signed_in, workspace, owner, person):
    from planner.accounts.services import workspace_create

    eve = person("eve")
    material.study(workspace_create(name="Elsewhere", owner=eve), eve, scenarios=2, seeds=1)
    material.study(workspace, owner, scenarios=2, seeds=1, done=False)
    assert trials(workspace, "fcfs-quota", "training") == []
    assert "In this workspace" not in page_of(signed_in, workspace, "fcfs-quota")


def test_a_signature_under_way_is_polled_until_it_is_there(signed_in, workspace):
    signed_in.post(reverse("system-signature", args=[workspace.slug, "sjf"]))
    address = reverse("system-signature-state", args=[workspace.slug, "sjf"])
    assert f'data-poll="{address}"' in page_of(signed_in, workspace, "sjf")
    waiting = signed_in.get(address)
    assert "a worker has yet to run it" in waiting.content.decode()
    assert signed_in.get(address, headers={"If-None-Match": waiting.headers["ETag"]}).status_code == 304
    SignatureRun.objects.all().delete()
    found = signature_record(system="sjf", seeds=2)
    done = signed_in.get(address).content.decode()
    assert "data-poll" not in done.split("</p>")[0]
    assert f'data-version="{found.id}"' in done  # another one than before: the page fetches its figures


def test_the_state_of_a_signature_elsewhere_does_not_exist(client, person, workspace):
    client.force_login(person("stranger"))
    assert client.get(reverse("system-signature-state", args=[workspace.slug, "sjf"])).status_code == 404


def test_what_a_recipe_leaves_out_stands_apart(signed_in, workspace):
    page = page_of(signed_in, workspace, "pollux")
    assert re.search(r"<b>Left out:</b> fitting of throughput models", page)
    assert "Left out" not in page_of(signed_in, workspace, "sjf")
