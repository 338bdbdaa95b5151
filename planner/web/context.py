"""What every page's shell needs: the workspaces of the person, the menu and the state of the queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from planner.accounts.models import User, Workspace
from planner.accounts.selectors import Act, may, workspaces_of
from planner.studies.counts import queue_counts

# name, address, other addresses under which the entry is the current one
_MENU = (
    (
        ("Studies", "studies", ("study", "study-new", "run")),
        ("Grid", "grid", ()),
        ("Systems", "systems", ("system",)),
        ("Published", "library", ()),
    ),
    (
        ("Clusters", "clusters", ("cluster", "cluster-new")),
        ("Prices", "prices", ("price-sheet", "price-sheet-new")),
        ("Workloads", "workloads", ("workload",)),
        ("SLOs", "slos", ("slo-set", "slo-set-new")),
        ("Sources", "sources", ("source-correction",)),
        ("Imports", "imports", ("import", "import-new")),
    ),
    (("Queue", "queue", ()),),
)
_EVERYWHERE = (("Agreement", "fidelity"), ("Speed", "speed"), ("Glossary", "glossary"))
"""Pages about the engine and the words, which belong to no workspace."""


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    url: str
    current: str  # aria-current: "page" on the entry's own page, "true" below it
    here: bool


def menu(user: User, workspace: Workspace, at: str) -> list[list[Entry]]:
    groups = [[_entry(workspace, at, *row) for row in group] for group in _MENU]
    if may(user, workspace, Act.ADMINISTER):
        groups[-1].append(_entry(workspace, at, "Audit log", "audit", ()))
    everywhere = [Entry(name, reverse(address), "page", at == address) for name, address in _EVERYWHERE]
    return [*groups, everywhere]


def _entry(workspace: Workspace, at: str, name: str, address: str, below: tuple[str, ...]) -> Entry:
    url = reverse(address, args=[workspace.slug])
    return Entry(name, url, "page" if at == address else "true", at == address or at in below)


def shell(request: HttpRequest) -> dict[str, Any]:
    """`workspace` (that of the address, else the one last visited) and `shell`: workspaces, menu, queue counts."""
    if not request.user.is_authenticated or request.resolver_match is None:
        return {"workspace": None, "shell": {}}
    mine = list(workspaces_of(request.user))
    slug = request.resolver_match.kwargs.get("workspace") or request.session.get("workspace")
    workspace = next((w for w in mine if w.slug == slug), None)
    parts: dict[str, Any] = {"workspaces": mine}
    if workspace is not None:
        at = request.resolver_match.url_name or ""
        parts |= {"menu": menu(request.user, workspace, at), "queue": queue_counts(workspace)}
    return {"workspace": workspace, "shell": parts}
