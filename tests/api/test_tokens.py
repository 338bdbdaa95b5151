"""Tokens: shown once, kept as a digest, ended by time or by hand, and never more than their person."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from planner.accounts.models import ApiToken, AuditEntry
from planner.accounts.tokens import LONGEST_DAYS, TokenError, token_create
from tests.api.conftest import Caller, token_of


def test_only_the_digest_is_kept(owner, workspace):
    token, secret = token_create(user=owner, name="notebook", scope="read", days=30)
    kept = [str(value) for value in ApiToken.objects.filter(pk=token.pk).values_list().get()]
    assert not any(secret in value or secret[len(token.hint) :] in value for value in kept)
    assert AuditEntry.objects.get(action="token.create").target == "notebook"


def test_the_page_shows_a_secret_once(signed_in, workspace):
    made = signed_in.post(reverse("tokens"), {"name": "notebook", "scope": "full", "days": "30"})
    secret = re.search(r"<code>(hr_[\w-]{40,})</code>", made.content.decode()).group(1)
    assert made["Cache-Control"].startswith("max-age=0")
    assert secret not in signed_in.get(reverse("tokens")).content.decode()
    assert Caller(secret, "").get("/api/v1/me/").json()["username"] == "olga"


@pytest.mark.parametrize(
    ("field", "given"),
    [("name", " "), ("name", "x" * 101), ("scope", "root"), ("days", "0"), ("days", "400"), ("days", "x" * 900)],
)
def test_what_cannot_be_is_said_and_makes_no_token(signed_in, workspace, field, given):
    answer = signed_in.post(reverse("tokens"), {"name": "a", "scope": "read", "days": "7", field: given})
    assert answer.status_code == 400
    assert "No token was made" in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_a_token_lasts_a_year_at_most(owner):
    with pytest.raises(TokenError, match=str(LONGEST_DAYS)):
        token_create(user=owner, name="for ever", scope="read", days=LONGEST_DAYS + 1)


def test_a_token_that_is_not_good_opens_nothing(caller, owner):
    api, token = caller(owner), None
    token = owner.api_tokens.get()
    assert api.get("studies/").status_code == 200
    ended = timezone.now() - timedelta(seconds=1)
    for change, word in (({"expires_at": ended}, "ended"), ({"revoked_at": ended}, "revoked")):
        ApiToken.objects.filter(pk=token.pk).update(**change)
        answer = api.get("studies/")
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
        assert word in answer.json()["message"]
    ApiToken.objects.update(revoked_at=None, expires_at=timezone.now() + timedelta(days=1))
    owner.is_active = False
    owner.save()
    assert api.get("studies/").status_code == 401


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Bearer hr_no", "Bearer \xff\xfe", "Basic eDp5", ""])
def test_what_is_no_token_is_refused(workspace, header):
    answer = Client().get(f"/api/v1/w/{workspace.slug}/", headers={"authorization": header} if header else {})
    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthenticated"


def test_a_read_only_token_writes_nothing(caller, owner, workspace):
    api = caller(owner, scope="read")
    assert api.get("studies/").status_code == 200
    refused = api.post("/api/v1/workspaces/", {"name": "More"})
    assert refused.status_code == 403
    assert "only read" in refused.json()["message"]


def test_tokens_are_revoked_by_their_person_alone(caller, owner, person, workspace):
    stranger, api = Caller(token_of(person("stranger")), ""), caller(owner)
    token = owner.api_tokens.get()
    revoke = reverse("api:token-revoke", args=[token.id])
    assert stranger.post(revoke).status_code == 404
    assert api.post(revoke).status_code == 200
    assert api.get("studies/").status_code == 401


def test_a_token_makes_no_token(api):
    assert api.post("/api/v1/account/tokens/", {"name": "child", "scope": "full", "days": 7}).status_code == 405


def test_last_use_is_seen(api, owner):
    api.get("studies/")
    assert timezone.now() - owner.api_tokens.get().last_used_at < timedelta(minutes=1)


def test_a_session_writes_only_with_its_csrf_token(owner, workspace):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    address = "/api/v1/workspaces/"
    refused = browser.post(address, {"name": "B"}, content_type="application/json")
    assert refused.status_code == 403
    browser.get(reverse("glossary"))
    token = {"x-csrftoken": browser.cookies["csrftoken"].value}
    assert browser.post(address, {"name": "B"}, content_type="application/json", headers=token).status_code == 201


def test_too_many_requests_are_told_when_to_come_again(api, settings):
    settings.API_RATE = "2/minute"
    answers = [api.get("studies/") for _ in range(3)]
    assert [a.status_code for a in answers] == [200, 200, 429]
    assert 1 <= int(answers[2]["Retry-After"]) <= 61
    assert answers[2].json()["code"] == "throttled"
