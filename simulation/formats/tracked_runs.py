"""Runs of experiment trackers: MLflow (download of its page, or search_runs) and Weights & Biases tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from simulation.formats.collector import CellError, Collector, number_by_content
from simulation.formats.format import Format
from simulation.formats.headed import HeadedRows, header_detector
from simulation.formats.instants import Clock
from simulation.formats.quantities import is_unknown, span
from simulation.formats.reading import Reading
from simulation.formats.source import Source
from simulation.formats.trials import (
    ask_direction,
    ask_gpus,
    ask_metric,
    metric_value,
    pairs,
    spent,
    trial_totals,
    trial_words,
)

VERSION = "1"
PARENT = "tags.mlflow.parentRunId"
OUTCOMES = {
    "finished": "finished",
    "failed": "failed",
    "crashed": "failed",
    "killed": "cancelled",
    "running": "running",
    "scheduled": "waiting",
    "pending": "waiting",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns of one export. `run_time` "" where it follows from start and end; `own`: columns of the tool itself.

    `metrics` and `params`: prefixes of their columns; "" where the tool does not tell them apart. `unique`: an id
    occurs once.
    """

    slug: str
    id: str
    name: str
    state: str
    start: str
    end: str
    run_time: str
    own: tuple[str, ...]
    metrics: str = ""
    params: str = ""
    rounded: str = ""
    unique: bool = True

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(name for name in (self.id, self.state, self.start, self.end, self.run_time) if name)


MLFLOW_PAGE = Layout(
    "mlflow-page", "Run ID", "Name", "Status", "Start Time", "", "Duration", ("Source Type", "Source Name", "User"),
    rounded="Run times are as the page shows them: rounded to a tenth of a second, minute, hour or day.",
)  # fmt: skip
MLFLOW_SEARCH = Layout(
    "mlflow-search", "run_id", "tags.mlflow.runName", "status", "start_time", "end_time", "",
    ("experiment_id", "artifact_uri"), metrics="metrics.", params="params.",
)  # fmt: skip
WANDB = Layout(
    "wandb", "Name", "Name", "State", "Created", "", "Runtime",
    ("ID", "Notes", "User", "Tags", "Sweep", "Group", "Job Type", "Updated", "End Time", "Hostname", "Description"),
    unique=False,
)  # fmt: skip


