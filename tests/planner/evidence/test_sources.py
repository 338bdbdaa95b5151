"""Every source of a workspace is listed with file, person and what rests on it; a superseded one says so."""

from __future__ import annotations

from django.urls import reverse

from planner.accounts.services import workspace_create
from planner.catalog.models import Source
from planner.catalog.services import NewSource, source_add
from planner.evidence.sources import counts, revisions_of, sources
from simulation.provenance import Origin
from tests.planner.web import material


def test_sources_are_counted_and_filtered_by_origin(workspace, owner):
    material.catalogue(workspace, owner)
    source_add(workspace=workspace, user=owner, new=NewSource(origin="cited", title="A data sheet"))
    found = counts(workspace)
    assert list(found) == [Origin.CITED, Origin.ASSUMED], "strongest first"
    assert found[Origin.CITED] == 1
    assert [one.title for one in sources(workspace, [Origin.CITED])] == ["A data sheet"]
    assert sources(workspace).count() == sum(found.values())


def test_what_rests_on_a_source_is_told(workspace, owner):
    material.catalogue(workspace, owner)
    resting = [str(revision) for one in sources(workspace) for revision in revisions_of(one)]
    assert sorted(resting) == ["2026-07 rev 1", "June log rev 1", "P95 wait 1 h rev 1", "V100-64 rev 1"]


def test_sources_of_another_workspace_are_not_there(workspace, owner, person):
    other = workspace_create(name="Elsewhere", owner=person("erik"))
    source_add(workspace=other, user=other.members.get(), new=NewSource(origin="cited", title="Theirs"))
    assert list(sources(workspace)) == []


def test_the_page_and_the_api_name_file_person_and_what_superseded_it(signed_in, workspace, owner):
    digest = "ab" * 32
    old = source_add(
        workspace=workspace, user=owner,
        new=NewSource(origin="measured", title="June log", file_name="june.csv", sha256=digest),
    )  # fmt: skip
    source_add(workspace=workspace, user=owner, new=NewSource(origin="assumed", title="Typed anew"), supersedes=old)
    page = signed_in.get(reverse("sources", args=[workspace.slug])).content.decode()
    for words in ("june.csv", digest, "olga", "superseded: "):
        assert words in page
    told = signed_in.get(reverse("api:sources", args=[workspace.slug]), {"origin": "assumed"}).json()["results"]
    assert [(one["title"], one["supersedes"], one["entered_by"]) for one in told] == [
        ("Typed anew", str(old.id), "olga")
    ]


def test_an_empty_workspace_says_what_to_do(signed_in, workspace):
    assert "Bring in a file" in signed_in.get(reverse("sources", args=[workspace.slug])).content.decode()
    assert not Source.objects.exists()
