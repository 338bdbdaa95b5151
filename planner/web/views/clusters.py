"""A cluster: its pools with the origin of every figure, and what it costs under a price sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from planner.accounts.selectors import workspace_for
from planner.catalog import consistency, selectors
from planner.catalog.figures import PLAIN, Told, told_in
from planner.catalog.models import Kind, Revision
from planner.catalog.services_entry import cluster_enter
from planner.web.cluster_rows import changes_of, facts_of
from planner.web.forms.clusters import GB, ClusterForm, pool_rows, pools_as_typed
from planner.web.forms.rows import Rows
from planner.web.views.catalog import opened, seen_by
from planner.web.views.entry import EntryPage

SHOWN = (
    ("gpu_memory_bytes", "GB", 1 / GB, "not in the catalogue, and not typed"),
    ("idle_w", "W", 1.0, "no figure for this model; energy stays unknown"),
    ("peak_w", "W", 1.0, "no figure for this model; energy stays unknown"),
    ("speed", "", 1.0, ""),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A figure of a pool as the table shows it."""

    value: float | None
    unit: str
    origin: str
    source: str
    note: str


def figures_of(revision: Revision) -> Iterator[tuple[dict[str, Any], dict[str, Shown]]]:
    """Each pool of a cluster revision with its figures by field."""
    told = told_in(revision)
    counts = [(field, "", 1.0, "") for field in ("nodes", "gpus_per_node")]
    for pool in revision.document["cluster"]["pools"]:
        yield pool, {field: _shown(pool, told[pool["name"]], field, *how) for field, *how in (*counts, *SHOWN)}


def _shown(pool: dict[str, Any], told: dict[str, Told], field: str, unit: str, factor: float, note: str) -> Shown:
    value = pool[field]
    origin = "" if value == PLAIN.get(field) else told[field]["origin"]
    return Shown(None if value is None else value * factor, unit, origin, told[field]["source"], note)


def sources_of(revision: Revision) -> list[tuple[str, str]]:
    """Where the figures come from, each once: (origin, words)."""
    told = [figure for pool in revision.document.get("figures", {}).values() for figure in pool.values()]
    return list(dict.fromkeys((figure["origin"], figure["source"]) for figure in told)) or [
        (revision.origin, revision.source.title)
    ]


@login_required
@require_safe
def cluster(request: HttpRequest, workspace: str, item: Any) -> HttpResponse:
    here = workspace_for(request.user, workspace)
    found, revision = opened(request, here, Kind.CLUSTER, item)
    content = selectors.cluster_of(revision)
    context = {
        "item": found,
        "revision": revision,
        "pools": [(pool, figures, pool["nodes"] * pool["gpus_per_node"]) for pool, figures in figures_of(revision)],
        "pue": content.pue,
        "facts": facts_of(content, told_in(revision)),
        "changes": changes_of(content),
        "sources": sources_of(revision),
        "problems": list(consistency.of_cluster(content)),
        "revisions": selectors.revisions(found),
        "importing": revision.imports.filter(added=True).defer("content").first(),
        "prices": selectors.items(here, Kind.PRICES),
        **seen_by(request, here),
    }
    return render(request, "catalog/cluster.html", context)


def _save(form: forms.Form, rows: Rows, **common: Any) -> Revision:
    pue = form.cleaned_data["pue"]
    return cluster_enter(
        **common,
        pools=[row.pool for row in rows.kept],
        changes=rows.changes(),
        continues=rows.continues(),
        pue=1.0 if pue is None else float(pue),
    )


ENTRY = EntryPage(
    kind=Kind.CLUSTER,
    template="catalog/cluster_form.html",
    page="cluster",
    form=ClusterForm,
    rows=pool_rows,
    head_of=lambda revision: {"pue": revision.document["cluster"]["pue"]},
    rows_of=pools_as_typed,
    save=_save,
)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def cluster_new(request: HttpRequest, workspace: str) -> HttpResponse:
    return ENTRY.show(request, workspace)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def cluster_edit(request: HttpRequest, workspace: str, item: Any) -> HttpResponse:
    return ENTRY.show(request, workspace, item)
