"""Shanghai AI Laboratory Acme 2023: the job logs of the clusters Seren and Kalos, which differ in their columns."""

from __future__ import annotations

from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.headed import HeadedRows, header_detector
from simulation.formats.instants import Clock
from simulation.formats.job_log_row import COMMON, job_log_row
from simulation.formats.job_totals import job_totals
from simulation.formats.one_attempt import differs
from simulation.formats.quantities import number
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "acme", "1"
COLUMNS = (*COMMON, "type", "duration", "queue", "gpu_time")
MEMORY = "mem_per_pod_GB"
GB = 10**9


def read_acme(source: Source) -> Reading:
    """Run time is end - start: in the log of Kalos, duration and gpu_time hold the wait as well."""
    rows = HeadedRows(source, ",", COLUMNS)
    clock = Clock(source.interview.ask_zone("submit_time, start_time and end_time") if _naive(source) else None)
    at = [rows.place(name) for name in COLUMNS]
    memory_at = rows.place(MEMORY) if rows.has(MEMORY) else None
    collector = Collector("jobs")

    def row_of(cells: list[str], line: int) -> tuple[dict[str, Any], list[CellError]]:
        row, oddities = _job(dict(zip(COLUMNS, (cells[i].strip() for i in at), strict=True)), line, clock)
        if memory_at is not None:
            row["memory_bytes"] = _memory(cells[memory_at], row["nodes"])
        return row, oddities

    rows.read_into(collector, row_of, unique="id")
    table = collector.table()
    totals = {**job_totals(table), "gpu_s": sum(s for s in table["gpu_s"] if s is not None)}
    facts = [*source.facts(), *clock.facts(), "Run times are end - start, and GPU time follows from them."]
    with_wait = sum(1 for issue in collector.warned if issue.column == "gpu_time")
    if with_wait:
        facts.append(f"{with_wait} jobs state another GPU time than GPUs x run time: it holds their wait. Not used.")
    return collector.reading(source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _naive(source: Source) -> bool:
    """Whether the first data row has a time without an offset: the published logs have one in every row."""
    rows = HeadedRows(source, ",", COLUMNS)
    first = next(rows.data(Collector("jobs")), None)
    return first is not None and not any(mark in first.cells[rows.place("submit_time")][10:] for mark in "+-Z")


def _job(cells: dict[str, str], line: int, clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    row, oddities = job_log_row(cells, line, clock)
    claimed = {name: number(cells[name], name) for name in ("duration", "gpu_time")}
    oddities += differs("duration", cells["duration"], claimed["duration"], row["elapsed_s"], "end - start")
    oddities += differs("gpu_time", cells["gpu_time"], claimed["gpu_time"], row["gpu_s"], "GPUs x (end - start)")
    return row | {"partition": cells["type"] or None}, oddities


def _memory(text: str, pods: int | None) -> int | None:
    each = number(text, MEMORY)
    return None if each is None or pods is None else int(each * pods * GB)


FORMAT = Format(
    SLUG,
    "Acme job log (Seren, Kalos)",
    "jobs",
    "InternLM/AcmeTrace, trace_seren.csv or trace_kalos.csv",
    header_detector(COLUMNS, "the header of an Acme job log"),
    read_acme,
    reads="job, user, type (as its partition), submission, start, end, GPUs, nodes, CPUs, memory, state",
    leaves="duration and gpu_time are only checked: those of Kalos hold the wait; fail_time, stop_time, shared memory",
    unknowns="no start: never started, no wait and no run time; gpu_num empty: unknown, not 0; a time without an "
    "offset is asked about",
)
