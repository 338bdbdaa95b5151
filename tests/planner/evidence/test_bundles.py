"""A study goes out as a bundle, and comes into an empty installation as the same study with equal tables."""

from __future__ import annotations

import csv
import json

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from planner.accounts.models import AuditEntry, Role, Workspace
from planner.accounts.services import workspace_create
from planner.catalog.models import Item, Revision, Source
from planner.compare.board import board
from planner.evidence.bundles.bringing_in import agreement_of, bundle_import
from planner.evidence.bundles.export import run_bundle, study_bundle
from planner.evidence.models import BundleImport
from planner.studies import example
from planner.studies.models import Result, Run, Scenario, Study
from planner.studies.runs.execution import run_execute_next
from planner.studies.services import study_create
from planner.web.study_csv import csv_rows
from simulation.bundles.archive import pack
from simulation.bundles.checksums import checksum_list
from simulation.bundles.errors import BundleError
from simulation.bundles.guard import unpack
from simulation.bundles.read import read_bundle
from simulation.bundles.verify import verify
from tests.planner.studies.conftest import build_catalogue

pytestmark = pytest.mark.django_db(transaction=True)

AXES = {
    "training": [{"system": "fcfs-quota"}, {"system": "tiresias", "label": "=Tiresias"}],
    "clusters": [{"label": "as it is"}, {"label": "one more", "pool_changes": {"a100": {"nodes_delta": 1}}}],
    "seeds": 2,
}
FRONT = ("cost_usd", "jct_mean_s")


def compute():
    while run_execute_next("host-of-olga/1"):
        pass


@pytest.fixture
def study(workspace, owner, settings):
    settings.REDIS_URL = ""
    catalogue = build_catalogue(workspace, owner)
    base = catalogue.base(sampling={"mode": "resampled"}, quotas={"vision": 0.6, "speech": 0.4})
    made = study_create(workspace=workspace, user=owner, question="Which policy?", base=base, axes=AXES)
    compute()
    return made


def taken(study, user, **changes):
    return study_bundle(study=study, user=user, axes=FRONT, **{"licence": "InC", "anonymised": False, **changes})


def table(study):
    """The comparison as it is exported, which holds every number of the study's page."""
    return list(csv_rows(board(study)))


def emptied():
    """As a new installation: no study, no result, no catalogue, no workspace."""
    Study.objects.all().delete()
    for model in (Result, Revision, Item, Source, Workspace):
        model.objects.all().delete()


def test_into_an_empty_installation_it_comes_with_equal_tables(study, owner, person):
    content, before = taken(study, owner), table(study)
    emptied()
    home = workspace_create(name="Elsewhere", owner=(other := person("paul")))
    again, new = bundle_import(workspace=home, user=other, content=content, file_name="study.zip")
    assert new
    assert agreement_of(again).waiting == 8
    compute()
    assert table(again) == before
    agreement = agreement_of(again)
    assert (agreement.equal, agreement.different, agreement.waiting) == (8, (), 0)


def test_the_worked_example_too(owner, person, settings, monkeypatch):
    settings.REDIS_URL = ""
    monkeypatch.setattr(example, "STUDIES", (example.WORKED,))
    example.example_create(user=owner)
    compute()
    study = Study.objects.get()
    content, before = taken(study, owner), table(study)
    emptied()
    home = workspace_create(name="Elsewhere", owner=(other := person("paul")))
    again, _ = bundle_import(workspace=home, user=other, content=content, file_name="study.zip")
    compute()
    assert table(again) == before
    assert again.is_example


def test_the_engine_alone_verifies_it(study, owner):
    found = verify(read_bundle(taken(study, owner)))
    assert (found.holds, found.differences, found.runs) == (True, (), 8)


def test_the_numbers_of_the_bundle_are_those_of_the_page(study, owner):
    rows = unpack(taken(study, owner))["outputs/metrics.csv"].decode().splitlines()
    page = {(row[0], row[2]): row[3] for row in table(study)[1:]}
    for scenario, metric, value, *_ in list(csv.reader(rows))[1:]:
        shown = page[scenario.lstrip("'"), metric]
        assert value == ("" if shown is None else str(shown))


def test_taken_twice_it_is_the_same(study, owner):
    assert taken(study, owner) == taken(study, owner)


def test_a_run_goes_out_with_the_records_of_its_jobs(study, owner, person):
    run = Run.objects.get(scenario__study=study, scenario__position=1, seed=1)
    content = run_bundle(run=run, user=owner, axes=FRONT, licence="CC-BY-4.0", anonymised=False)
    files = unpack(content)
    assert json.loads(files["run.json"])["jobs"]["rows"] == 12
    assert verify(read_bundle(content)).differences == ()
    expected = run.result.sha256
    emptied()
    home = workspace_create(name="Elsewhere", owner=(other := person("paul")))
    again, _ = bundle_import(workspace=home, user=other, content=content, file_name="run.zip")
    compute()
    assert Run.objects.get(scenario__study=again, seed=1).result.sha256 == expected
    assert agreement_of(again).equal == 1


