"""A request under one Idempotency-Key is done once, however often and however much at once it is sent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from api.models import KeyedRequest
from planner.accounts.models import Workspace
from planner.catalog.models import Import
from tests.api.conftest import Caller, token_of
from tests.conftest import ROOT
from tests.servers import postgres_server

NEW = "/api/v1/workspaces/"


def test_a_repetition_gets_the_first_answer_and_changes_nothing(api):
    first, second = (api.post(NEW, {"name": "Twice"}, idempotency_key="k1") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert "Idempotency-Replayed" not in first
    assert second["Idempotency-Replayed"] == "true"
    assert Workspace.objects.filter(name="Twice").count() == 1


def test_a_key_with_another_request_is_refused(api):
    api.post(NEW, {"name": "A"}, idempotency_key="k1")
    refused = api.post(NEW, {"name": "B"}, idempotency_key="k1")
    assert (refused.status_code, refused.json()["code"]) == (409, "key-reused")
    assert api.post("/api/v1/example/", idempotency_key="k1").status_code == 409
    assert not Workspace.objects.filter(name="B").exists()


def test_keys_of_two_people_are_two_keys(api, person):
    other = Caller(token_of(person("otto")), "")
    assert [who.post(NEW, {"name": "A"}, idempotency_key="k1").status_code for who in (api, other)] == [201, 201]


def test_what_failed_is_not_remembered(api):
    assert api.post(NEW, {"name": ""}, idempotency_key="k1").status_code == 400
    assert api.post(NEW, {"name": "A"}, idempotency_key="k1").status_code == 201


def test_a_key_is_forgotten_after_a_day(api):
    api.post(NEW, {"name": "A"}, idempotency_key="k1")
    KeyedRequest.objects.update(created_at=timezone.now() - timedelta(hours=24, seconds=1))
    assert api.post(NEW, {"name": "B"}, idempotency_key="k1").status_code == 201
    assert KeyedRequest.objects.count() == 1


@pytest.mark.parametrize("key", ["", "x" * 201, "a\tb", "ä"])
def test_a_key_that_cannot_be_is_refused(api, key):
    assert api.post(NEW, {"name": "A"}, idempotency_key=key).status_code == 400


def test_uploads_are_told_apart_by_their_content(api):
    def upload(content):
        file = SimpleUploadedFile("jobs.csv", content)
        headers = {"authorization": f"Bearer {api.secret}", "idempotency-key": "k1"}
        return Client().post(f"{api.root}imports/", {"file": file, "format": "generic-jobs"}, headers=headers)

    rows = b"id,submit,gpus,elapsed\na,2026-01-01 00:00,1,60\n"
    first, second, other = upload(rows), upload(rows), upload(rows + b"b,2026-01-01 00:00,1,60\n")
    assert (first.status_code, second.status_code, other.status_code) == (201, 201, 409)
    assert first.content == second.content
    assert Import.objects.get().preview["counts"]["in_file"] == 2


AT_ONCE = """
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import django

django.setup()
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import Client

settings.ALLOWED_HOSTS = ["*"]
call_command("migrate", verbosity=0)
from planner.accounts.models import User, Workspace
from planner.accounts.tokens import token_create

secret = token_create(user=User.objects.create_user("olga"), name="a", scope="full", days=1)[1]
headers = {"authorization": f"Bearer {secret}", "idempotency-key": "once"}


def ask(n):
    answer = Client().post("/api/v1/workspaces/", {"name": "One"}, content_type="application/json", headers=headers)
    connections.close_all()
    return answer.status_code, answer.content.decode()


with ThreadPoolExecutor(50) as pool:
    answers = list(pool.map(ask, range(50)))
print(json.dumps({"made": Workspace.objects.count(), "answers": answers}))
"""


def fifty_at_once(url):
    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "planner.config.settings"}
    done = subprocess.run([sys.executable, "-c", AT_ONCE], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["made"] == 1
    assert {status for status, _ in told["answers"]} == {201}
    assert len({body for _, body in told["answers"]}) == 1


def test_fifty_at_once_are_one(tmp_path):
    fifty_at_once(f"sqlite:///{tmp_path / 'keys.sqlite3'}")


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_fifty_at_once_are_one_on_postgresql():
    with postgres_server() as url:
        fifty_at_once(url)
