"""Every page renders for every role, empty and filled, and holds no inline script."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from planner.accounts.models import Role
from planner.studies.models import Run
from tests.planner.web import material

PAGES = ("workspace", "workspace-pulse", "studies", "queue", "queue-progress", "queue-count")
INLINE = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|\son\w+=|javascript:", re.IGNORECASE)


def addresses(workspace, study):
    run = Run.objects.filter(scenario__study=study).first()
    here = [workspace.slug]
    yield from (reverse(name, args=here) for name in PAGES)
    yield from (reverse(name, args=[*here, study.id]) for name in ("study", "study-progress"))
    yield reverse("study-file", args=[*here, study.id, "comparison", "csv"])
    yield from (reverse(name, args=[*here, run.id]) for name in ("run", "run-progress"))
    yield from (reverse("home"), reverse("glossary"))


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("done", [True, False], ids=["filled", "waiting"])
def test_every_page_renders_for_every_role(client, workspace, owner, member, role, done):
    study = material.study(workspace, owner, scenarios=4, seeds=2, done=done)
    client.force_login(member(role))
    answers = {address: client.get(address) for address in addresses(workspace, study)}
    assert {a: r.status_code for a, r in answers.items() if r.status_code not in (200, 302)} == {}
    assert [a for a, r in answers.items() if r.status_code == 200 and INLINE.search(r.content.decode())] == []


CATALOGUE = (
    "clusters", "prices", "workloads", "slos", "imports", "cluster-new", "price-sheet-new", "slo-set-new", "import-new",
    "study-new",
)  # fmt: skip


@pytest.mark.parametrize("name", CATALOGUE)
def test_pages_of_the_catalogue_hold_no_inline_script(signed_in, workspace, owner, name):
    material.catalogue(workspace, owner)
    answer = signed_in.get(reverse(name, args=[workspace.slug]))
    assert answer.status_code == 200
    assert INLINE.search(answer.content.decode()) is None


@pytest.mark.parametrize("name", PAGES)
def test_every_page_renders_in_an_empty_workspace(signed_in, workspace, name):
    assert signed_in.get(reverse(name, args=[workspace.slug])).status_code == 200


def test_no_page_of_a_workspace_exists_for_strangers(client, workspace, owner, person):
    study = material.study(workspace, owner, scenarios=2, seeds=1)
    client.force_login(person("stranger"))
    mine = [a for a in addresses(workspace, study) if a.startswith("/w/")]
    assert {client.get(a).status_code for a in mine} == {404}


@pytest.mark.parametrize("role", [Role.MANAGER, Role.REVIEWER])
def test_readers_see_no_button_that_they_may_not_press(client, workspace, owner, member, role):
    study = material.study(workspace, owner, scenarios=2, seeds=1, done=False)
    client.force_login(member(role))
    run = Run.objects.filter(scenario__study=study).first()
    for name, key in (("study-cancel", study.id), ("run-cancel", run.id), ("run-retry", run.id)):
        assert client.post(reverse(name, args=[workspace.slug, key])).status_code == 403
    pages = [reverse("study", args=[workspace.slug, study.id]), reverse("queue", args=[workspace.slug])]
    assert [p for p in pages if "/cancel" in client.get(p).content.decode()] == []
    assert client.get(reverse("study-new", args=[workspace.slug])).status_code == 403


def test_titles_name_the_object(signed_in, workspace, owner):
    study = material.study(workspace, owner, scenarios=2, seeds=1)
    run = Run.objects.filter(scenario__study=study).first()
    shown = signed_in.get(reverse("run", args=[workspace.slug, run.id])).content.decode()
    assert f"<title>{run.scenario.label}, seed 0 - Headroom</title>" in shown


def test_the_policy_of_the_browser_is_strict(signed_in, workspace):
    policy = signed_in.get(reverse("workspace", args=[workspace.slug]))["Content-Security-Policy"]
    rules = {rule.strip() for rule in policy.split(";")}
    assert {"default-src 'none'", "script-src 'self'"} <= rules
