"""Files of a workspace's tables, figures and reports."""

from __future__ import annotations

from django.urls import URLPattern, path

from planner.catalog.models import Kind
from planner.web.views import exports

_ITEMS = {Kind.CLUSTER: ("clusters", "cluster"), Kind.PRICES: ("prices", "price-sheet"),
          Kind.WORKLOAD: ("workloads", "workload"), Kind.SLOS: ("slos", "slo-set")}  # fmt: skip
_STUDY, _RUN = "studies/<uuid:study>/", "runs/<uuid:run>/"

urlpatterns: list[URLPattern] = [
    path(f"{_STUDY}tables/<slug:table>.<slug:format>", exports.study_file, name="study-file"),
    path(f"{_STUDY}figures/front.<slug:format>", exports.study_figure, name="study-figure"),
    path(f"{_STUDY}report.<slug:format>", exports.study_report_file, name="study-report"),
    path(f"{_RUN}tables/<slug:table>.<slug:format>", exports.run_file, name="run-file"),
    path(f"{_RUN}figures/<slug:figure>.<slug:format>", exports.run_figure, name="run-figure"),
    path(f"{_RUN}report.<slug:format>", exports.run_report_file, name="run-report"),
    path("systems.<slug:format>", exports.systems_file, name="systems-file"),
    *(
        path(f"{folder}/<uuid:item>/table.<slug:format>", exports.item_file, {"kind": kind}, name=f"{page}-file")
        for kind, (folder, page) in _ITEMS.items()
    ),
]
