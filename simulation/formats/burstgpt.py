"""BurstGPT: requests to a GPT service, in the layouts without (v1) and with (v2) sessions and elapsed times."""

from __future__ import annotations

from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.headed import HeadedRows, header_detector
from simulation.formats.quantities import checked_span, count, number
from simulation.formats.reading import Reading
from simulation.formats.request_totals import request_totals
from simulation.formats.source import Source

SLUG, VERSION = "burstgpt", "1"
COLUMNS = ("Timestamp", "Model", "Request tokens", "Response tokens", "Total tokens", "Log Type")
SESSION, ELAPSED = "Session ID", "Elapsed time"


def read_burstgpt(source: Source) -> Reading:
    """Timestamps are seconds since the trace began. No token out: the request failed, which is told and counted."""
    rows = HeadedRows(source, ",", COLUMNS)
    names = [*COLUMNS, *(name for name in (SESSION, ELAPSED) if rows.has(name))]
    at = [rows.place(name) for name in names]
    collector = Collector("requests")

    def row_of(cells: list[str], line: int) -> tuple[dict[str, Any], list[CellError]]:
        return _request(dict(zip(names, (cells[i].strip() for i in at), strict=True)), line)

    rows.read_into(collector, row_of)
    first = min((row["arrival_s"] for row in collector.rows), default=0.0)
    for row in collector.rows:
        row["arrival_s"] = round(row["arrival_s"] - first, 6)
    table = collector.table()
    totals = {**request_totals(table), "failures": table["outcome"].count("failed")}
    totals["by_model"] = {model: table["model"].count(model) for model in sorted({*table["model"]} - {None})}
    totals["equal_rows_kept"] = table.repeated_rows()
    facts = [*source.facts(), f"{totals['failures']} requests failed: no token came back."]
    if rows.has(ELAPSED):
        facts.append("Elapsed time is that of the whole answer, not the time to its first token.")
    return collector.reading(source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _request(cells: dict[str, str], line: int) -> tuple[dict[str, Any], list[CellError]]:
    arrival = number(cells["Timestamp"], "Timestamp")
    if arrival is None:
        raise CellError("Timestamp", cells["Timestamp"], "seconds since the trace began", "the arrival is not known")
    checked_span(arrival, cells["Timestamp"], "Timestamp")
    prompt, output, total = (count(cells[name], name) for name in COLUMNS[2:5])
    oddities = []
    for name, value in (("Request tokens", prompt), ("Response tokens", output)):
        if value is None:
            oddities.append(CellError(name, "", "a number of tokens", "unknown, not 0"))
    if prompt is not None and output is not None and total is not None and prompt + output != total:
        expected = f"{prompt + output}, request + response"
        oddities.append(CellError("Total tokens", cells["Total tokens"], expected, "the total was not used"))
    if output == 0:
        oddities.append(CellError("Response tokens", "0", "1 or more", "the request failed"))
    elapsed = number(cells.get(ELAPSED, ""), ELAPSED)
    row = {
        "arrival_s": arrival,
        "prompt_tokens": prompt,
        "output_tokens": output,
        "model": cells["Model"] or None,
        "session": cells.get(SESSION) or None,
        "response_s": None if elapsed is None else checked_span(elapsed, cells[ELAPSED], ELAPSED),
        "outcome": "failed" if output == 0 else None,
        "line": line,
    }
    return row, oddities


FORMAT = Format(
    SLUG,
    "BurstGPT requests",
    "requests",
    "HPMLL/BurstGPT, versions 1 and 2",
    header_detector(COLUMNS, "the header of BurstGPT"),
    read_burstgpt,
    reads="arrival, prompt and output tokens, model, session and time to the whole answer where the file has them",
    leaves="Log Type; Total tokens is only checked",
    unknowns="no token out: the request failed, and is not simulated; no token count: unknown, not 0; no date: "
    "arrivals count from the first",
)
