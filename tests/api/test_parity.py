"""Whatever a page shows or does, a program can have or do: the URL map is walked, and nothing may be left out."""

from __future__ import annotations

import pytest
from django.urls import reverse

from planner.web.api_calls import CALLS
from tests.api.addresses import routes

NEEDS_NONE = {
    "sign-in": "programs carry a token; there is nothing to sign in to",
    "sign-out": "a token is revoked instead",
    "health": "is JSON already, and asks for no account",
    "shared": "is for people without an account; programs carry a token and read the study itself",
    "api-docs": "is the reference of the API itself; programs read its OpenAPI document",
}
SEVERAL = {"tokens": "making one is left to the page: a token that leaked must not make another that outlives it"}
"""Pages with an act that has no twin on purpose, though the rest of the page has one."""

PAGES = [route for route in routes() if not route.is_api and route.name != "None"]
API = {route.name.removeprefix("api:"): route for route in routes() if route.is_api}


@pytest.mark.parametrize("page", PAGES, ids=lambda route: route.name)
def test_every_page_has_its_calls(page):
    assert (page.name in CALLS) != (page.name in NEEDS_NONE), (
        f"{page.name}: say in planner/web/api_calls.py which addresses of the API give what this page shows and do "
        "what it does (add them below api/v1 where they are missing)"
    )


def test_every_call_is_one_that_the_api_answers():
    wrong = [
        (page, call.method, call.name)
        for page, calls in CALLS.items()
        for call in calls
        if call.name not in API or call.method not in API[call.name].methods
    ]
    assert wrong == []


def test_no_page_is_named_that_is_not_there():
    names = {page.name for page in PAGES}
    assert {*CALLS, *NEEDS_NONE, *SEVERAL} - names == set()


ACTS = {"-new": "POST", "-edit": "POST", "-cancel": "POST", "-retry": "POST", "-revoke": "POST", "-discard": "POST",
        "-again": "POST", "-combine": "POST", "-archive": "PATCH", "-rename": "PATCH", "-delete": "DELETE"}  # fmt: skip


def test_a_page_that_acts_has_a_call_that_acts():
    for page, calls in CALLS.items():
        for ending, method in ACTS.items():
            if page.endswith(ending):
                assert method in {call.method for call in calls}, page


def test_pages_show_themselves_as_calls(signed_in, workspace, study):
    page = signed_in.get(
        reverse("study", args=[workspace.slug, study.id]) + "?x=cost_usd&y=wait_p95_s"
    ).content.decode()
    assert f"/api/v1/w/{workspace.slug}/studies/{study.id}/front/?x=cost_usd&amp;y=wait_p95_s" in page
    assert "Show as API call" in page


def test_the_calls_of_a_page_work_as_they_are_shown(api, signed_in, workspace, study):
    pages = [("study", [study.id]), ("studies", []), ("queue", []), ("grid", []), ("clusters", []), ("import-new", [])]
    for name, rest in pages:
        shown = signed_in.get(reverse(name, args=[workspace.slug, *rest])).context["calls"]
        assert shown
        for call in shown:
            if call.method == "GET":
                assert api.get(call.path).status_code == 200, call.path
