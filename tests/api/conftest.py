"""People with tokens, and a workspace with a finished study."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from django.core.cache import cache
from django.test import Client

from planner.accounts.models import ApiToken, Role
from planner.accounts.tokens import token_create
from tests.planner.conftest import _plain_static_files, member, owner, person, signed_in, workspace  # noqa: F401
from tests.planner.web import material


@pytest.fixture(autouse=True)
def _no_request_was_counted_before():
    cache.clear()


@dataclass
class Caller:
    """A program that speaks to the API with one token."""

    secret: str
    root: str

    def __call__(self, method, path, body=None, **headers):
        address = path if path.startswith("/") else f"{self.root}{path}"
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        headers = {"authorization": f"Bearer {self.secret}", **given}
        return Client().generic(method.upper(), address, headers=headers, **sent)

    def get(self, path, **headers):
        return self("get", path, **headers)

    def post(self, path, body=None, **headers):
        return self("post", path, body, **headers)

    def patch(self, path, body=None, **headers):
        return self("patch", path, body, **headers)


def token_of(user, scope=ApiToken.Scope.FULL, days=7):
    return token_create(user=user, name="a program", scope=scope, days=days)[1]


@pytest.fixture
def caller(workspace):  # noqa: F811
    """Makes a caller for a person; paths without a slash at their start stand below the workspace."""
    return lambda user, **given: Caller(token_of(user, **given), f"/api/v1/w/{workspace.slug}/")


@pytest.fixture
def api(caller, owner):  # noqa: F811
    return caller(owner)


@pytest.fixture
def reader(caller, member):  # noqa: F811
    return caller(member(Role.MANAGER))


@pytest.fixture
def study(workspace, owner):  # noqa: F811
    return material.study(workspace, owner, scenarios=6, seeds=3)