def test_without_names_none_is_left_and_it_can_be_asked_again(study, owner, person):
    content = taken(study, owner, anonymised=True)
    for name, text in unpack(content).items():
        for canary in (b'"vision"', b"speech", b"June log", b"Lab", b"List 2026", b"source of", b"olga", b'h1"'):
            if not name.startswith("environment/"):
                assert canary not in text, name
    assert verify(read_bundle(content)).differences == ()
    emptied()
    home = workspace_create(name="Elsewhere", owner=(other := person("paul")))
    again, _ = bundle_import(workspace=home, user=other, content=content, file_name="study.zip")
    compute()
    agreement = agreement_of(again)
    assert (agreement.equal, len(agreement.different)) == (8, 0)
    assert "replaced by numbers" in agreement.brought.anonymised


def test_no_address_host_or_secret_is_inside(study, owner, settings):
    owner.username, owner.email = "olga@example.org", "olga@example.org"
    owner.save()
    study.refresh_from_db()
    joined = b"\n".join(unpack(taken(study, owner)).values())
    for canary in (b"example.org", b"host-of-olga", settings.SECRET_KEY.encode()):
        assert canary not in joined


def test_the_same_bundle_is_one_study(study, owner):
    content = taken(study, owner)
    first, new = bundle_import(workspace=study.workspace, user=owner, content=content, file_name="a.zip")
    second, again = bundle_import(workspace=study.workspace, user=owner, content=content, file_name="b.zip")
    assert (first.id, new, again) == (second.id, True, False)
    assert first.id != study.id
    assert Item.objects.filter(workspace=study.workspace).count() == 5
    assert Revision.objects.count() == 5


def test_a_claimed_result_is_never_taken_for_a_result(study, owner):
    """Whoever forges a result in a bundle sees it told apart from the one that is computed here."""
    files = unpack(taken(study, owner))
    described = json.loads(files["run.json"])
    described["runs"][3]["sha256"] = "0" * 64
    forged = {**files, "run.json": json.dumps(described).encode()}
    del forged["CHECKSUMS.sha256"]
    emptied_results = {r.sha256 for r in Result.objects.all()}
    content = pack({**forged, "CHECKSUMS.sha256": checksum_list(forged)})
    again, _ = bundle_import(workspace=study.workspace, user=owner, content=content, file_name="f.zip")
    compute()
    assert {r.sha256 for r in Result.objects.all()} == emptied_results
    agreement = agreement_of(again)
    assert (agreement.equal, [run.seed for run in agreement.different]) == (7, [1])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda told: told.update(question=""), "Ask in 1 to 200 characters"),
        (lambda told: told["base"].update(cluster="0" * 8), "refer to a revision"),
        (lambda told: told["base"]["training"].update(system="nonsense"), "nonsense"),
        (lambda told: told["base"].update(horizon_s=60.0), "makes another scenario"),
        (lambda told: told["axes"].update(seeds=10**9), "seeds"),
        (lambda told: told["revisions"][0].update(kind="cluster", document={"x": 1}, workload=None), "not a cluster"),
        (lambda told: told["revisions"][0].update(origin="divine"), "origin"),
        (lambda told: told.update(extra=1), "extra"),
    ],
)
def test_what_cannot_be_asked_here_is_refused_and_leaves_nothing(study, owner, change, said):
    files = unpack(taken(study, owner))
    told = json.loads(files["inputs/study.json"])
    told["revisions"].sort(key=lambda one: one["kind"] != "prices")
    change(told)
    bare = {**files, "inputs/study.json": json.dumps(told).encode()}
    del bare["CHECKSUMS.sha256"]
    content = pack({**bare, "CHECKSUMS.sha256": checksum_list(bare)})
    counts = [model.objects.count() for model in (Study, Scenario, Revision, Item, Source, BundleImport)]
    with pytest.raises(BundleError, match=said):
        bundle_import(workspace=study.workspace, user=owner, content=content, file_name="x.zip")
    assert counts == [model.objects.count() for model in (Study, Scenario, Revision, Item, Source, BundleImport)]


def test_a_study_whose_runs_have_not_ended_stays(study, owner):
    Run.objects.filter(scenario__study=study, seed=1).update(state=Run.State.RUNNING)
    with pytest.raises(BundleError, match="4 of 8 runs have not ended"):
        taken(study, owner)


def test_a_failed_run_goes_along_with_its_reason(study, owner):
    run = Run.objects.filter(scenario__study=study).first()
    Run.objects.filter(pk=run.pk).update(state=Run.State.FAILED, reason="gave up", result=None)
    content = taken(study, owner)
    crate = unpack(content)["ro-crate-metadata.json"]
    assert b"FailedActionStatus" in crate
    assert b"1 runs have no result: gave up" in crate
    assert verify(read_bundle(content)).differences == ()


def test_who_may_do_what(study, owner, member, person):
    content = taken(study, member(Role.REVIEWER))
    manager, stranger = member(Role.MANAGER), person("stranger")
    with pytest.raises(PermissionDenied):
        bundle_import(workspace=study.workspace, user=manager, content=content, file_name="x.zip")
    for act in (
        lambda: taken(study, stranger),
        lambda: bundle_import(workspace=study.workspace, user=stranger, content=content, file_name="x.zip"),
    ):
        with pytest.raises(Http404):
            act()
    assert AuditEntry.objects.filter(action="study.bundle", user__username="reviewer-person").count() == 1