def read_runs(layout: Layout, source: Source) -> Reading:
    """A metric is the last value that was logged, not the best; parameters are text."""
    rows = HeadedRows(source, ",", layout.required)
    interview = source.interview
    columns = _columns(layout, rows.header)
    clock = Clock(interview.ask_zone(layout.start) if _naive(source, layout) else None)
    gpus, metric, direction = ask_gpus(interview), ask_metric(interview, columns), ask_direction(interview)
    collector, parents = Collector("trials"), _parents(source, layout)

    def row_of(cells: list[str], line: int) -> tuple[dict[str, Any], list[CellError]]:
        named = dict(zip(rows.header, cells, strict=True))
        row, oddities = _run(layout, named, clock, gpus, metric)
        if row["id"] in parents:
            row |= spent(row["elapsed_s"], None)
            oddities.append(CellError(PARENT, row["id"], "a run of its own", "its time is that of the runs in it"))
        others = [name for name in columns if name != metric]
        params = [name for name in named if layout.params and name.startswith(layout.params)] or others
        row["params"] = pairs(params, named, layout.params)
        row["metrics"] = pairs(columns if layout.metrics else [metric] if metric else [], named, layout.metrics)
        return {**row, "line": line}, oddities

    rows.read_into(collector, row_of, unique="id" if layout.unique else None)
    if not layout.unique:
        number_by_content(collector.rows, "id")
    table = collector.table()
    rounded = [layout.rounded] if layout.rounded else []
    facts = [
        *source.facts(),
        *clock.facts(),
        *rounded,
        "Metrics are the last values, not the best.",
        *trial_words(table),
    ]
    totals = trial_totals(table, direction)
    return collector.reading(source, layout.slug, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _columns(layout: Layout, header: list[str]) -> list[str]:
    """Columns that may hold a metric."""
    if layout.metrics:
        return [name for name in header if name.startswith(layout.metrics)]
    own = {name.lower() for name in (*layout.required, *layout.own, layout.name)}
    return [name for name in header if name.lower() not in own]


def _parents(source: Source, layout: Layout) -> set[str]:
    """Runs that hold other runs: their time is counted with those."""
    rows = HeadedRows(source, ",", layout.required)
    if not rows.has(PARENT):
        return set()
    at = rows.place(PARENT)
    return {record.cells[at].strip() for record in rows.data(Collector("trials")) if record.cells[at].strip()}


def _naive(source: Source, layout: Layout) -> bool:
    """Whether a start time has no offset."""
    rows = HeadedRows(source, ",", layout.required)
    starts = (record.cells[rows.place(layout.start)].strip() for record in rows.data(Collector("trials")))
    return any(start and not re.search(r"([+-]\d\d:?\d\d|Z)$", start) for start in starts)


def _run(
    layout: Layout, cells: dict[str, str], clock: Clock, gpus: int | None, metric: str | None
) -> tuple[dict[str, Any], list[CellError]]:
    clock.take_oddities()
    by_name = {name.lower(): text.strip() for name, text in cells.items()}
    run = by_name[layout.id.lower()]
    if not run:
        raise CellError(layout.id, "", "an id", "a run without an id")
    state = by_name[layout.state.lower()]
    outcome = OUTCOMES.get(state.lower())
    start = clock.read(by_name[layout.start.lower()], layout.start)
    elapsed = _elapsed(layout, by_name, clock, start)
    oddities = clock.take_oddities()
    if outcome is None:
        oddities.append(CellError(layout.state, state, ", ".join(OUTCOMES), "the outcome is not known"))
    value, odd = metric_value(cells[metric], metric) if metric and outcome == "finished" else (None, [])
    row = {
        "id": run,
        "name": by_name.get(layout.name.lower()) or None,
        "user": by_name.get("user") or by_name.get("tags.mlflow.user") or None,
        "start_s": start,
        **spent(None if outcome == "running" else elapsed, gpus),
        "state": state or None,
        "outcome": outcome,
        "objective": value,
    }
    return row, [*oddities, *odd]


def _elapsed(layout: Layout, cells: dict[str, str], clock: Clock, start: float | None) -> float | None:
    if layout.run_time:
        text = cells[layout.run_time.lower()]
        return None if is_unknown(text) else span(text, layout.run_time, "seconds")
    end = clock.read(cells[layout.end.lower()], layout.end)
    if start is not None and end is not None and end < start:
        raise CellError(layout.end, cells[layout.end.lower()], cells[layout.start.lower()], "ends before it starts")
    return None if start is None or end is None else end - start


_ASKED = (
    "no end: still running, run time unknown; GPUs of a run, the metric that counts, its direction, and the zone of "
    "times without an offset are asked; NaN: the run diverged and has no result"
)
MLFLOW_PAGE_FORMAT = Format(
    MLFLOW_PAGE.slug,
    "MLflow runs, page",
    "trials",
    "Download CSV on the page of an experiment",
    header_detector(MLFLOW_PAGE.required, "the columns of the MLflow page"),
    lambda source: read_runs(MLFLOW_PAGE, source),
    reads="run, start, run time (rounded by the page), status, user, parameters and metrics as they stand side by side",
    leaves="source; values of a metric before the last",
    unknowns=_ASKED,
)
MLFLOW_SEARCH_FORMAT = Format(
    MLFLOW_SEARCH.slug,
    "MLflow runs, search_runs",
    "trials",
    "mlflow.search_runs().to_csv()",
    header_detector(MLFLOW_SEARCH.required, "the columns of mlflow.search_runs"),
    lambda source: read_runs(MLFLOW_SEARCH, source),
    reads="run, start, end, status, user, params., metrics.",
    leaves="other tags; values of a metric before the last; the time of a run that holds other runs, which is told",
    unknowns=_ASKED,
)
WANDB_FORMAT = Format(
    WANDB.slug,
    "Weights & Biases runs",
    "trials",
    "Export table as CSV",
    header_detector(WANDB.required, "the columns of a Weights & Biases table"),
    lambda source: read_runs(WANDB, source),
    reads="run by its name, creation, run time in seconds, state, user, columns of config and summary",
    leaves="notes, tags, sweeps; values of a metric before the last",
    unknowns=_ASKED,
)
