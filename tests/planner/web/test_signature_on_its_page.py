"""The page of a system draws its signature with the ablation beside it, and offers to run it."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse

from planner.accounts.models import Role
from planner.evidence.models import SignatureRun
from planner.evidence.services import signature_record
from planner.web.signature_rows import verdict


def page_of(client, workspace, slug):
    return client.get(reverse("system", args=[workspace.slug, slug])).content.decode()


def payloads(page):
    return [json.loads(text) for text in re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)]


@pytest.fixture
def found(db):
    return signature_record(system="tiresias", seeds=4).document


def test_both_figures_share_one_axis_and_show_what_was_found(signed_in, workspace, found):
    page = page_of(signed_in, workspace, "tiresias")
    whole, cut = payloads(page)
    assert whole["layout"]["xaxis"]["range"] == cut["layout"]["xaxis"]["range"]
    assert whole["data"][0]["x"] == [100 * found["effect"]]
    assert cut["data"][0]["x"] == [100 * found["when_ablated"]["effect"]]
    assert whole["rows"][0][-1] == "shown"
    assert cut["rows"][0][-1] != "shown"
    assert {s["origin"] for s in whole["sources"] + cut["sources"]} == {"simulated"}
    for words in ("engine", "4 paired seeds", "So preemption decides.", "Besides: preemptions, higher by"):
        assert words in page


def test_the_button_asks_and_the_page_says_so(signed_in, workspace):
    assert "Run its signature" in page_of(signed_in, workspace, "sjf")
    answer = signed_in.post(reverse("system-signature", args=[workspace.slug, "sjf"]))
    assert answer.headers["Location"] == reverse("system", args=[workspace.slug, "sjf"])
    assert SignatureRun.objects.get().finished_at is None
    assert "a worker has yet to run it" in page_of(signed_in, workspace, "sjf")


def test_who_may_not_edit_gets_no_button_and_no_run(client, member, workspace):
    client.force_login(member(Role.MANAGER))
    assert "Run its signature" not in page_of(client, workspace, "sjf")
    assert client.post(reverse("system-signature", args=[workspace.slug, "sjf"])).status_code == 403
    assert not SignatureRun.objects.exists()


def test_the_system_that_others_are_held_against_has_none(signed_in, workspace):
    page = page_of(signed_in, workspace, "static-replicas")
    assert "nothing sets this system apart" in page
    assert "Run its signature" not in page


@pytest.mark.parametrize(
    ("shown", "survives", "said"),
    [(False, False, "does not hold"), (True, True, "walk is not what decides"), (True, False, "So walk decides")],
)
def test_the_verdict_is_one_of_three(shown, survives, said):
    assert said in verdict({"ablated": "walk", "shown": shown, "shown_when_ablated": survives})
