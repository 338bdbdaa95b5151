"""Share links: one study or run, read without an account, counted, ended, revoked; nothing else is reached by them."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.core import serializers
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from planner.accounts.models import AuditEntry, Role, ShareLink
from planner.accounts.services import workspace_create
from planner.accounts.sharing import share_create, share_presented, share_revoke
from planner.studies.models import Run
from tests.planner.web import material


@pytest.fixture
def study(workspace, owner):
    return material.study(workspace, owner, scenarios=3, seeds=2)


@pytest.fixture
def shared(workspace, owner, study):
    return share_create(
        workspace=workspace, user=owner, of=ShareLink.Of.STUDY, target=study.id, name=study.question, days=7
    )


def seen(secret: str, **headers: str):
    return Client().get(reverse("shared", args=[secret]), headers=headers)


def test_it_shows_the_study_to_whoever_has_it(shared, study):
    answer = seen(shared[1])
    assert answer.status_code == 200
    shown = answer.content.decode()
    assert study.question in shown
    assert "twelve points" in shown
    assert all(scenario.label in shown for scenario in study.scenarios.all())


def test_it_shows_a_run(workspace, owner, study):
    run = Run.objects.filter(scenario__study=study).first()
    _, secret = share_create(workspace=workspace, user=owner, of=ShareLink.Of.RUN, target=run.id, name="a run", days=1)
    assert f"{run.scenario.label}, seed {run.seed}" in seen(secret).content.decode()


def test_it_leads_nowhere_and_loads_nothing(shared):
    shown = seen(shared[1]).content.decode()
    assert re.findall(r"\b(?:href|src|action|srcset|data-[\w-]+)\s*=", shown) == []
    assert "<script" not in shown
    assert "url(" not in shown


def test_it_is_kept_out_of_caches_and_search_engines(shared):
    answer = seen(shared[1])
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert 'content="noindex' in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["Content-Security-Policy"] == Client().get(reverse("sign-in"))["Content-Security-Policy"]
    assert answer.cookies == {}


def test_only_the_digest_of_its_secret_is_kept(shared, workspace):
    link, secret = shared
    kept = serializers.serialize("json", [link]) + json.dumps(list(AuditEntry.objects.values("target", "detail")))
    assert secret not in kept
    assert secret.startswith(link.hint)
    assert len(secret) > 40


def test_visits_are_counted(shared):
    for _ in range(3):
        seen(shared[1])
    seen("wrong")
    link = ShareLink.objects.get()
    assert link.opened == 3
    assert link.last_opened_at is not None


@pytest.mark.parametrize("why", ["wrong", "ended", "revoked", "study gone", "study of others"])
def test_what_opens_nothing_is_not_found(shared, workspace, owner, person, study, why):
    link, secret = shared
    if why == "ended":
        ShareLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    if why == "revoked":
        share_revoke(link=link, user=owner)
    if why == "study gone":
        study.delete()
    if why == "study of others":
        otto = person("otto")
        theirs = material.study(workspace_create(name="Others", owner=otto), otto, scenarios=1, seeds=1)
        ShareLink.objects.update(target=theirs.id)
    answer = seen(secret if why != "wrong" else secret[:-1] + "!")
    assert answer.status_code == 404
    assert study.question not in answer.content.decode()
    assert ShareLink.objects.get().opened == 0


def test_a_link_to_a_study_opens_no_run_with_the_same_id(shared, study):
    run = Run.objects.filter(scenario__study=study).first()
    ShareLink.objects.update(target=run.id)
    assert seen(shared[1]).status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_is_written_by_it(shared, method):
    assert getattr(Client(), method)(reverse("shared", args=[shared[1]])).status_code == 405


def test_other_pages_ask_those_who_have_it_to_sign_in(shared, study, workspace):
    visitor = Client()
    visitor.get(reverse("shared", args=[shared[1]]))
    for name, rest in (("study", [study.id]), ("study-report", [study.id, "html"]), ("workspace", []), ("audit", [])):
        answer = visitor.get(reverse(name, args=[workspace.slug, *rest]))
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, reverse("sign-in"))
    assert visitor.get(f"/api/v1/w/{workspace.slug}/studies/{study.id}/").status_code == 401


def test_it_is_made_shown_once_and_revoked_on_its_page(signed_in, workspace, study):
    address = reverse("study-share", args=[workspace.slug, study.id])
    made = signed_in.post(address, {"days": "7"})
    secret = re.search(r"/shared/([\w-]+)/", made.content.decode()).group(1)
    assert seen(secret).status_code == 200
    assert secret not in signed_in.get(address).content.decode()
    signed_in.post(reverse("share-revoke", args=[workspace.slug, ShareLink.objects.get().id]))
    assert seen(secret).status_code == 404
    assert "revoked on" in signed_in.get(address).content.decode()
    actions = AuditEntry.objects.filter(action__startswith="share.").values_list("action", flat=True)
    assert list(actions) == ["share.revoke", "share.create"]


@pytest.mark.parametrize("days", ["", "0", "91", "-1", "1e3", "９", "99999999999"])
def test_a_link_lasts_for_a_bounded_time(signed_in, workspace, study, days):
    answer = signed_in.post(reverse("study-share", args=[workspace.slug, study.id]), {"days": days})
    assert answer.status_code == 400
    assert "1 to 90 days" in answer.content.decode()
    assert not ShareLink.objects.exists()


def test_only_those_who_may_edit_make_and_revoke_links(shared, workspace, member, person, study):
    given = {"workspace": workspace, "of": ShareLink.Of.STUDY, "target": study.id, "name": "?", "days": 1}
    with pytest.raises(PermissionDenied):
        share_create(user=member(Role.MANAGER), **given)
    with pytest.raises(PermissionDenied):
        share_revoke(link=shared[0], user=member(Role.REVIEWER))
    assert share_presented(shared[1]) is not None


def test_a_link_is_revoked_from_its_own_workspace_alone(shared, client, person):
    other = workspace_create(name="Others", owner=person("otto"))
    client.force_login(other.members.get())
    assert client.post(reverse("share-revoke", args=[other.slug, shared[0].id])).status_code == 404
    assert share_presented(shared[1]) is not None


def test_programs_make_links_too(client, signed_in, workspace, study):
    address = f"/api/v1/w/{workspace.slug}/studies/{study.id}/shares/"
    made = signed_in.post(address, json.dumps({"days": 3}), content_type="application/json")
    assert made.status_code == 201
    assert Client().get(made.json()["url"]).status_code == 200
    (told,) = signed_in.get(address).json()["results"]
    assert "url" not in told
    assert told["opened"] == 1
