"""Bundles by the API: out as a zip that can be read, in as a study, refused in one sentence."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from planner.accounts.services import workspace_create
from planner.studies.models import Study
from planner.studies.runs.execution import run_execute_next
from planner.studies.services import study_create
from tests.api.conftest import Caller, token_of
from tests.planner.studies.conftest import build_catalogue

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def computed(workspace, owner, settings):
    settings.REDIS_URL = ""
    base = build_catalogue(workspace, owner).base(sampling={"mode": "resampled"})
    made = study_create(workspace=workspace, user=owner, question="Which?", base=base, axes={"seeds": 1})
    while run_execute_next("host/1"):
        pass
    return made


def brought(api, content):
    headers = {"authorization": f"Bearer {api.secret}"}
    return Client().post(f"{api.root}imports/bundle/", {"file": SimpleUploadedFile("b.zip", content)}, headers=headers)


def test_a_study_goes_out_and_comes_in_elsewhere(api, computed, person):
    answer = api.get(f"studies/{computed.id}/bundle.zip?licence=CC-BY-4.0&anonymised=true")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Disposition"] == f'attachment; filename="study-{str(computed.id)[:8]}.zip"'
    assert "ro-crate-metadata.json" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
    other = workspace_create(name="Elsewhere", owner=person("otto"))
    theirs = Caller(token_of(other.memberships.get().user), f"/api/v1/w/{other.slug}/")
    first, second = (brought(theirs, answer.content) for _ in range(2))
    assert (first.status_code, first.json()["added"], second.json()["added"]) == (201, True, False)
    assert Study.objects.get(id=first.json()["study"]).workspace == other
    told = theirs.get(f"studies/{first.json()['study']}/agreement").json()["agreement"]
    assert (told["equal"] + told["waiting"], told["different"]) == (1, [])
    assert api.get(f"studies/{computed.id}/agreement").json() == {"agreement": None}


def test_what_is_no_bundle_is_refused(api, workspace, settings):
    refused = brought(api, b"PK\x03\x04 no zip at all")
    assert (refused.status_code, refused.json()["code"]) == (400, "unreadable-file")
    assert api.post("imports/bundle/", {}).json()["problems"][0]["field"] == "file"
    settings.UPLOAD_LIMIT_BYTES = 100
    assert brought(api, b"x" * 101).status_code == 413
    assert not Study.objects.exists()


def test_what_is_not_finished_cannot_be_taken_away_yet(api, computed):
    computed.scenarios.first().runs.update(state="queued", result=None)
    refused = api.get(f"studies/{computed.id}/bundle.zip")
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert api.get(f"studies/{computed.id}/bundle.zip?licence=mine").status_code == 400


def test_the_twelve_points_are_a_table(api, computed):
    rows = api.get(f"studies/{computed.id}/evidence/").json()
    assert [row["number"] for row in rows] == list(range(1, 13))
    assert {row["answer"] for row in rows} <= {"met", "not met", "does not apply"}
    assert all(row["why"] for row in rows)
