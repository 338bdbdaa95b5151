"""The page of the API is drawn out of files that are collected, hashed and served by this site alone."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse

from planner.web.assets import ASSETS


@pytest.fixture
def collected(settings, tmp_path):
    settings.STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    settings.STATIC_ROOT = tmp_path
    return tmp_path


def test_every_file_that_a_file_names_is_there(collected, monkeypatch):
    """As in a real installation, but for the largest file, which names none and takes seconds to compress."""
    monkeypatch.setattr("planner.web.assets.ASSETS", [one for one in ASSETS if "plotly" not in one.url])
    call_command("collectstatic", interactive=False, verbosity=0)
    names = {re.sub(r"\.[0-9a-f]{12}\.", ".", path.name) for path in (collected / "vendor").iterdir()}
    assert {"swagger-ui-bundle.js", "swagger-ui.css"} <= names


def test_the_page_keeps_to_the_policy_of_the_site(signed_in, workspace):
    page = signed_in.get(reverse("api-docs"))
    text = page.content.decode()
    policy = page["Content-Security-Policy"].split(";")
    assert "script-src 'self'" in [rule.strip() for rule in policy], "rules come in any order"
    assert re.search(r"<script(?![^>]*\bsrc=)|\son\w+=", text) is None
    assert set(re.findall(r'(?:src|href)="(https?:)?//', text)) == set()
    assert reverse("api:openapi") in text
    assert settings.SPECTACULAR_SETTINGS["OAS_VERSION"] == signed_in.get(reverse("api:openapi")).json()["openapi"]
