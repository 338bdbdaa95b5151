"""Every source of a workspace is listed with file, person and what rests on it; a superseded one says so."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from planner.accounts.models import AuditEntry, Role
from planner.accounts.services import workspace_create
from planner.catalog.documents import DocumentError
from planner.catalog.models import Source
from planner.catalog.services import NewSource, source_add, source_correct
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


@pytest.fixture
def quote(workspace, owner):
    new = NewSource("A qoute", Origin.CITED, file_name="quote.pdf", sha256="ab" * 32, detail={"page": 3})
    return source_add(workspace=workspace, user=owner, new=new)


def test_a_correction_is_a_new_source_and_the_old_one_stays(signed_in, workspace, owner, quote):
    given = {"title": "A quote of March", "why": "misspelt"}
    answer = signed_in.post(reverse("source-correction", args=[workspace.slug, quote.id]), given, follow=True)
    newer = Source.objects.get(title="A quote of March")
    assert (newer.supersedes, newer.origin, newer.file_name, newer.sha256) == (quote, "cited", "quote.pdf", "ab" * 32)
    assert (newer.detail["page"], newer.detail["why"], newer.entered_by) == (3, "misspelt", owner)
    page = answer.content.decode()
    assert f'superseded: <a href="#{newer.id}">A quote of March</a>' in page
    assert "in place of" in page
    assert reverse("source-correction", args=[workspace.slug, quote.id]) not in page
    entry = AuditEntry.objects.get(action="source.correct")
    assert (entry.user, entry.target, entry.detail) == (owner, "A qoute", {"to": given["title"], "why": "misspelt"})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"title": "A qoute", "why": "because"}, "title: say in 1 to 200 characters, and not as before"),
        ({"title": " ", "why": "because"}, "This field is required"),
        ({"title": "A quote", "why": ""}, "This field is required"),
        ({"title": "x" * 201, "why": "long"}, "at most 200 characters"),
    ],
)
def test_a_correction_that_says_nothing_is_not_saved(signed_in, workspace, quote, given, said):
    answer = signed_in.post(reverse("source-correction", args=[workspace.slug, quote.id]), given)
    assert (answer.status_code, said in answer.content.decode()) == (400, True)
    assert Source.objects.count() == 1
    assert not AuditEntry.objects.filter(action="source.correct").exists()


def test_a_source_is_corrected_once_and_then_its_correction_is(signed_in, workspace, owner, quote):
    newer = source_correct(source=quote, user=owner, title="A quote", why="misspelt")
    with pytest.raises(DocumentError, match="superseded already; correct the newer one, “A quote”"):
        source_correct(source=quote, user=owner, title="Another", why="again")
    page = signed_in.get(reverse("source-correction", args=[workspace.slug, quote.id])).content.decode()
    assert reverse("source-correction", args=[workspace.slug, newer.id]) in page
    assert "<form" not in page.partition("<main")[2]
    assert source_correct(source=newer, user=owner, title="Another", why="again").supersedes == newer


def test_a_revision_tells_that_its_source_was_superseded(signed_in, workspace, owner):
    prices = material.catalogue(workspace, owner)["prices"]
    newer = source_correct(source=prices.source, user=owner, title="The offer of July", why="it was no list price")
    page = signed_in.get(reverse("price-sheet", args=[workspace.slug, prices.item_id])).content.decode()
    assert f'superseded: <a href="{reverse("sources", args=[workspace.slug])}#{newer.id}">The offer of July</a>' in page


def test_who_may_not_edit_corrects_nothing(workspace, member, quote):
    with pytest.raises(PermissionDenied):
        source_correct(source=quote, user=member(Role.REVIEWER), title="Mine", why="no")
    assert Source.objects.count() == 1


def test_an_empty_workspace_says_what_to_do(signed_in, workspace):
    assert "Bring in a file" in signed_in.get(reverse("sources", args=[workspace.slug])).content.decode()
    assert not Source.objects.exists()
