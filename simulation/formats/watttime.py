"""WattTime: marginal emissions of a grid by five minutes, as JSON of its API or the CSV of its history."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.grid_carbon import carbon_totals, carbon_words, intensity
from simulation.formats.headed import HeadedRows, header_detector
from simulation.formats.instants import Clock
from simulation.formats.json_source import read_json
from simulation.formats.quantities import number
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "watttime", "1"
COLUMNS = ("timestamp", "MOER")
UNIT, SIGNAL = "lbs_co2_per_mwh", "co2_moer"
KG_PER_LB = 0.45359237
"""A pound by definition; kg/MWh is g/kWh."""

Value = tuple[int, str, str, str]


def detect_watttime(text: str, filename: str) -> tuple[float, str]:
    if text.lstrip().startswith("{") and '"point_time"' in text and f'"{SIGNAL}"' in text:
        return 0.95, "an answer of the WattTime API"
    return header_detector(COLUMNS, "the header of a WattTime history")(text, filename)


def read_watttime(source: Source) -> Reading:
    """Values are lbs/MWh and marginal: what one more kWh causes, never to be mixed with an average."""
    collector, clock = Collector("carbon"), Clock(UTC)
    is_json = next((line for _, line in source.lines(long=True) if line.strip()), "").lstrip().startswith("{")
    if is_json:
        zone, values, in_file = _of_json(source)
    else:
        rows = HeadedRows(source, ",", COLUMNS)
        zone, values, in_file = None, _of_csv(rows, collector), None
    for place, stamp, text, raw in values:
        try:
            row, oddities = _interval(stamp, text, clock)
            collector.keep_once(f"{row['start_s']:.15g} s", {**row, "zone": zone, "line": place}, oddities, raw)
        except CellError as error:
            collector.reject(place, error, raw)
    table = collector.table()
    totals = carbon_totals(table)
    facts = [*source.facts(), f"lbs/MWh x {KG_PER_LB} = g/kWh. Marginal, not average.", *carbon_words(totals)]
    counted = rows.in_file if in_file is None else in_file
    return collector.reading(source, SLUG, VERSION, table, in_file=counted, totals=totals, facts=facts)


def _of_csv(rows: HeadedRows, collector: Collector) -> Iterator[Value]:
    at = [rows.place(name) for name in COLUMNS]
    for record in rows.data(collector):
        yield record.line, record.cells[at[0]], record.cells[at[1]], record.raw


def _of_json(source: Source) -> tuple[str | None, Iterator[Value], int]:
    document = read_json(source)
    data, meta = document.get("data"), document.get("meta")
    if not isinstance(data, list) or not isinstance(meta, dict):
        raise FormatError(source.name, line=1, expected="an object with data and meta of the WattTime API")
    if meta.get("units") != UNIT or meta.get("signal_type") != SIGNAL:
        found = f"{meta.get('signal_type')} in {meta.get('units')}"
        raise FormatError(source.name, column="meta", value=found, expected=f"{SIGNAL} in {UNIT}")
    texts = ((at, json.dumps(one), one if isinstance(one, dict) else {}) for at, one in enumerate(data, start=1))
    values = ((at, str(one.get("point_time") or ""), str(one.get("value")), raw) for at, raw, one in texts)
    return str(meta.get("region") or "") or None, values, len(data)


def _interval(stamp: str, text: str, clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    clock.take_oddities()
    start, pounds = clock.read(stamp, "timestamp"), number(text, "MOER")
    oddities = clock.take_oddities()
    if start is None:
        raise CellError("timestamp", stamp, "a time such as 2026-03-01T00:00:00+00:00", "when it held is not known")
    if pounds is None:
        oddities.append(CellError("MOER", text, "lbs/MWh", "unknown for this interval, not 0"))
    value = None if pounds is None else intensity(repr(pounds * KG_PER_LB), "MOER")
    return {"start_s": start, "marginal_g_per_kwh": value, "forecast": False}, oddities


FORMAT = Format(
    SLUG,
    "WattTime marginal emissions",
    "carbon",
    "v3/historical of api.watttime.org, or the CSV of its history",
    detect_watttime,
    read_watttime,
    reads="time, marginal intensity (lbs/MWh turned into g/kWh), region where the file names it",
    leaves="model versions; signals other than co2_moer are refused, as is another unit",
    unknowns="an empty value: unknown, not 0, and no part of a mean; the history as CSV names no region",
)
