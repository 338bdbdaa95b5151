"""What a new study starts from where nobody has said it: parts of the catalogue that belong together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from planner.accounts.models import Workspace
from planner.catalog import consistency, costs
from planner.catalog.models import Item, Kind, Revision
from planner.catalog.selectors import cluster_of, items, prices_of, revision_for
from planner.studies.models import Study
from simulation.scenario import Cluster

ROLES = {"cluster": Kind.CLUSTER, "workload": Kind.WORKLOAD, "prices": Kind.PRICES, "slos": Kind.SLOS}
POLICIES = ("fcfs-quota", "fcfs-backfill", "sjf", "srtf", "tiresias", "fair-share")
"""What a first comparison has: two that keep the order of arrival, two that prefer short jobs, two that look at use."""
_TRIED = 6  # newest of each kind; older ones are there to be chosen


def newest_study(workspace: Workspace) -> Study | None:
    return Study.objects.filter(workspace=workspace, archived_at=None).order_by("-created_at", "-id").first()


def parts_of(study: Study) -> dict[str, str]:
    """The newest revisions of what `study` used as its base, by role; "" where it used none or it is archived."""
    used = {role: id for role in ROLES if (id := study.base.get(role))}
    kept = Item.objects.filter(workspace=study.workspace_id, archived_at=None, revisions__in=used.values())
    newest = {
        item.kind: str(revision.id)
        for item in kept.distinct()
        if (revision := item.revisions.defer("payload").order_by("-number").first())
    }
    return {role: newest.get(kind, "") if role in used else "" for role, kind in ROLES.items()}


def parts_that_fit(workspace: Workspace) -> dict[str, str]:
    """A workload and a cluster that go together, the newest prices for that cluster and the newest limits, by role."""
    pair = _pair(workspace)
    if pair is None:
        return dict.fromkeys(ROLES, "")
    cluster, workload = pair
    slos = next(iter(_newest(workspace, Kind.SLOS)), None)
    prices = _prices_for(workspace, cluster_of(cluster))
    chosen = {"cluster": cluster, "workload": workload, "prices": prices, "slos": slos}
    return {role: str(revision.id) if revision else "" for role, revision in chosen.items()}


def _pair(workspace: Workspace) -> tuple[Revision, Revision] | None:
    """The cluster and the workload with the least to say against their going together; among equals the newest."""
    clusters = [(revision, cluster_of(revision)) for revision in _newest(workspace, Kind.CLUSTER)]
    pairs = product(list(_newest(workspace, Kind.WORKLOAD)), clusters)
    weighed = [(_against(cluster, workload.summary), revision, workload) for workload, (revision, cluster) in pairs]
    return min(weighed, key=lambda pair: pair[0])[1:] if weighed else None


def _against(cluster: Cluster, summary: dict[str, Any]) -> tuple[int, int]:
    """Complaints that stop a study, and those about the work that do not."""
    stops = [problem for problem in consistency.of_cluster(cluster) if problem.stops]
    work = list(consistency.of_work(cluster, summary))
    return len(stops) + sum(problem.stops for problem in work), len(work)


def _prices_for(workspace: Workspace, cluster: Cluster) -> Revision | None:
    """The newest sheet that prices a pool of the cluster and does not contradict itself."""
    for revision in _newest(workspace, Kind.PRICES):
        prices = prices_of(revision)
        fits = any(costs.line_for(prices, pool) for pool in cluster.pools)
        if fits and not any(problem.stops for problem in consistency.of_prices(prices)):
            return revision
    return None


def _newest(workspace: Workspace, kind: Kind) -> Iterator[Revision]:
    """Newest revisions of the items of a kind that changed last."""
    for item in items(workspace, kind).filter(newest_id__isnull=False).order_by("-newest_at", "-id")[:_TRIED]:
        yield revision_for(workspace, item.newest_id, kind)
