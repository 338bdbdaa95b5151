"""SenseTime Helios 2020: the job log of a cluster."""

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

SLUG, VERSION = "helios-jobs", "1"
COLUMNS = (*COMMON, "vc", "duration", "queue")
ZONE = "Asia/Shanghai"


def read_helios_jobs(source: Source) -> Reading:
    """Times are those of the cluster (UTC+8) without an offset; duration and queue are checked against them."""
    rows = HeadedRows(source, ",", COLUMNS)
    clock = Clock(source.interview.ask_zone("submit_time, start_time and end_time", ZONE, "the clusters are in China"))
    at = [rows.place(name) for name in COLUMNS]
    collector = Collector("jobs")

    def row_of(cells: list[str], line: int) -> tuple[dict[str, Any], list[CellError]]:
        return _job(dict(zip(COLUMNS, (cells[i].strip() for i in at), strict=True)), line, clock)

    rows.read_into(collector, row_of, unique="id")
    table = collector.table()
    totals = job_totals(table)
    facts = [*source.facts(), *clock.facts()]
    facts.append(f"{totals['cpu_only_jobs']} jobs asked for no GPU: they are listed, and not simulated.")
    return collector.reading(source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _job(cells: dict[str, str], line: int, clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    row, oddities = job_log_row(cells, line, clock)
    duration, queue = number(cells["duration"], "duration"), number(cells["queue"], "queue")
    wait = None if row["submit_s"] is None or row["start_s"] is None else row["start_s"] - row["submit_s"]
    oddities += differs("duration", cells["duration"], duration, row["elapsed_s"], "end_time - start_time")
    oddities += differs("queue", cells["queue"], queue, wait, "start_time - submit_time")
    return row | {"tenant": cells["vc"] or None}, oddities


FORMAT = Format(
    SLUG,
    "Helios job log",
    "jobs",
    "S-Lab-System-Group/HeliosData",
    header_detector(COLUMNS, "the header of a Helios job log"),
    read_helios_jobs,
    reads="job, user, virtual cluster, submission, start, end, GPUs, CPUs, nodes, state",
    leaves="duration and queue are only checked against the times; utilisation is not in this file",
    unknowns="no start: never started, no wait and no run time; gpu_num empty: unknown, not 0; times have no offset: "
    "China's time, and asked",
)
