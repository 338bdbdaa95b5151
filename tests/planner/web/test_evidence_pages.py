"""The pages of evidence: twelve points that print, a bundle to take away, a form to bring one in."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from planner.accounts.models import Role
from planner.evidence.bundles.export import study_bundle
from planner.studies.models import Run, Study
from planner.studies.runs.execution import run_execute_next
from planner.studies.services import study_create
from simulation.bundles.read import read_bundle
from tests.planner.studies.conftest import build_catalogue
from tests.planner.web import material
from tests.planner.web.test_pages import INLINE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study(workspace, owner, settings):
    """Really computed, for a bundle must hold what the engine gives."""
    settings.REDIS_URL = ""
    base = build_catalogue(workspace, owner).base()
    made = study_create(workspace=workspace, user=owner, question="Which <b>policy</b>?", base=base, axes={"seeds": 1})
    while run_execute_next("w/1"):
        pass
    return made


def address(name, workspace, *rest):
    return reverse(name, args=[workspace.slug, *rest])


@pytest.mark.parametrize("role", list(Role))
def test_every_role_reads_the_twelve_points(client, workspace, owner, member, role):
    study = material.study(workspace, owner, scenarios=2, seeds=2)
    run = Run.objects.filter(scenario__study=study).first()
    client.force_login(member(role))
    for name, id in (("study-evidence", study.id), ("run-evidence", run.id), ("study-take", study.id),
                     ("run-take", run.id)):  # fmt: skip
        answer = client.get(address(name, workspace, id))
        assert answer.status_code == 200, name
        assert INLINE.search(answer.content.decode()) is None
    shown = client.get(address("study-evidence", workspace, study.id)).content.decode()
    assert '<td class="n">12</td>' in shown
    for words in ("does not apply", "not met", "This version cannot answer the rest", "Materials kept"):
        assert words in shown


def test_points_of_a_study_without_results_render(signed_in, workspace, owner):
    study = material.study(workspace, owner, scenarios=2, seeds=1, done=False)
    assert "No run has finished" in signed_in.get(address("study-evidence", workspace, study.id)).content.decode()


def test_a_study_and_a_run_download_as_bundles(signed_in, workspace, study):
    run = Run.objects.get(scenario__study=study)
    for name, id, kind in (("study-bundle", study.id, "study"), ("run-bundle", run.id, "run")):
        answer = signed_in.get(address(name, workspace, id), {"licence": "CC0-1.0"})
        assert answer["Content-Type"] == "application/zip"
        assert answer["Content-Disposition"] == f'attachment; filename="{kind}-{str(id)[:8]}.zip"'
        bundle = read_bundle(answer.content)
        assert bundle.description.kind == kind
        assert b"spdx.org/licenses/CC0-1.0" in bundle.files["ro-crate-metadata.json"]
        assert b"<b>" not in bundle.files["ro-crate-preview.html"]


def test_names_are_replaced_on_demand(signed_in, workspace, study):
    answer = signed_in.get(address("study-bundle", workspace, study.id), {"anonymised": "1"})
    bundle = read_bundle(answer.content)
    assert bundle.description.anonymised
    assert all(b"speech" not in content for content in bundle.files.values())


def test_what_cannot_be_taken_away_says_why(signed_in, workspace, owner, study):
    wrong = signed_in.get(address("study-bundle", workspace, study.id), {"licence": "WTFPL"})
    assert (wrong.status_code, "no licence" in wrong.content.decode()) == (400, True)
    Run.objects.filter(scenario__study=study).update(state=Run.State.QUEUED, result=None)
    early = signed_in.get(address("study-bundle", workspace, study.id))
    assert (early.status_code, "1 of 1 runs have not ended" in early.content.decode()) == (409, True)


def test_a_bundle_comes_in_and_its_page_tells_how_it_came_out(signed_in, workspace, owner, study):
    content = study_bundle(study=study, user=owner, axes=("cost_usd", "jct_mean_s"), licence="InC", anonymised=False)
    upload = SimpleUploadedFile("from elsewhere.zip", content)
    answer = signed_in.post(address("bundle-import", workspace), {"file": upload}, follow=True)
    shown = answer.content.decode()
    assert "from elsewhere.zip" in shown
    assert "1 equal those that the bundle claims" in shown
    assert Study.objects.count() == 2


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04" + b"\x00" * 100])
def test_what_is_no_bundle_is_refused_in_a_sentence(signed_in, workspace, content):
    upload = SimpleUploadedFile("x.zip", content)
    answer = signed_in.post(address("bundle-import", workspace), {"file": upload})
    assert answer.status_code == 400
    said = answer.content.decode()
    assert "nothing was kept" in said or "Choose a bundle" in said
    assert not Study.objects.exists()


def test_a_bundle_that_is_too_large_is_refused_while_it_streams_in(signed_in, workspace, settings):
    settings.UPLOAD_LIMIT_BYTES = 1000
    answer = signed_in.post(address("bundle-import", workspace), {"file": SimpleUploadedFile("x.zip", b"x" * 5000)})
    assert answer.status_code == 413


def test_who_may_not(client, workspace, owner, member, person):
    study = material.study(workspace, owner, scenarios=1, seeds=1)
    client.force_login(member(Role.MANAGER))
    assert client.get(address("bundle-import", workspace)).status_code == 403
    client.force_login(person("stranger"))
    for name in ("study-evidence", "study-take", "study-bundle"):
        assert client.get(address(name, workspace, study.id)).status_code == 404
    assert client.post(address("bundle-import", workspace)).status_code == 404
