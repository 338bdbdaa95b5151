"""Each kind has the same addresses; those of one kind alone follow."""

from __future__ import annotations

from django.urls import URLPattern, path

from api.v1.catalog import entry, imports, items, views
from planner.catalog.models import Kind

_KINDS = (
    (Kind.CLUSTER, "clusters", "cluster", entry.Clusters, entry.ClusterRevisions),
    (Kind.PRICES, "prices", "price-sheet", entry.PriceSheets, entry.PriceRevisions),
    (Kind.WORKLOAD, "workloads", "workload", views.Workloads, items.Revisions),
    (Kind.SLOS, "slos", "slo-set", entry.SloSets, entry.SloRevisions),
)


def _common(kind: Kind, folder: str, one: str, listing: type, revisions: type) -> list[URLPattern]:
    item = f"w/<slug:workspace>/{folder}/<uuid:item>/"
    return [
        path(f"w/<slug:workspace>/{folder}/", listing.as_view(kind=kind), name=folder),
        path(item, items.OneItem.as_view(kind=kind), name=one),
        path(f"{item}revisions/", revisions.as_view(kind=kind), name=f"{one}-revisions"),
        path(f"{item}changes/", items.Changes.as_view(kind=kind), name=f"{one}-changes"),
    ]


_IMPORT = "w/<slug:workspace>/imports/<uuid:importing>/"

urlpatterns: list[URLPattern] = [
    path("w/<slug:workspace>/workloads/combine/", views.WorkloadCombine.as_view(), name="workload-combine"),
    *(route for kind in _KINDS for route in _common(*kind)),
    path("w/<slug:workspace>/clusters/<uuid:item>/pools/", views.Pools.as_view(), name="cluster-pools"),
    path("w/<slug:workspace>/prices/<uuid:item>/lines/", views.PriceLines.as_view(), name="price-sheet-lines"),
    path("w/<slug:workspace>/prices/<uuid:item>/cost/", views.MonthlyCost.as_view(), name="price-sheet-cost"),
    path("w/<slug:workspace>/slos/<uuid:item>/limits/", views.Limits.as_view(), name="slo-set-limits"),
    path("gpu-models/", views.GpuModels.as_view(), name="gpu-models"),
    path("formats/", imports.Formats.as_view(), name="formats"),
    path("w/<slug:workspace>/imports/", imports.Imports.as_view(), name="imports"),
    path(_IMPORT, imports.OneImport.as_view(), name="import"),
    path(f"{_IMPORT}accept", imports.ImportAccept.as_view(), name="import-accept"),
    path(f"{_IMPORT}discard", imports.ImportDiscard.as_view(), name="import-discard"),
    path(f"{_IMPORT}again", imports.ImportAgain.as_view(), name="import-again"),
    path(f"{_IMPORT}rejected/", imports.Rejected.as_view(), name="import-rejected"),
]
