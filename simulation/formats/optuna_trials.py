"""Optuna: `study.trials_dataframe().to_csv()`, with one objective or several."""

from __future__ import annotations

import re
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.headed import HeadedRows, header_of
from simulation.formats.instants import Clock
from simulation.formats.one_attempt import differs
from simulation.formats.quantities import checked_span
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

SLUG, VERSION = "optuna", "1"
COLUMNS = ("number", "datetime_start", "datetime_complete", "duration", "state")
OUTCOMES = {"COMPLETE": "finished", "PRUNED": "pruned", "FAIL": "failed", "RUNNING": "running", "WAITING": "waiting"}
_VALUE = re.compile(r"values?(_.+)?")
_DURATION = re.compile(r"(\d+) days? (\d{1,2}):(\d{2}):(\d{2}(?:\.\d+)?)")


def detect_optuna(text: str, filename: str) -> tuple[float, str]:
    header = set(header_of(text))
    fits = {"number", "datetime_start", "state"} <= header and any(_VALUE.fullmatch(name) for name in header)
    return (0.95, "the columns of trials_dataframe") if fits else (0.0, "")


def read_optuna(source: Source) -> Reading:
    """Only a complete trial has a result; what pruned and failed ones used is spent as well."""
    rows = HeadedRows(source, ",", COLUMNS)
    values = [name for name in rows.header if _VALUE.fullmatch(name)]
    if not values:
        raise FormatError(source.name, line=1, value=", ".join(rows.header), expected="a column value, or values_...")
    interview = source.interview
    clock = Clock(interview.ask_zone("datetime_start and datetime_complete"))
    gpus, metric, direction = ask_gpus(interview), ask_metric(interview, values), ask_direction(interview)
    collector = Collector("trials")

    def row_of(cells: list[str], line: int) -> tuple[dict[str, Any], list[CellError]]:
        row, oddities = _trial(dict(zip(rows.header, cells, strict=True)), metric or values[0], clock, gpus)
        return {**row, "line": line}, oddities

    rows.read_into(collector, row_of, unique="id")
    table = collector.table()
    facts = [*source.facts(), *clock.facts(), *trial_words(table)]
    totals = trial_totals(table, direction)
    return collector.reading(source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _trial(
    cells: dict[str, str], metric: str, clock: Clock, gpus: int | None
) -> tuple[dict[str, Any], list[CellError]]:
    clock.take_oddities()
    number = cells["number"].strip()
    if not number.isdigit():
        raise CellError("number", number, "the number of the trial", "a trial without a number")
    start, end = (clock.read(cells[name], name) for name in ("datetime_start", "datetime_complete"))
    if start is not None and end is not None and end < start:
        raise CellError(
            "datetime_complete", cells["datetime_complete"], cells["datetime_start"], "ends before it starts"
        )
    elapsed, stated = None if start is None or end is None else round(end - start, 6), _duration(cells["duration"])
    oddities = clock.take_oddities()
    oddities += differs("duration", cells["duration"], stated, elapsed, "datetime_complete - datetime_start")
    outcome = OUTCOMES.get(cells["state"].strip())
    if outcome is None:
        oddities.append(CellError("state", cells["state"], ", ".join(OUTCOMES), "the outcome is not known"))
    value, odd = metric_value(cells[metric], metric)
    params = [name for name in cells if name.startswith("params_")]
    row = {
        "id": number,
        "start_s": start,
        **spent(stated if elapsed is None else elapsed, gpus),
        "state": cells["state"].strip() or None,
        "outcome": outcome,
        "objective": value if outcome == "finished" else None,
        "params": pairs(params, cells, "params_"),
        "metrics": pairs([name for name in cells if _VALUE.fullmatch(name)], cells),
    }
    return row, [*oddities, *odd]


def _duration(text: str) -> float | None:
    """Seconds of `0 days 00:04:22.368701`."""
    if not text.strip():
        return None
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise CellError("duration", text, "a span such as 0 days 00:04:22.368701", "not a span of time")
    days, hours, minutes, seconds = found.groups()
    return checked_span(int(days) * 86_400 + int(hours) * 3600 + int(minutes) * 60 + float(seconds), text, "duration")


FORMAT = Format(
    SLUG,
    "Optuna trials",
    "trials",
    "study.trials_dataframe().to_csv()",
    detect_optuna,
    read_optuna,
    reads="trial, start, run time, state, values, parameters",
    leaves="user_attrs_ and system_attrs_ columns; intermediate values are not in this file",
    unknowns="a trial that was pruned or failed has no result, but its time is spent; GPUs of a trial, zone of the "
    "times and direction of the search are asked",
)
