"""One revision of the catalogue as a table: pools, price lines, limits, or the profile of a workload."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from planner.catalog import selectors
from planner.catalog.figures import told_in
from planner.catalog.models import Kind, Revision
from planner.web.exports import made_of
from planner.web.exports.table import Table, table_of
from planner.web.forms.pool_details import FIELDS, said_of, whole_of
from planner.web.views.clusters import figures_of
from simulation.metrics.definitions import METRICS

Records = Iterator[dict[str, Any]]
_UNITS = {"_gb_s": "GB/s", "_s": "s", "_w": "W", "_bytes": "bytes"}
"""End of the name of a pool's field -> its unit."""
_SPREADS = {"duration": "run time", "waits": "measured wait", "completions": "measured JCT"}
_SUMS = {"jobs": "jobs", "gpu_h": "GPU-h", "span_s": "s", "largest_gang": "GPUs", "tenants_in_all": "tenants"}


def revision_table(revision: Revision) -> Table:
    name, records = TABLES[Kind(revision.item.kind)]
    return table_of(name, str(revision), records(revision), made_of.of_revision(revision))


def _pools(revision: Revision) -> Records:
    """Each figure with its unit, origin and source beside it; at the end what any pool says beyond its row."""
    cluster = selectors.cluster_of(revision)
    beyond = [said for said in FIELDS if any(said in said_of(pool) for pool in cluster.pools)]
    for (pool, figures), typed in zip(figures_of(revision), cluster.pools, strict=True):
        told = {name: pool[name] for name in ("name", "gpu_model", "purchase")}
        for field, figure in figures.items():
            told[field] = {
                "value": figure.value, "unit": figure.unit or "1", "origin": figure.origin, "source": figure.source,
            }  # fmt: skip
        known = told_in(revision)[typed.name]
        for name in beyond:
            unit = next((unit for ending, unit in _UNITS.items() if name.endswith(ending)), "1")
            told[name] = {"value": said_of(typed).get(name), "unit": unit, **known[whole_of(name)]}
        yield told


def _price_lines(revision: Revision) -> Records:
    """Money as decimal strings, as it is stored."""
    origin = str(selectors.origins_of(revision)["prices"])
    for line in selectors.prices_of(revision).lines:
        yield line.model_dump(mode="json") | {"currency": "USD", "origin": origin}


def _limits(revision: Revision) -> Records:
    for slo in selectors.slos_of(revision):
        yield slo.model_dump(mode="json") | {"unit": METRICS[slo.metric].unit, "origin": revision.source.origin}


def _profile(revision: Revision) -> Records:
    """What the page of a workload tells, one row a figure."""
    said, origin = revision.summary, revision.source.origin

    def row(part: str, of: str, statistic: str, value: Any, unit: str) -> dict[str, Any]:
        return {"part": part, "of": of, "statistic": statistic, "value": value, "unit": unit, "origin": origin}

    yield from (row("all", "", name, said[name], unit) for name, unit in _SUMS.items() if name in said)
    for key, words in _SPREADS.items():
        for statistic, value in (said.get(key) or {}).items():
            yield row("times", words, statistic, value, "jobs" if statistic == "n" else "s")
    for part, key in (("gangs", "gang"), ("tenants", "tenant")):
        for one in said.get(part, ()):
            yield from (row(part, one[key], name, one[name], _SUMS[name]) for name in ("jobs", "gpu_h"))
    for service in said.get("services", ()):
        figures = {name: value for name, value in service.items() if name not in ("name", "tenant")}
        yield from (row("services", service["name"], name, value, "") for name, value in figures.items())


TABLES: dict[Kind, tuple[str, Callable[[Revision], Records]]] = {
    Kind.CLUSTER: ("pools", _pools),
    Kind.PRICES: ("lines", _price_lines),
    Kind.SLOS: ("limits", _limits),
    Kind.WORKLOAD: ("profile", _profile),
}
