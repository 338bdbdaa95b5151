"""Links that open the study builder with systems ticked: written by the pages of systems, followed by the builder."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from planner.accounts.models import Workspace
from planner.catalog.models import Kind
from planner.catalog.selectors import items
from planner.web.study_options import Options, options

if TYPE_CHECKING:
    from simulation.systems.system import System

FIELDS = {"training": "policy", "inference": "serving"}
"""What a system schedules -> the builder's field."""


def link_to(workspace: Workspace, systems: Iterable[System]) -> str:
    """The builder with exactly these systems ticked."""
    ticks = urlencode([(FIELDS[system.workload], system.slug) for system in systems])
    return f"{reverse('study-new', args=[workspace.slug])}?{ticks}"


def followed(workspace: Workspace, link: QueryDict, given: QueryDict, offered: Options) -> tuple[QueryDict, Options]:
    """The form with the systems of `link` ticked instead of its own, and what is then offered.

    Systems for services alone need a workload that has services: the newest such is taken. Where nothing has
    services, they are not ticked. A link may name the workload too.
    """
    if not any(field in link for field in FIELDS.values()):
        return given, offered
    changed = given.copy()
    for field in FIELDS.values():
        changed.setlist(field, link.getlist(field))
    if link.get("workload"):
        changed["workload"] = link["workload"]
        offered = options(workspace, changed)
    if changed.getlist("serving") and not offered.has_services:
        served = None if changed.getlist("policy") else _with_services(workspace)
        if served:
            changed["workload"] = served
            return changed, options(workspace, changed)
        changed.setlist("serving", [])
    return changed, offered


def _with_services(workspace: Workspace) -> str | None:
    found = (i for i in items(workspace, Kind.WORKLOAD) if i.newest_id and i.newest_summary.get("services"))
    return next((str(item.newest_id) for item in found), None)
