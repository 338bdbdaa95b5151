"""Fixtures of the Django side: static files without a manifest, people with roles, a signed-in browser."""

from __future__ import annotations

import pytest

from planner.accounts.models import Role

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


@pytest.fixture(autouse=True)
def _plain_static_files(settings):
    settings.STORAGES = STORAGES
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real one is slow on purpose


@pytest.fixture
def person(db, django_user_model):
    """Makes a person by name."""
    return lambda name: django_user_model.objects.create_user(name, password="correct horse battery")


@pytest.fixture
def owner(person):
    return person("olga")


@pytest.fixture
def workspace(owner):
    from planner.accounts.services import workspace_create

    return workspace_create(name="Research platform", owner=owner)


@pytest.fixture
def member(person, workspace):
    """Makes a member with a role: member(Role.MANAGER)."""
    from planner.accounts.services import member_set

    def make(role: Role):
        user = person(f"{role}-person")
        member_set(workspace=workspace, user=user, role=role)
        return user

    return make


@pytest.fixture
def signed_in(client, owner):
    client.force_login(owner)
    return client
