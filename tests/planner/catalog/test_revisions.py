"""Revisions are immutable, numbered, never doubled, and a second writer is told instead of overwriting."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from planner.accounts.immutable import ImmutableError
from planner.accounts.models import AuditEntry, Role
from planner.accounts.services import workspace_create
from planner.catalog import selectors
from planner.catalog.documents import DocumentError
from planner.catalog.models import Item, Kind, Revision, Source
from planner.catalog.services import (
    Conflict,
    NewSource,
    item_archive,
    item_rename,
    item_restore,
    revision_add,
    source_add,
    workload_combine,
)
from simulation.provenance import Origin
from simulation.scenario import JobTable, Phase, Requests, Service, Workload, workload_digest

A100 = {"name": "a100", "gpu_model": "A100", "nodes": 4, "gpus_per_node": 8}
JOBS = JobTable(
    id=["a", "b", "c"], submit_s=[0, 60, 90_000], duration_s=[3600, 7200, 1800], gpus=[1, 8, 2], tenant=["x", "y", "x"]
)
CHAT = Service(name="chat", alpha_s=0.1, requests=Requests(phases=[Phase(start_s=0, rate_per_s=5)], end_s=3600))


@pytest.fixture
def add(workspace, owner):
    def make(nodes: int = 4, **more):
        document = {"cluster": {"name": "big", "pools": [{**A100, "nodes": nodes}]}}
        given = {"name": "big", "kind": Kind.CLUSTER, "origin": "assumed", "source": "typed", "document": document}
        return revision_add(workspace=workspace, user=owner, **{**given, **more})

    return make


def test_each_change_is_a_revision_with_the_next_number(add):
    assert [add(4).number, add(5).number, add(4).number] == [1, 2, 3]


def test_equal_content_adds_no_revision_and_no_source(add):
    first = add(4)
    assert add(4) == first
    assert Revision.objects.count() == Source.objects.count() == 1


def test_equal_content_of_another_origin_is_another_revision(add):
    assert add(4, origin="measured").number == 1
    assert add(4, origin="illustrative").number == 2


def test_a_second_writer_gets_a_conflict_that_names_both_revisions(add):
    started_from = add(4)
    newest = add(5)
    with pytest.raises(Conflict, match=r"revision 1 of big.*saved revision 2") as caught:
        add(6, based_on=started_from)
    assert (caught.value.started_from, caught.value.newest) == (started_from, newest)
    assert Revision.objects.count() == 2


def test_a_conflict_leaves_no_row(add):
    started_from = add(4)
    add(5)
    rows = Source.objects.count(), AuditEntry.objects.count()
    with pytest.raises(Conflict):
        add(6, based_on=started_from)
    assert (Source.objects.count(), AuditEntry.objects.count()) == rows


@pytest.mark.parametrize("change", ["save", "update"])
def test_saved_rows_cannot_be_edited(add, change):
    revision = add()
    for row in (revision, revision.source):
        with pytest.raises(ImmutableError):
            row.save() if change == "save" else type(row).objects.filter(pk=row.pk).update(origin="measured")


def test_a_correction_of_a_source_is_a_new_row(workspace, owner):
    wrong = source_add(workspace=workspace, user=owner, new=NewSource("June list", Origin.MEASURED))
    right = source_add(workspace=workspace, user=owner, new=NewSource("July list", Origin.MEASURED), supersedes=wrong)
    assert right.supersedes == wrong
    assert wrong.entered_by == owner


def test_a_source_of_another_workspace_cannot_be_superseded(workspace, owner):
    elsewhere = workspace_create(name="Elsewhere", owner=owner)
    foreign = source_add(workspace=elsewhere, user=owner, new=NewSource("list", Origin.MEASURED))
    with pytest.raises(DocumentError):
        source_add(workspace=workspace, user=owner, new=NewSource("mine", Origin.MEASURED), supersedes=foreign)


def test_a_document_that_cannot_be_names_its_row_and_saves_nothing(add):
    with pytest.raises(DocumentError, match=r"pools, row 1, nodes: .*greater than or equal to 0.*found -1"):
        add(-1)
    assert not Item.objects.exists()


def test_groups_of_figures_keep_their_own_origins(add):
    document = {"cluster": {"pools": [A100]}, "origins": {"cluster": "assumed", "power": "illustrative"}}
    assert add(origin="measured", document=document).origin == "assumed"
    assert selectors.origins_of(selectors.latest(Item.objects.get())) == {"cluster": "assumed", "power": "illustrative"}


def test_a_workload_comes_back_as_it_went_in(workspace, owner):
    workload = Workload(jobs=JOBS, services=[CHAT])
    revision = revision_add(
        workspace=workspace, user=owner, kind="workload", name="w", workload=workload, origin="measured", source="log"
    )
    assert selectors.workload_of(revision) == workload
    assert revision.digest == workload_digest(workload)


def test_the_summary_of_a_workload_holds_what_lists_show(workspace, owner):
    workload = Workload(jobs=JOBS, services=[CHAT])
    revision = revision_add(
        workspace=workspace, user=owner, kind="workload", name="w", workload=workload, origin="measured", source="log"
    )
    said = revision.summary
    assert (said["jobs"], said["gpu_h"], said["span_s"], said["largest_gang"]) == (3, 18.0, 90_000, 8)
    assert [(row["gang"], row["jobs"], row["gpu_h"]) for row in said["gangs"]] == [
        ("1", 1, 1.0),
        ("2-4", 1, 1.0),
        ("5-8", 1, 16.0),
    ]
    assert said["tenants"][0] == {"tenant": "y", "jobs": 1, "gpu_h": 16.0, "share": pytest.approx(16 / 18)}
    assert said["arrivals"]["bin_s"] == 3600
    assert (said["arrivals"]["jobs"][0], said["arrivals"]["jobs"][25], len(said["arrivals"]["jobs"])) == (2, 1, 26)
    assert (said["arrivals"]["gpu_h"][0], said["arrivals"]["gpu_h"][25]) == (17, 1)
    assert said["services"][0]["rate_per_s"] == 5


def test_jobs_of_one_workload_join_services_of_another(workspace, owner):
    def saved(name, workload, origin):
        return revision_add(
            workspace=workspace, user=owner, kind="workload", name=name, workload=workload, origin=origin, source=name
        )

    jobs = saved("june", Workload(jobs=JOBS), "measured")
    chat = saved("chat", Workload(services=[CHAT]), "assumed")
    both = workload_combine(workspace=workspace, user=owner, name="june and chat", jobs=jobs, services=chat)
    assert selectors.workload_of(both) == Workload(jobs=JOBS, services=[CHAT])
    assert both.origin == "assumed"
    with pytest.raises(DocumentError, match="with jobs and one with services"):
        workload_combine(workspace=workspace, user=owner, name="no", jobs=chat, services=jobs)


def test_archived_items_leave_the_list_and_come_back(add, workspace, owner):
    item = add().item
    item_archive(item=item, user=owner)
    assert not selectors.items(workspace, "cluster")
    assert selectors.items(workspace, "cluster", archived=True).get().newest_number == 1
    item_restore(item=item, user=owner)
    assert selectors.items(workspace, "cluster").get().newest_summary["gpus"] == 32


def test_a_name_is_used_once_a_kind(add, owner):
    one = add().item
    add(name="small")
    with pytest.raises(DocumentError, match="another cluster is called small"):
        item_rename(item=one, user=owner, name=" small ")
    assert item_rename(item=one, user=owner, name="large").name == "large"


@pytest.mark.parametrize("role", [Role.MANAGER, Role.REVIEWER])
def test_members_without_the_right_to_edit_are_refused(workspace, member, role, add):
    item = add().item
    user = member(role)
    with pytest.raises(PermissionDenied):
        item_archive(item=item, user=user)
    with pytest.raises(PermissionDenied):
        revision_add(workspace=workspace, user=user, kind="slos", name="s", origin="assumed", source="t", document={})
    assert selectors.item_for(user, workspace, "cluster", item.id) == item


def test_a_planner_may_edit(member, add, workspace):
    assert item_archive(item=add().item, user=member(Role.PLANNER)).archived_at is not None


def test_nothing_of_another_workspace_exists(add, person, workspace):
    revision = add()
    stranger = person("sam")
    elsewhere = workspace_create(name="Elsewhere", owner=stranger)
    with pytest.raises(Http404):
        selectors.item_for(stranger, workspace, "cluster", revision.item_id)
    with pytest.raises(Http404):
        selectors.item_for(stranger, elsewhere, "cluster", revision.item_id)
    with pytest.raises(Http404):
        selectors.revision_for(elsewhere, revision.id, "cluster")
    with pytest.raises(Http404):
        item_archive(item=revision.item, user=stranger)


@pytest.mark.parametrize("id", ["", "x", "1" * 400, "../../etc", None])
def test_an_id_that_is_none_is_not_found(workspace, owner, id):
    with pytest.raises(Http404):
        selectors.item_for(owner, workspace, "cluster", id)


def test_the_difference_of_two_revisions_names_the_field_by_the_pool(add):
    assert selectors.differences(add(4), add(6)) == [{"path": "cluster / pools / a100 / nodes", "old": 4, "new": 6}]
