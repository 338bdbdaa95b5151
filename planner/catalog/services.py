"""Writes of the catalogue: revisions, sources, items. Every edit is a new revision; nothing is overwritten."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from planner.accounts.models import User, Workspace
from planner.accounts.selectors import Act, require
from planner.accounts.services import audit
from planner.catalog import profile
from planner.catalog.documents import DocumentError, content_of, main_origin, workload_in
from planner.catalog.models import Item, Kind, Revision, Source
from simulation.provenance import Origin, weakest
from simulation.scenario import Cluster, Prices, Slo, Workload

INHERITED = ("starts_at", "waits", "completions", "unknown_waits", "left_out", "running", "widened")
"""Facts about the jobs of a log that a workload keeps when services join them."""


class Conflict(Exception):
    """Two people changed the same object: the second started from a revision that is no longer the newest."""

    def __init__(self, started_from: Revision, newest: Revision) -> None:
        self.started_from, self.newest = started_from, newest
        super().__init__(
            f"You started from revision {started_from.number} of {newest.item.name}, but {_author(newest)} has since"
            f" saved revision {newest.number}. Nothing of yours was saved: look at what changed, then save again."
        )


def _author(revision: Revision) -> str:
    return revision.created_by.get_username() if revision.created_by else "someone"


@dataclass(frozen=True, slots=True)
class NewSource:
    """Where the figures of a revision come from, before there is a row for it."""

    title: str
    origin: Origin
    file_name: str = ""
    sha256: str = ""
    detail: dict[str, Any] = field(default_factory=dict)


@transaction.atomic
def source_add(*, workspace: Workspace, user: User, new: NewSource, supersedes: Source | None = None) -> Source:
    """Say where figures come from. Correcting a source means adding one that supersedes it."""
    require(user, workspace, Act.EDIT)
    if supersedes is not None and supersedes.workspace_id != workspace.id:
        raise DocumentError("a source can only supersede one of the same workspace")
    return Source.objects.create(
        workspace=workspace,
        origin=new.origin,
        title=new.title[:200],
        file_name=new.file_name[:255],
        sha256=new.sha256,
        detail=new.detail,
        entered_by=user,
        supersedes=supersedes,
    )


@transaction.atomic
def source_correct(*, source: Source, user: User, title: str, why: str) -> Source:
    """Say anew where figures come from, and why: a source that supersedes `source`, of the same file and origin.

    What rests on the old one goes on doing so and keeps its marks; a figure of another origin is a new revision.
    """
    require(user, source.workspace, Act.EDIT)
    Source.objects.select_for_update().get(pk=source.pk)  # two corrections at once come one after the other
    newer = source.source_set.first()
    if newer is not None:
        raise DocumentError(f"source: it was superseded already; correct the newer one, “{newer.title}”")
    title, why = title.strip(), why.strip()
    if not title or len(title) > 200 or title == source.title:
        raise DocumentError("title: say in 1 to 200 characters, and not as before, where the figures come from")
    if not why or len(why) > 300:
        raise DocumentError("why: say in 1 to 300 characters what was wrong")
    detail = {**source.detail, "why": why, "when": timezone.now().isoformat(timespec="seconds")}
    new = NewSource(title, Origin(source.origin), source.file_name, source.sha256, detail)
    audit(workspace=source.workspace, user=user, action="source.correct", target=source.title, to=title, why=why)
    return source_add(workspace=source.workspace, user=user, new=new, supersedes=source)


@transaction.atomic
def revision_add(
    *,
    workspace: Workspace,
    user: User,
    kind: str,
    origin: Origin | str,
    source: Source | NewSource | str,
    item: Item | None = None,
    name: str = "",
    document: dict[str, Any] | None = None,
    workload: Workload | None = None,
    note: str = "",
    facts: dict[str, Any] | None = None,
    based_on: Revision | None = None,
) -> Revision:
    """Save a revision of `item`, or of the item called `name` (made where it is new).

    Content and origin equal to the newest revision's give that one back and save nothing. `based_on` is the revision
    that the author started from; Conflict where it is no longer the newest. `source` may be a new one, or its title
    alone. `facts` go to the summary beside what is worked out. DocumentError where the content does not fit `kind`.
    """
    require(user, workspace, Act.EDIT)
    origin = Origin(origin)
    content = content_of(kind, document, workload, origin)
    overall = main_origin(kind, content.document, origin)
    item = _locked(workspace, kind, item, name)
    newest = Revision.objects.filter(item=item).defer("payload").order_by("-number").first()
    if newest and newest.digest == content.digest and newest.origin == overall:
        return newest
    if newest and based_on and based_on.pk != newest.pk:
        raise Conflict(based_on, newest)
    if isinstance(source, str):
        source = NewSource(source, origin)
    if isinstance(source, NewSource):
        source = source_add(workspace=workspace, user=user, new=source)
    revision = Revision.objects.create(
        item=item,
        number=newest.number + 1 if newest else 1,
        document=content.document,
        payload=content.payload,
        digest=content.digest,
        summary={**_summary(kind, content.document, workload), **(facts or {})},
        origin=overall,
        source=source,
        note=note[:300],
        created_by=user,
    )
    audit(workspace=workspace, user=user, action="revision.add", target=str(revision), digest=content.digest)
    return revision


def _locked(workspace: Workspace, kind: str, item: Item | None, name: str) -> Item:
    """The item to add to, its row locked until the end of the transaction (SQLite locks the whole file instead)."""
    if item is not None and (item.workspace_id != workspace.id or item.kind != kind):
        raise DocumentError(f"{item.name} is not a {Kind(kind).label.lower()} of this workspace")
    if item is None:
        name = name.strip()
        if not name or len(name) > 100:
            raise DocumentError("name: give one of 1 to 100 characters")
        item, _ = Item.objects.get_or_create(workspace=workspace, kind=kind, name=name)
    item = Item.objects.select_for_update().get(pk=item.pk)
    if item.archived_at is not None:  # a new revision brings an archived item back
        item.archived_at = None
        item.save(update_fields=["archived_at"])
    return item


def _summary(kind: str, document: dict[str, Any], workload: Workload | None) -> dict[str, Any]:
    if workload is not None:
        return profile.of_workload(workload)
    if kind == Kind.CLUSTER:
        return profile.of_cluster(Cluster.model_validate(document["cluster"]))
    if kind == Kind.PRICES:
        return {**profile.of_prices(Prices.model_validate(document["prices"])), "currency": document["currency"]}
    return profile.of_slos([Slo.model_validate(slo) for slo in document["slos"]])


@transaction.atomic
def item_rename(*, item: Item, user: User, name: str) -> Item:
    require(user, item.workspace, Act.EDIT)
    name = name.strip()
    if not name or len(name) > 100:
        raise DocumentError("name: give one of 1 to 100 characters")
    taken = Item.objects.filter(workspace=item.workspace, kind=item.kind, name=name).exclude(pk=item.pk).exists()
    if taken:
        raise DocumentError(f"name: another {Kind(item.kind).label.lower()} is called {name}")
    audit(workspace=item.workspace, user=user, action="item.rename", target=item.name, to=name)
    item.name = name
    item.save(update_fields=["name"])
    return item


@transaction.atomic
def item_archive(*, item: Item, user: User) -> Item:
    """Take an item out of the lists. Its revisions stay, and so does everything computed from them."""
    require(user, item.workspace, Act.EDIT)
    item.archived_at = timezone.now()
    item.save(update_fields=["archived_at"])
    audit(workspace=item.workspace, user=user, action="item.archive", target=item.name)
    return item


@transaction.atomic
def item_restore(*, item: Item, user: User) -> Item:
    require(user, item.workspace, Act.EDIT)
    item.archived_at = None
    item.save(update_fields=["archived_at"])
    audit(workspace=item.workspace, user=user, action="item.restore", target=item.name)
    return item


@transaction.atomic
def workload_combine(
    *, workspace: Workspace, user: User, name: str, jobs: Revision, services: Revision, note: str = ""
) -> Revision:
    """One workload with the jobs of one revision and the services of another; its origin is the weaker of the two.

    Both keep their own clocks: time 0 of the jobs is time 0 of the requests.
    """
    for part in (jobs, services):
        if part.item.workspace_id != workspace.id:
            raise DocumentError("both workloads must be of this workspace")
    combined = Workload(jobs=workload_in(jobs).jobs, services=workload_in(services).services)
    if combined.jobs is None or not combined.services:
        raise DocumentError("choose a workload with jobs and one with services")
    inherited = {key: jobs.summary[key] for key in INHERITED if key in jobs.summary}
    origin = weakest([jobs.origin, services.origin])
    parts = {"jobs": str(jobs.id), "services": str(services.id)}
    source = NewSource(f"Jobs of {jobs}, services of {services}", origin, detail=parts)
    return revision_add(
        workspace=workspace,
        user=user,
        kind=Kind.WORKLOAD,
        name=name,
        workload=combined,
        origin=origin,
        source=source,
        note=note,
        facts=inherited,
    )
