"""Reads of the catalogue. An object of another workspace does not exist here (Http404)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import Http404

from planner.accounts.models import User, Workspace
from planner.accounts.selectors import Act, require
from planner.catalog import documents
from planner.catalog.models import Import, Item, Kind, Revision, Source
from simulation.provenance import Origin
from simulation.scenario import Cluster, Prices, Slo, Workload

LIGHT = ("payload",)
"""Left out of every list: a workload's payload can be megabytes."""


def items(workspace: Workspace, kind: str, *, archived: bool = False) -> QuerySet[Item]:
    """Items of a kind by name, each with the id, number, origin and summary of its newest revision."""
    newest = Revision.objects.filter(item=OuterRef("pk")).order_by("-number")
    return Item.objects.filter(workspace=workspace, kind=kind, archived_at__isnull=not archived).annotate(
        newest_id=Subquery(newest.values("id")[:1]),
        newest_number=Subquery(newest.values("number")[:1]),
        newest_origin=Subquery(newest.values("origin")[:1]),
        newest_summary=Subquery(newest.values("summary")[:1]),
        newest_at=Subquery(newest.values("created_at")[:1]),
    )


def newest(workspace: Workspace, kind: str) -> list[Revision]:
    """The newest revision of each item of a kind that is not archived, by name."""
    ids = [item.newest_id for item in items(workspace, kind)]
    return list(Revision.objects.filter(id__in=ids).select_related("item").order_by("item__name"))


def counts(workspace: Workspace) -> dict[str, int]:
    """How many items of each kind there are, archived ones left out."""
    kinds = Item.objects.filter(workspace=workspace, archived_at=None).values_list("kind", flat=True)
    found = list(kinds)
    return {kind.value: found.count(kind.value) for kind in Kind}


def item_for(user: User, workspace: Workspace, kind: str, id: UUID | str, act: Act = Act.READ) -> Item:
    require(user, workspace, act)
    found = Item.objects.filter(workspace=workspace, kind=kind, id=_uuid(id)).first()
    if found is None:
        raise Http404(f"No such {Kind(kind).label.lower()}")
    return found


def revisions(item: Item) -> QuerySet[Revision]:
    """All revisions, newest first, without payloads; each with what superseded its source."""
    found = Revision.objects.filter(item=item).defer(*LIGHT).select_related("source", "created_by", "item")
    return found.prefetch_related("source__source_set")


def latest(item: Item) -> Revision:
    found = revisions(item).order_by("-number").first()
    if found is None:
        raise Http404("Nothing has been saved under this name yet")
    return found


def revision_numbered(item: Item, number: int) -> Revision:
    found = revisions(item).filter(number=min(number, 2**31 - 1)).first()
    if found is None:
        raise Http404("No such revision")
    return found


def revision_for(workspace: Workspace, id: UUID | str, kind: str) -> Revision:
    found = (
        Revision.objects.filter(id=_uuid(id), item__workspace=workspace, item__kind=kind)
        .defer(*LIGHT)
        .select_related("item__workspace", "source__entered_by")
        .first()
    )
    if found is None:
        raise Http404(f"No such revision of a {Kind(kind).label.lower()}")
    return found


def source_for(workspace: Workspace, id: UUID | str) -> Source:
    found = Source.objects.filter(workspace=workspace, id=_uuid(id)).select_related("entered_by").first()
    if found is None:
        raise Http404("No such source")
    return found


def cluster_of(revision: Revision) -> Cluster:
    return documents.cluster_in(revision)


def prices_of(revision: Revision) -> Prices:
    return documents.prices_in(revision)


def workload_of(revision: Revision) -> Workload:
    return documents.workload_in(revision)


def slos_of(revision: Revision) -> list[Slo]:
    return documents.slos_in(revision)


def origins_of(revision: Revision) -> dict[str, Origin]:
    """Origin by group of scenario inputs: workload, or cluster and power, or prices and carbon."""
    return documents.origins_in(revision)


def imports(workspace: Workspace) -> QuerySet[Import]:
    """Imports, newest first, without the bytes of their files."""
    return Import.objects.filter(workspace=workspace).defer("content").select_related("revision__item", "created_by")


def import_lines(workspace: Workspace) -> QuerySet[Import]:
    """Imports for a list: of the preview only the format's title and what became of the rows."""
    shown = imports(workspace).exclude(state=Import.State.DISCARDED)
    return shown.defer("content", "preview").annotate(title=F("preview__title"), rows=F("preview__counts"))


def import_for(user: User, workspace: Workspace, id: UUID | str, act: Act = Act.READ) -> Import:
    require(user, workspace, act)
    found = imports(workspace).filter(id=_uuid(id)).first()
    if found is None:
        raise Http404("No such import")
    return found


def differences(older: Revision, newer: Revision) -> list[dict[str, Any]]:
    """What changed between two revisions, one row a field: path in words, old and new value (None: absent)."""
    before, after = dict(_leaves(_told(older))), dict(_leaves(_told(newer)))
    paths = [*before, *(path for path in after if path not in before)]
    return [
        {"path": path, "old": before.get(path), "new": after.get(path)}
        for path in paths
        if before.get(path) != after.get(path)
    ]


def _told(revision: Revision) -> dict[str, Any]:
    """A workload is compared by its summary; everything else by its document."""
    return revision.document or revision.summary


def _leaves(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [leaf for key, part in value.items() for leaf in _leaves(part, f"{path} / {key}" if path else key)]
    if isinstance(value, list):
        rows = [(_row_name(part, at), part) for at, part in enumerate(value)]
        return [leaf for name, part in rows for leaf in _leaves(part, f"{path} / {name}")]
    return [(path, value)]


def _row_name(row: Any, at: int) -> str:
    """Rows are matched by their name where they have one, so that a new first row does not change all others."""
    if isinstance(row, dict):
        for key in ("name", "pool", "gpu_model", "metric", "tenant", "gang"):
            if row.get(key):
                return str(row[key])
    return str(at + 1)


def _uuid(id: UUID | str) -> UUID:
    try:
        return id if isinstance(id, UUID) else UUID(str(id))
    except ValueError:
        raise Http404("No such object") from None
