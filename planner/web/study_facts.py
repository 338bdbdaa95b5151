"""What a study was made of, in words: the line under its title and the source line of its figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.urls import reverse

from planner.catalog.models import Kind, Revision
from planner.catalog.selectors import revision_for
from planner.compare.board import Board
from planner.studies.models import Study

_PARTS = (("workload", Kind.WORKLOAD, "workload"), ("cluster", Kind.CLUSTER, "cluster"),
          ("prices", Kind.PRICES, "price-sheet"), ("slos", Kind.SLOS, "slo-set"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """One revision that a scenario refers to."""

    role: str  # workload, cluster, prices, slos
    revision: Revision
    url: str

    @property
    def name(self) -> str:
        return f"{self.revision.item.name} rev {self.revision.number}"


def revision_url(revision: Revision | None) -> str:
    """The page of a revision; "" where there is none."""
    if revision is None:
        return ""
    address = next(address for _, kind, address in _PARTS if kind == revision.item.kind)
    url = reverse(address, args=[revision.item.workspace.slug, revision.item_id])
    return f"{url}?rev={revision.number}"


def parts(workspace: Any, spec: dict[str, Any]) -> list[Part]:
    """The revisions of a spec that still exist, in the order workload, cluster, prices, SLOs."""
    found = []
    for role, kind, _ in _PARTS:
        if not spec.get(role):
            continue
        try:
            revision = revision_for(workspace, spec[role], kind)
        except Http404:
            continue
        found.append(Part(role, revision, revision_url(revision)))
    return found


def facts(study: Study) -> dict[str, Any]:
    by_role = {part.role: part for part in parts(study.workspace, study.base)}
    return {"parts": by_role, "seeds": study.axes.get("seeds", 1), "horizon_s": study.base.get("horizon_s")}


def caption(study: Study, board: Board) -> str:
    """Engine, seeds, workload and exceptions: what has to travel with a picture of the study."""
    workload = next((p for p in parts(study.workspace, study.base) if p.role == "workload"), None)
    seeds = f"seeds 0–{board.seeds - 1}" if board.seeds > 1 else f"{board.seeds} seed"
    source = f", {workload.name} (sha256 {workload.revision.digest[:8]})" if workload else ""
    excepted = "".join(f" {one.sentence}" for one in board.exceptions)
    return f"engine {board.engine or 'not run yet'}, {seeds}{source}.{excepted}"
