"""SenseTime Helios 2020: GPUs of each virtual cluster by day; one day makes a cluster."""

from __future__ import annotations

import re
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.delimited import Record
from simulation.formats.format import Format
from simulation.formats.headed import HeadedRows
from simulation.formats.interview import Interview
from simulation.formats.node_totals import node_totals
from simulation.formats.quantities import device_count
from simulation.formats.reading import Question, Reading
from simulation.formats.source import Source

SLUG, VERSION = "helios-capacity", "1"
DAY, TOTAL = "date", "total"
GPUS_PER_NODE = 8
"""Hu et al. 2021, table 1: every GPU node of Earth, Saturn, Uranus and Venus has eight."""

Days = dict[str, tuple[int, dict[str, int | None]]]


def detect_helios_capacity(text: str, filename: str) -> tuple[float, str]:
    header = text.split("\n", 1)[0].strip().lower().split(",")
    fits = header[0] == DAY and TOTAL in header and sum(name.startswith("vc") for name in header) > 1
    return (0.95, "GPUs of virtual clusters by day") if fits else (0.0, "")


def read_helios_capacity(source: Source) -> Reading:
    """The nodes of one day: a virtual cluster of n GPUs is n / 8 nodes. The other days are skipped, and counted."""
    rows = HeadedRows(source, ",", (DAY, TOTAL))
    collector = Collector("nodes")
    days: Days = {}
    for record in rows.data(collector):
        _take(rows, record, days, collector)
    chosen = _ask_day(days, source.interview)
    shown = chosen or next(iter(days), None)
    kept = _nodes(*days[shown]) if shown else []
    for node in kept:
        collector.keep(node)
    collector.skipped += len(days) - bool(shown)
    table = collector.table()
    more = len(kept) - bool(shown)
    totals = {**node_totals(table), "gpus_by_day": {day: _sum(found) for day, (_, found) in sorted(days.items())}}
    facts = [*source.facts(), f"{len(days)} days; the nodes are those of {shown}."]
    facts.append(f"A node is taken to have {GPUS_PER_NODE} GPUs, as published; one line stands for {more} nodes more.")
    if shown and (absent := [vc for vc, gpus in days[shown][1].items() if not gpus]):
        facts.append(f"No GPU on that day, or unknown: {', '.join(absent)}.")
    in_file = rows.in_file + more
    return collector.reading(source, SLUG, VERSION, table, in_file=in_file, totals=totals, facts=facts)


def _take(rows: HeadedRows, record: Record, days: Days, collector: Collector) -> None:
    try:
        day = record.cells[rows.place(DAY)].strip()
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
            raise CellError(DAY, day, "a day such as 2020-04-01", "not a day")
        if day in days:
            raise CellError(DAY, day, "each day once", f"line {days[day][0]} has it already")
        cells = dict(zip(rows.header, record.cells, strict=True))
        found = {name: device_count(text, name) for name, text in cells.items() if name.lower() not in (DAY, TOTAL)}
        stated = device_count(record.cells[rows.place(TOTAL)], TOTAL)
        if stated is not None and stated != _sum(found):
            raise CellError(TOTAL, str(stated), f"{_sum(found)}, the sum of the columns", "the columns do not add up")
        days[day] = (record.line, found)
    except CellError as error:
        collector.reject(record.line, error, record.raw)


def _sum(found: dict[str, int | None]) -> int:
    return sum(gpus for gpus in found.values() if gpus)


def _ask_day(days: Days, interview: Interview) -> str | None:
    """The day that counts; the last where all days are alike."""
    if not days:
        return None
    last = max(days)
    alike = all(found == days[last][1] for _, found in days.values())
    return interview.ask(
        Question(
            "day",
            "The capacity of which day?",
            "choice",
            tuple((day, day) for day in sorted(days)),
            last if alike else None,
            "it is the same on every day" if alike else "virtual clusters grow, shrink and come on other days",
        )
    )


def _nodes(line: int, found: dict[str, int | None]) -> list[dict[str, Any]]:
    nodes = []
    for vc, gpus in found.items():
        sizes = [GPUS_PER_NODE] * ((gpus or 0) // GPUS_PER_NODE) + [n for n in [(gpus or 0) % GPUS_PER_NODE] if n]
        nodes += [
            {"name": f"{vc}-{number}", "gpus": size, "slices": (), "partitions": (vc,), "line": line}
            for number, size in enumerate(sizes, start=1)
        ]
    return nodes


FORMAT = Format(
    SLUG,
    "Helios capacity by day",
    "nodes",
    "S-Lab-System-Group/HeliosArtifact, cluster_gpu_number.csv",
    detect_helios_capacity,
    read_helios_capacity,
    reads="GPUs of each virtual cluster on one day, as nodes of eight GPUs in a partition of that name",
    leaves="all other days, which are counted; names, models and states of nodes are not in this file",
    unknowns="0 or empty on a day: no node of that virtual cluster, said; days that differ: which one counts is asked",
)
