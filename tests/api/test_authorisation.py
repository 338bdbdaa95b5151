"""Who may do what: every address and method, for everybody who may come by. A new address without a row fails."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from planner.accounts.models import ApiToken, Role, Workspace
from planner.accounts.services import member_set
from tests.api.addresses import METHODS, routes
from tests.api.conditions import ADMINISTER, CONDITIONS, EDIT, EXEMPT, OWN, PUBLIC, READ, REVIEW, SIGNED_IN
from tests.api.conftest import Caller, token_of
from tests.api.objects import FORM, address, form, objects_of
from tests.planner.web import material

ROUTES = [route for route in routes() if route.name not in EXEMPT]
PAGES = [route for route in ROUTES if not route.is_api]
API = [route for route in ROUTES if route.is_api]
GRANTS = {
    "anonymous": {PUBLIC},
    "stranger": {PUBLIC, SIGNED_IN},
    Role.MANAGER: {PUBLIC, SIGNED_IN, READ},
    Role.REVIEWER: {PUBLIC, SIGNED_IN, READ, REVIEW},
    Role.PLANNER: {PUBLIC, SIGNED_IN, READ, EDIT},
    Role.OWNER: {PUBLIC, SIGNED_IN, READ, EDIT, REVIEW, ADMINISTER, OWN},
}
MEMBERS = (Role.MANAGER, Role.REVIEWER, Role.PLANNER, Role.OWNER)


def test_every_address_has_a_row():
    assert sorted(CONDITIONS) == sorted(route.name for route in ROUTES)


def test_rows_of_the_api_name_every_method_that_is_answered():
    rows = {route.name: frozenset(CONDITIONS[route.name]) for route in API}
    assert rows == {route.name: route.methods for route in API}


@pytest.fixture
def people(owner, person, workspace):
    made = {"stranger": person("stranger"), Role.OWNER: owner}
    for role in MEMBERS[:-1]:
        made[role] = person(f"{role}-person")
        member_set(workspace=workspace, user=made[role], role=role)
    return made


@pytest.fixture
def objects(workspace, owner):
    return objects_of(material.study(workspace, owner, scenarios=1, seeds=1), owner)


def undone(route, ask):
    """What is answered; whatever was done is taken back. Only an example may be deleted, so then it is one."""
    with transaction.atomic():
        if route.name in ("workspace-delete", "api:workspace"):
            Workspace.objects.update(is_example=True)
        answer = ask()
        transaction.set_rollback(True)
    return answer


def browser_of(user=None, **options):
    """Makes browsers with one session; a sign-out ends only that of the browser that asked for it."""
    first = Client(**options)
    if user is not None:
        first.force_login(user)

    def browser():
        another = Client(**options)
        another.cookies = first.cookies.copy()
        return another

    return browser


def expected(who, need, *, api):
    """How whoever comes is met: let in, or refused with one of these."""
    if need in GRANTS[who]:
        return None
    if who == "anonymous":
        return {401} if api else {302}
    member = who in MEMBERS
    return {403} if member and need in (EDIT, REVIEW, ADMINISTER) else {404}


def met(answer, refused, who):
    """Whether the answer is what was expected."""
    if refused is not None:
        to_sign_in = answer.status_code != 302 or "/sign-in/" in answer["Location"]
        return answer.status_code in refused and to_sign_in
    if answer.status_code == 302 and who != "anonymous":
        return "/sign-in/" not in answer["Location"]
    works_not = 503  # what the page of health says of an installation without workers
    return answer.status_code not in (401, 403, 404, 405) and (
        answer.status_code < 500 or answer.status_code == works_not
    )


@pytest.mark.parametrize("who", GRANTS, ids=str)
def test_pages(people, objects, who):
    browser = browser_of(people.get(who))
    wrong = []
    for route in PAGES:
        for method, need in CONDITIONS[route.name].items():
            ask = partial(browser().generic, method, address(route, objects), form(route, objects), FORM)
            answer = undone(route, ask)
            if not met(answer, expected(who, need, api=False), "anonymous" if need == PUBLIC else who):
                wrong.append((route.name, method, need, answer.status_code))
    assert wrong == []


@pytest.mark.parametrize("who", GRANTS, ids=str)
def test_the_api(people, objects, who):
    caller = Caller(token_of(people[who]) if who in people else "hr_unknown", "")
    wrong = []
    for route in API:
        for method in METHODS:
            need = CONDITIONS[route.name].get(method)
            body = {} if method in ("POST", "PATCH") else None
            answer = undone(route, lambda m=method, r=route, b=body: caller(m, address(r, objects), b))
            refused = {405, 401} if need is None else expected(who, need, api=True)
            if not met(answer, refused, who):
                wrong.append((route.name, method, need, answer.status_code))
    assert wrong == []


@pytest.mark.parametrize("why", ["expired", "revoked", "read only", "of a stranger's browser"])
def test_tokens_that_open_less(people, objects, owner, why):
    """A token that is not good opens nothing; one that may only read writes nothing; a page takes no token."""
    caller = Caller(token_of(owner, "read" if why == "read only" else "full"), "")
    ended = timezone.now() - timedelta(seconds=1)
    change = {"expired": {"expires_at": ended}, "revoked": {"revoked_at": ended}}.get(why)
    if change:
        ApiToken.objects.update(**change)
    wrong = []
    for route in PAGES if why.startswith("of") else API:
        for method, need in CONDITIONS[route.name].items():
            if need == PUBLIC:
                continue
            answer = undone(route, lambda m=method, r=route: caller(m, address(r, objects), {} if m != "GET" else None))
            lets_in = why == "read only" and method == "GET"
            refused = None if lets_in else {403} if why == "read only" else {302} if why.startswith("of") else {401}
            if not met(answer, refused, Role.OWNER):
                wrong.append((route.name, method, answer.status_code))
    assert wrong == []


def test_no_page_is_changed_without_its_csrf_token(people, objects, owner):
    browser = browser_of(owner, enforce_csrf_checks=True)
    unsafe = [route for route in PAGES if "POST" in CONDITIONS[route.name]]
    answers = {
        route.name: undone(route, lambda r=route: browser().post(address(r, objects))).status_code for route in unsafe
    }
    assert {name for name, status in answers.items() if status != 403} == set()
    assert len(answers) > 25


def test_no_address_of_the_api_is_changed_by_a_session_without_its_csrf_token(people, objects, owner):
    browser = browser_of(owner, enforce_csrf_checks=True)
    answers = {
        (route.name, method): undone(
            route, lambda m=method, r=route: browser().generic(m, address(r, objects))
        ).status_code
        for route in API
        for method in CONDITIONS[route.name]
        if method != "GET"
    }
    assert {cell for cell, status in answers.items() if status != 403} == set()
    assert len(answers) > 25
