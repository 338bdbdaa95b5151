"""Electricity Maps: carbon intensity of a zone by the hour, direct and by life cycle."""

from __future__ import annotations

import re
from datetime import UTC
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.grid_carbon import carbon_totals, carbon_words, intensity
from simulation.formats.headed import HeadedRows
from simulation.formats.instants import Clock
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "electricity-maps", "1"
COLUMNS = ("Datetime (UTC)", "Zone id")
ESTIMATED = "Data estimated"
QUANTITIES = {
    "direct_g_per_kwh": re.compile(r"carbon intensity.*\(direct\)", re.IGNORECASE),
    "lifecycle_g_per_kwh": re.compile(r"carbon intensity.*\((life ?cycle|lca)\)", re.IGNORECASE),
}
"""Their headers hold a subscript, and changed case and words over the years."""


def detect_electricity_maps(text: str, filename: str) -> tuple[float, str]:
    header = text.split("\n", 1)[0].lower()
    fits = all(name.lower() in header for name in COLUMNS) and "carbon intensity" in header
    return (0.95, "the header of Electricity Maps") if fits else (0.0, "")


def read_electricity_maps(source: Source) -> Reading:
    """Times are the start of the interval, in UTC. Direct and life-cycle values are kept apart."""
    rows = HeadedRows(source, ",", COLUMNS)
    places = {
        name: at for name, words in QUANTITIES.items() for at, label in enumerate(rows.header) if words.search(label)
    }
    clock, collector = Clock(UTC), Collector("carbon")
    for record in rows.data(collector):
        try:
            row = _interval(rows, record.cells, places, clock)
            row["line"] = record.line
            oddities = clock.take_oddities()
            if all(row[name] is None for name in places):
                oddities.append(CellError("carbon intensity", "", "gCO2e/kWh", "unknown for this interval, not 0"))
            collector.keep_once(f"{row['zone']} at {row['start_s']:.15g} s", row, oddities, record.raw)
        except CellError as error:
            collector.reject(record.line, error, record.raw)
    table = collector.table()
    totals = carbon_totals(table)
    facts = [*source.facts(), *carbon_words(totals)]
    return collector.reading(source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _interval(rows: HeadedRows, cells: list[str], places: dict[str, int], clock: Clock) -> dict[str, Any]:
    clock.take_oddities()
    stamp = cells[rows.place(COLUMNS[0])]
    start = clock.read(stamp, COLUMNS[0])
    if start is None:
        raise CellError(COLUMNS[0], stamp, "a time such as 2026-03-01 00:00:00", "when it held is not known")
    estimated = cells[rows.place(ESTIMATED)].strip().lower() if rows.has(ESTIMATED) else ""
    return {
        "zone": cells[rows.place(COLUMNS[1])].strip() or None,
        "start_s": start,
        **{name: intensity(cells[at], rows.header[at]) for name, at in places.items()},
        "estimated": {"true": True, "false": False}.get(estimated),
        "forecast": False,
    }


FORMAT = Format(
    SLUG,
    "Electricity Maps carbon intensity",
    "carbon",
    "the CSV download of electricitymaps.com",
    detect_electricity_maps,
    read_electricity_maps,
    reads="zone, hour, average intensity direct and by life cycle, whether it was estimated",
    leaves="shares of carbon-free and renewable energy, source, method of the estimate",
    unknowns="an empty intensity: unknown, not 0, and no part of a mean; hours that are missing are counted as gaps",
)
