"""Azure LLM inference traces of 2023 and 2024: one row a request, arrival and token counts."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.headed import HeadedRows, header_detector
from simulation.formats.instants import Clock
from simulation.formats.quantities import count
from simulation.formats.reading import Reading
from simulation.formats.request_totals import request_totals
from simulation.formats.source import Source

SLUG, VERSION = "azure-llm", "1"
COLUMNS = ("TIMESTAMP", "ContextTokens", "GeneratedTokens")


def read_azure_llm(source: Source) -> Reading:
    """Arrivals count from the earliest row; times without an offset are UTC. Rows may be in any order."""
    rows = HeadedRows(source, ",", COLUMNS)
    clock = Clock(UTC)
    at = [rows.place(name) for name in COLUMNS]
    collector = Collector("requests")

    def row_of(cells: list[str], line: int) -> tuple[dict[str, Any], list[CellError]]:
        return _request([cells[i] for i in at], line, clock)

    rows.read_into(collector, row_of)
    first = min((row["arrival_s"] for row in collector.rows), default=0.0)
    for row in collector.rows:
        row["arrival_s"] = round(row["arrival_s"] - first, 6)
    table = collector.table()
    facts = source.facts()
    if clock.with_offset < len(collector.rows):
        facts.append("The times have no offset and are read as UTC; only their differences are used.")
    if rows.has("NumImages"):
        facts.append("The column NumImages is not read.")
    totals = {**request_totals(table), "first_arrival_s": first if collector.rows else None}
    totals["equal_rows_kept"] = table.repeated_rows()
    return collector.reading(source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _request(cells: list[str], line: int, clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    stamp, prompt, output = cells
    arrival = clock.read(stamp, "TIMESTAMP")
    clock.take_oddities()
    if arrival is None:
        raise CellError("TIMESTAMP", stamp, "a time such as 2023-11-16 18:17:03.9799600", "the arrival is not known")
    row = {
        "arrival_s": arrival,
        "prompt_tokens": count(prompt, "ContextTokens"),
        "output_tokens": count(output, "GeneratedTokens"),
        "line": line,
    }
    unknown = [
        name for name, key in zip(COLUMNS[1:], ("prompt_tokens", "output_tokens"), strict=True) if row[key] is None
    ]
    return row, [CellError(name, "", "a number of tokens", "unknown, not 0") for name in unknown]


FORMAT = Format(
    slug=SLUG,
    title="Azure LLM requests",
    kind="requests",
    made_by="Azure/AzurePublicDataset",
    detect=header_detector(COLUMNS, "the header of the Azure LLM traces"),
    read=read_azure_llm,
    reads="arrival, prompt and output tokens",
    leaves="NumImages, which is said",
    unknowns="no arrival: the row is rejected; no token count: unknown, not 0; times without offset are UTC",
)
