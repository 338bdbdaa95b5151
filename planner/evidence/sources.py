"""The sources of a workspace: where its figures come from, who entered them, and what rests on them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Count, QuerySet

from planner.accounts.models import Workspace
from planner.catalog.models import Revision, Source
from simulation.provenance import Origin


def sources(workspace: Workspace, origins: Collection[Origin] = ()) -> QuerySet[Source]:
    """Newest first, those of `origins` alone where any are named; each with its revisions and what supersedes it."""
    found = Source.objects.filter(workspace=workspace).select_related("entered_by", "supersedes")
    if origins:
        found = found.filter(origin__in=origins)
    return found.prefetch_related("revisions__item__workspace", "source_set").order_by("-entered_at", "-id")


def counts(workspace: Workspace) -> dict[Origin, int]:
    """How many sources there are of each origin, strongest first."""
    rows = Source.objects.filter(workspace=workspace).values_list("origin").annotate(Count("id")).order_by()
    known = dict(rows)
    return {origin: known[origin] for origin in Origin if origin in known}


def revisions_of(source: Source) -> list[Revision]:
    """What rests on a source, by name."""
    return sorted(source.revisions.all(), key=lambda revision: (revision.item.name, revision.number))
