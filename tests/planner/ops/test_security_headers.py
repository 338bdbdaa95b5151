"""Every answer tells browsers what they may do with it: pages, files, refusals, the API, share links."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from planner.accounts.models import ShareLink
from planner.accounts.sharing import share_create
from tests.api.addresses import routes
from tests.api.objects import address, objects_of
from tests.planner.web import material

POLICY = {
    "default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:",
    "font-src 'self'", "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
}  # fmt: skip


def wanting(answer) -> list[str]:
    told = {part.strip() for part in answer.get("Content-Security-Policy", "").split(";") if part.strip()}
    held = {
        "policy": told == POLICY,
        "no sniffing": answer.get("X-Content-Type-Options") == "nosniff",
        "no frame": answer.get("X-Frame-Options") == "DENY",
        "no referrer to others": answer.get("Referrer-Policy") in ("same-origin", "no-referrer"),
        "own window": answer.get("Cross-Origin-Opener-Policy") == "same-origin",
    }
    return [name for name, holds in held.items() if not holds]


@pytest.mark.parametrize("who", ["owner", "anonymous"])
def test_every_address_answers_with_all_of_them(workspace, owner, who):
    objects = objects_of(material.study(workspace, owner, scenarios=1, seeds=1), owner)
    browser = Client(raise_request_exception=False)
    if who == "owner":
        browser.force_login(owner)
    reached = [route for route in routes() if route.name not in ("None", "api:nowhere", "sign-out")]
    answers = {route.name: browser.get(address(route, objects)) for route in reached}
    assert {name: found for name, answer in answers.items() if (found := wanting(answer))} == {}
    assert len(answers) > 100


@pytest.mark.parametrize("path", ["/nothing-here", "/api/v1/nothing", "/shared/wrong/", "/%00", "/w/none/studies/"])
def test_refusals_have_them_too(db, path):
    answer = Client().get(path)
    assert answer.status_code in (302, 401, 404)
    assert wanting(answer) == []


def test_a_failure_has_them_too(signed_in, workspace, monkeypatch):
    def broken(*_):
        raise RuntimeError("planted")

    monkeypatch.setattr("planner.web.views.audit.asked_of", broken)
    signed_in.raise_request_exception = False
    answer = signed_in.get(reverse("audit", args=[workspace.slug]))
    assert answer.status_code == 500
    assert wanting(answer) == []
    assert b"planted" not in answer.content


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(client, owner, settings):
    client.post(reverse("sign-in"), {"username": "olga", "password": "correct horse battery"})
    session = client.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert client.cookies["csrftoken"]["samesite"] == "Lax"


def test_the_session_is_another_one_after_signing_in(client, owner):
    client.get(reverse("sign-in"))
    before = client.session.session_key
    client.post(reverse("sign-in"), {"username": "olga", "password": "correct horse battery"})
    assert client.session.session_key not in (None, before)


def test_planted_secrets_leave_in_no_export(signed_in, workspace, owner, settings):
    """Password hash, session, secret key and the digest of a link stand in nothing that is taken away."""
    study = material.study(workspace, owner, scenarios=1, seeds=1)
    link, secret = share_create(
        workspace=workspace, user=owner, of=ShareLink.Of.STUDY, target=study.id, name=study.question, days=1
    )
    canaries = [owner.password, settings.SECRET_KEY, link.digest, secret, signed_in.session.session_key]
    taken = [
        reverse("study-report", args=[workspace.slug, study.id, "html"]),
        reverse("study-file", args=[workspace.slug, study.id, "comparison", "json"]),
        reverse("audit-file", args=[workspace.slug, "json"]),
        reverse("study-share", args=[workspace.slug, study.id]),
        reverse("shared", args=[secret]),
    ]
    told = [signed_in.get(path).content.decode() for path in taken]
    assert [(path, c) for path, text in zip(taken, told, strict=True) for c in canaries if c in text] == []
