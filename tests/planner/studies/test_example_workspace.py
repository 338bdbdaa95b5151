"""The example is made once, is illustrative throughout, queued like any study, and deleted as a whole."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.http import Http404

from planner.accounts.models import Role, Workspace
from planner.accounts.services import member_set
from planner.catalog.models import Item, Revision, Source
from planner.studies import example
from planner.studies.models import Result, Run, Scenario, Study
from simulation import ENGINE_VERSION


@pytest.fixture(autouse=True)
def _no_broker(settings):
    settings.REDIS_URL = ""


def load(**options):
    out = StringIO()
    call_command("load_example", stdout=out, **options)
    return out.getvalue()


def counts():
    return [model.objects.count() for model in (Workspace, Item, Revision, Source, Study, Scenario, Run)]


def test_loading_it_twice_makes_it_once(owner):
    said = load()
    before = counts()
    assert "0 of 180 runs" in said
    assert load() == said
    assert counts() == before
    workspace = Workspace.objects.get()
    assert (workspace.name, workspace.is_example) == ("Example", True)
    assert workspace.memberships.get().user == owner


def test_its_runs_are_queued_and_nothing_is_precomputed(owner):
    load()
    assert set(Run.objects.values_list("state", flat=True)) == {"queued"}
    assert not Result.objects.exists()
    assert all(Study.objects.values_list("is_example", flat=True))


def test_everything_in_it_is_illustrative(owner):
    load()
    assert set(Revision.objects.values_list("origin", flat=True)) == {"illustrative"}
    assert set(Source.objects.values_list("origin", flat=True)) == {"illustrative"}


def test_the_study_compares_six_policies_on_three_clusters_with_ten_seeds(owner):
    load()
    study = Study.objects.get(question=example.POLICIES.question)
    assert Study.objects.first() == study  # the list begins with it
    rows = list(Scenario.objects.filter(study=study))
    assert len({r.spec["training"]["system"] for r in rows}) == 6
    assert len(rows) == 18
    assert Run.objects.filter(scenario__study=study).count() == 180
    assert {r.spec["sampling"]["mode"] for r in rows} == {"resampled"}
    assert {r.label for r in rows if r.regime == "oracle"} == {r.label for r in rows if "(oracle)" in r.label}


def test_what_is_missing_is_added_again(owner):
    load()
    Study.objects.all().delete()
    load()
    assert Study.objects.filter(question=example.POLICIES.question).exists()
    assert Workspace.objects.count() == 1


def test_the_owner_can_be_named(owner, person):
    ann = person("ann")
    load(owner="ann")
    assert example.example_of(ann) is not None
    assert example.example_of(owner) is None
    with pytest.raises(CommandError, match="no account called bob"):
        load(owner="bob")


def test_without_an_account_it_says_what_to_do(db):
    with pytest.raises(CommandError, match="no account yet"):
        load()


def test_each_person_may_have_one(owner, person):
    mine, theirs = example.example_create(user=owner), example.example_create(user=person("ann"))
    assert mine != theirs
    assert (mine.slug, theirs.slug) == ("example", "example-2")
    assert example.example_create(user=owner) == mine


def test_deleting_it_leaves_nothing_and_it_does_not_come_back_by_itself(owner, workspace):
    there = example.example_create(user=owner)
    run = Run.objects.first()
    result = Result.objects.create(
        scenario_digest=run.scenario.digest, seed=run.seed, engine_version=ENGINE_VERSION, document={}, sha256="",
        compute_s=1.0,
    )  # fmt: skip
    Run.objects.filter(pk=run.pk).update(state="done", result=result)
    example.example_delete(workspace=there, user=owner)
    assert list(Workspace.objects.all()) == [workspace]
    assert counts()[1:] == [0] * 6
    assert not Result.objects.exists()
    assert "was deleted" in load()
    assert not Study.objects.exists()
    load(owner=owner.username)
    assert Study.objects.exists()


def test_only_an_owner_may_delete_and_only_an_example(owner, workspace, person):
    there = example.example_create(user=owner)
    planner, stranger = person("paul"), person("sam")
    member_set(workspace=there, user=planner, role=Role.PLANNER)
    with pytest.raises(PermissionDenied):
        example.example_delete(workspace=there, user=planner)
    with pytest.raises(Http404):
        example.example_delete(workspace=there, user=stranger)
    with pytest.raises(PermissionDenied, match="Only an example"):
        example.example_delete(workspace=workspace, user=owner)
    assert Workspace.objects.count() == 2


def test_results_that_others_use_too_survive(owner, person):
    mine, theirs = example.example_create(user=owner), example.example_create(user=person("ann"))
    bases = Run.objects.filter(seed=0, scenario__position=0, scenario__study__question=example.POLICIES.question)
    pair = [bases.get(scenario__study__workspace=w) for w in (mine, theirs)]
    digest = pair[0].scenario.digest
    assert digest == pair[1].scenario.digest
    result = Result.objects.create(
        scenario_digest=digest, seed=0, engine_version=ENGINE_VERSION, document={}, sha256="", compute_s=1.0
    )
    Run.objects.filter(pk__in=[r.pk for r in pair]).update(state="done", result=result)
    example.example_delete(workspace=mine, user=owner)
    assert Result.objects.get() == result
