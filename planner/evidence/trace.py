"""Where one number of a run comes from: its formula, and every input with its revision, source and file."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from planner.accounts.models import Workspace
from planner.catalog.figures import CLUSTER_FIELDS, POWER_FIELDS
from planner.catalog.models import Import, Kind, Revision
from planner.catalog.selectors import origins_of, revision_for
from planner.studies.documents import document_of
from planner.studies.models import Run
from simulation.metrics.definitions import METRICS, Metric
from simulation.provenance import Figure, Origin, derive, weakest

GIVER = {"workload": "workload", "cluster": "cluster", "power": "cluster", "prices": "prices", "carbon": "prices"}
"""Group of inputs -> field of a spec that names the revision which gives it."""
_KINDS = {"workload": Kind.WORKLOAD, "cluster": Kind.CLUSTER, "prices": Kind.PRICES}
_FIELDS = {"cluster": CLUSTER_FIELDS, "power": POWER_FIELDS}


@dataclass(frozen=True, slots=True)
class Told:
    """One figure of a cluster with an origin of its own."""

    pool: str
    field: str
    value: Any
    origin: Origin
    source: str


@dataclass(frozen=True, slots=True)
class Input:
    """A group of inputs. `revision` is None where the scenario has none, and the group is then assumed."""

    group: str
    origin: Origin
    revision: Revision | None
    file: Import | None  # that the revision was imported from
    told: tuple[Told, ...] = ()

    @property
    def figure(self) -> Figure:
        return Figure(None, "", self.origin, source=self.source)

    @property
    def source(self) -> str:
        return self.revision.source.title if self.revision else ""


@dataclass(frozen=True, slots=True)
class Trace:
    """A number of a run with what it rests on; `parts` are the lines of a total."""

    run: Run
    metric: Metric
    figure: Figure
    n: int | None
    note: str
    inputs: tuple[Input, ...]
    parts: tuple[tuple[str, Figure], ...]

    @property
    def groups(self) -> list[str]:
        return [one.group for one in self.inputs]

    @property
    def shares(self) -> dict[Origin, float]:
        return shares(figure for _, figure in self.parts)


def inputs_of(workspace: Workspace, spec: Mapping[str, Any], groups: Iterable[str]) -> tuple[Input, ...]:
    """The groups of inputs that a number of a scenario rests on, each with where it comes from."""
    return tuple(_input(workspace, spec, group) for group in groups)


def trace(run: Run, metric: str) -> Trace:
    """Http404 where the run has no such number."""
    document = _document(run)
    if metric not in METRICS or metric not in document["metrics"]:
        raise Http404("No such number")
    return _traced(run, document, metric, inputs_of_run(run, document["metrics"][metric]["inputs"]))


def numbers(run: Run, origins: Collection[Origin] = tuple(Origin)) -> list[Trace]:
    """Every number of a run that has one of these origins, in the order of the registry."""
    document = _document(run)
    reported = document["metrics"]
    inputs = {one.group: one for one in inputs_of_run(run, GIVER)}
    found = (
        _traced(run, document, name, tuple(inputs[group] for group in reported[name]["inputs"]))
        for name in METRICS
        if name in reported
    )
    return [one for one in found if one.figure.origin in origins]


def inputs_of_run(run: Run, groups: Iterable[str]) -> tuple[Input, ...]:
    return inputs_of(run.scenario.study.workspace, run.scenario.spec, groups)


def _document(run: Run) -> dict[str, Any]:
    document = document_of(run)
    if document is None:
        raise Http404("This run has no result")
    return document


def _traced(run: Run, document: Mapping[str, Any], metric: str, inputs: tuple[Input, ...]) -> Trace:
    reported = document["metrics"][metric]
    figures = tuple(one.figure for one in inputs)
    figure = Figure(
        value=reported["value"],
        unit=reported["unit"],
        origin=weakest([reported["origin"], *(one.origin for one in figures)]),
        source=f"run {run.id}",
        formula=METRICS[metric].formula,
        inputs=figures,
    )
    parts = tuple(_cost_lines(document["costs"], inputs)) if metric == "cost_usd" else ()
    return Trace(run, METRICS[metric], figure, reported["n"], reported["note"] or "", inputs, parts)


def shares(parts: Iterable[Figure]) -> dict[Origin, float]:
    """What share of a total comes from parts of each origin, strongest first; none where the total is 0 or unknown."""
    known = [(part.origin, part.value) for part in parts]
    total = math.fsum(value for _, value in known if value is not None)
    if not total or any(value is None for _, value in known):
        return {}
    sums = {origin: math.fsum(v for o, v in known if o is origin and v is not None) for origin in Origin}
    return {origin: amount / total for origin, amount in sums.items() if amount}


def _input(workspace: Workspace, spec: Mapping[str, Any], group: str) -> Input:
    field = GIVER[group]
    revision = revision_for(workspace, spec[field], _KINDS[field]) if spec.get(field) else None
    if revision is None:
        return Input(group, Origin.ASSUMED, None, None)
    origin = origins_of(revision).get(group, Origin(revision.origin))
    file = Import.objects.filter(revision=revision).defer("content").order_by("accepted_at").first()
    return Input(group, origin, revision, file, tuple(_told(revision, _FIELDS.get(group, ()))))


def _told(revision: Revision, fields: Iterable[str]) -> Iterator[Told]:
    figures = revision.document.get("figures", {})
    for pool in revision.document.get("cluster", {}).get("pools", ()):
        for field in fields:
            if said := figures.get(pool["name"], {}).get(field):
                yield Told(pool["name"], field, pool.get(field), Origin(said["origin"]), said["source"])


def _cost_lines(lines: Iterable[Mapping[str, Any]], inputs: Iterable[Input]) -> Iterator[tuple[str, Figure]]:
    """Each line of a cost as quantity x price; electricity takes its watts from the cluster's figures too."""
    origins = {one.group: one.origin for one in inputs}
    for line in lines:
        groups = ["workload", "cluster", *(["power"] if line["unit"] == "kWh" else [])]
        known = [Origin.SIMULATED, *(origins[group] for group in groups if group in origins)]
        quantity = Figure(float(line["quantity"]), line["unit"], weakest(known), source="this run")
        price = Figure(float(line["price_usd"]), f"USD/{line['unit']}", origins["prices"], source="price sheet")
        found = derive("quantity x price, to the cent", "USD", lambda q, p: round(q * p, 2), quantity, price)
        yield f"{line['line']}, {line['pool']}", found
