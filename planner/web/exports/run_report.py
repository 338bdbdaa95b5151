"""The report of one run: its headline numbers, its figures, its tenants and costs, and the twelve points about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.compare.rows import COLOURED
from planner.evidence.point_facts import facts_of_run
from planner.evidence.points import points
from planner.studies.documents import document_of
from planner.studies.models import Run
from planner.web import run_figures, run_tables
from planner.web.exports import made_of
from planner.web.exports.report import Grid, Report, Section, marked, origins, sources, twelve_points
from planner.web.figures.figure import Figure
from planner.web.numbers import scale_for
from planner.web.study_facts import parts
from simulation.metrics.definitions import METRICS
from simulation.provenance import Origin


def run_report(run: Run) -> Report:
    document = document_of(run)
    scenario = run.scenario
    facts = [f"Run {str(run.id)[:8]}, seed {run.seed}", f"Of the study: {scenario.study.question}"]
    if run.result is not None:
        facts.append(f"Engine {run.result.engine_version}")
    return Report(
        title=f"{scenario.label}, seed {run.seed}",
        facts=tuple(facts),
        sections=tuple(_sections(run, document)),
        about=made_of.of_run(run),
        illustrative=scenario.study.is_example,
    )


def figures_of(run: Run, document: dict[str, Any]) -> list[Figure]:
    """All figures of the page of a run, in its order."""
    position = run.scenario.position
    found: list[Figure] = run_figures.figures(run, document, position if position <= COLOURED else 1)["all"]
    return found


def _sections(run: Run, document: dict[str, Any] | None) -> Iterator[Section]:
    if document is None:
        yield Section("No result", (run.reason or f"The run is {run.get_state_display().lower()}.",))
    else:
        yield _metrics(document)
        yield Section("Figures", tuple(run_tables.endings(document)), tuple(figures_of(run, document)))
        yield _tenants(document)
        yield _costs(document)
    yield sources(parts(run.scenario.study.workspace, run.scenario.spec))
    yield twelve_points(points(facts_of_run(run)))
    yield origins()


def _metrics(document: dict[str, Any]) -> Section:
    rows: list[tuple[str, ...]] = []
    unknown: dict[str, list[str]] = {}
    for name, reported in document["metrics"].items():
        title, value = METRICS[name].title if name in METRICS else name, reported["value"]
        if value is None:
            unknown.setdefault(reported["note"] or "not known", []).append(title)
        else:
            said = scale_for(reported["unit"], [value]).with_unit(value)
            rows.append((title, marked(Origin(reported["origin"]), said)))
    missing = tuple(f"Unknown, because {note}: {', '.join(titles)}." for note, titles in unknown.items())
    return Section("What came of it", missing, grid=Grid(("Metric", "Value"), tuple(rows)))


def _tenants(document: dict[str, Any]) -> Section:
    found = run_tables.tenants(document)
    scales = found.times
    head = ("Tenant", "Finished jobs", "GPU-h", *(f"{_TITLES[n]} ({scales[n].unit})" for n in _TITLES), "rho, max")
    rows = tuple(
        (
            one.row["tenant"],
            f"{one.row['finished']:,}",
            f"{one.row['gpu_h']:,.1f}",
            *(scales[name].text(one.row[name]) for name in _TITLES),
            "–" if one.row["rho_max"] is None else f"{one.row['rho_max']:.2f}",
        )
        for one in found.rows
    )
    origin = document["metrics"]["wait_mean_s"]["origin"]
    return Section("By tenant", (f"All of origin {origin}.",), grid=Grid(head, rows))


_TITLES = {"wait_mean_s": "Mean wait", "wait_p95_s": "P95 wait", "jct_mean_s": "Mean JCT"}


def _costs(document: dict[str, Any]) -> Section:
    found, metric = run_tables.costs(document), document["metrics"]["cost_usd"]
    rows = [(c["line"], c["pool"], f"{c['quantity']} {c['unit']}", c["price_usd"], c["usd"]) for c in found.lines]
    whole = "all" if metric["value"] is not None else "known part"
    rows.append((f"{whole} ({metric['origin']})", "", "", "", f"{found.total:,.2f}"))
    head = ("Line", "Pool", "Quantity", "Price ($)", "Amount ($)")
    return Section("What it costs", (metric["note"],) if metric["note"] else (), grid=Grid(head, tuple(rows)))
