from __future__ import annotations

from django.urls import URLPattern, path

from planner.catalog.models import Kind
from planner.web.views import catalog, clusters, prices, slos, workloads

_FOLDERS = {Kind.CLUSTER: "clusters", Kind.PRICES: "prices", Kind.WORKLOAD: "workloads", Kind.SLOS: "slos"}


def _common(kind: Kind, folder: str) -> list[URLPattern]:
    """What every kind has: its list, archiving, renaming, and the comparison of two revisions."""
    page, given = catalog.PAGES[kind], {"kind": kind}
    return [
        path(f"{folder}/", catalog.listing, given, name=catalog.LISTS[kind]),
        path(f"{folder}/<uuid:item>/archive/", catalog.archive, given, name=f"{page}-archive"),
        path(f"{folder}/<uuid:item>/rename/", catalog.rename, given, name=f"{page}-rename"),
        path(f"{folder}/<uuid:item>/changes/", catalog.changes, given, name=f"{page}-changes"),
    ]


urlpatterns: list[URLPattern] = [
    *(route for kind, folder in _FOLDERS.items() for route in _common(kind, folder)),
    path("clusters/new/", clusters.cluster_new, name="cluster-new"),
    path("clusters/<uuid:item>/", clusters.cluster, name="cluster"),
    path("clusters/<uuid:item>/edit/", clusters.cluster_edit, name="cluster-edit"),
    path("prices/new/", prices.price_sheet_new, name="price-sheet-new"),
    path("prices/<uuid:item>/", prices.price_sheet, name="price-sheet"),
    path("prices/<uuid:item>/edit/", prices.price_sheet_edit, name="price-sheet-edit"),
    path("slos/new/", slos.slo_set_new, name="slo-set-new"),
    path("slos/<uuid:item>/", slos.slo_set, name="slo-set"),
    path("slos/<uuid:item>/edit/", slos.slo_set_edit, name="slo-set-edit"),
    path("workloads/combine/", workloads.combine, name="workload-combine"),
    path("workloads/<uuid:item>/", workloads.workload, name="workload"),
]
