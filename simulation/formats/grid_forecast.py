"""Forecast of a national grid's carbon intensity by half hours, as CATS keeps it."""

from __future__ import annotations

from collections import Counter
from datetime import UTC
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.grid_carbon import carbon_totals, carbon_words, intensity
from simulation.formats.headed import HeadedRows, header_detector
from simulation.formats.instants import Clock
from simulation.formats.quantities import number
from simulation.formats.reading import Reading
from simulation.formats.source import Source
from simulation.provenance import Origin

SLUG, VERSION = "grid-forecast", "1"
COLUMNS = ("time", "deltaseconds", "unix", "intensity")


def read_grid_forecast(source: Source) -> Reading:
    """The file names neither its zone nor whether the values are average or marginal."""
    rows = HeadedRows(source, ",", COLUMNS)
    clock, collector = Clock(UTC), Collector("carbon")
    other_instants: Counter[float] = Counter()
    for record in rows.data(collector):
        cells = {name: record.cells[rows.place(name)] for name in COLUMNS}
        try:
            row, oddities = _interval(cells, clock)
            unix = number(cells["unix"], "unix")
            collector.keep_once(f"{row['start_s']:.15g} s", {**row, "line": record.line}, oddities, record.raw)
        except CellError as error:
            collector.reject(record.line, error, record.raw)
            continue
        if unix is not None and unix != row["start_s"]:
            other_instants[unix - row["start_s"]] += 1
    table = collector.table()
    totals = carbon_totals(table)
    facts = [
        *source.facts(),
        "A forecast, not what happened; average or marginal is not stated.",
        *carbon_words(totals),
    ]
    facts += [
        f"In {n} rows unix is {off:g} s away from time: time counts." for off, n in sorted(other_instants.items())
    ]
    return collector.reading(
        source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts, origin=Origin.CITED
    )


def _interval(cells: dict[str, str], clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    clock.take_oddities()
    start, value = clock.read(cells["time"], "time"), intensity(cells["intensity"], "intensity")
    oddities = clock.take_oddities()
    if start is None:
        raise CellError("time", cells["time"], "a time such as 2023-05-04T12:30Z", "when it holds is not known")
    if value is None:
        oddities.append(CellError("intensity", "", "gCO2e/kWh", "unknown for this interval, not 0"))
    return {"start_s": start, "unnamed_g_per_kwh": value, "forecast": True}, oddities


FORMAT = Format(
    SLUG,
    "Grid carbon forecast",
    "carbon",
    "GreenScheduler/cats, forecast of the GB grid",
    header_detector(COLUMNS, "the header of a grid forecast"),
    read_grid_forecast,
    reads="half hour, intensity in gCO2e/kWh, marked as a forecast",
    leaves="deltaseconds; unix is only checked",
    unknowns="zone, and whether it is average or marginal: not in this file, and nothing is assumed",
)
