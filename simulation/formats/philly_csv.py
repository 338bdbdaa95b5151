"""Microsoft Philly job list as cleaned for Sia (timestamp, duration, num_gpus, gpu_time, cluster)."""

from __future__ import annotations

from typing import Any

from simulation.formats.collector import CellError, Collector, number_by_content
from simulation.formats.format import Format
from simulation.formats.headed import HeadedRows, header_detector
from simulation.formats.instants import Clock
from simulation.formats.job_totals import job_totals
from simulation.formats.quantities import checked_span, device_count, number
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "philly-csv", "1"
COLUMNS = ("timestamp", "duration", "num_gpus", "gpu_time", "cluster")
ZONE = "America/Los_Angeles"


def read_philly_csv(source: Source) -> Reading:
    """All rows are jobs that ran; start, queueing and outcome are not in this file. Equal rows are kept."""
    rows = HeadedRows(source, ",", COLUMNS)
    why = "the original's other tables carry PDT and PST; the clocks changed on 2017-11-05"
    clock = Clock(source.interview.ask_zone("timestamp", ZONE, why))
    at = [rows.place(name) for name in COLUMNS]
    collector = Collector("jobs")

    def row_of(cells: list[str], line: int) -> tuple[dict[str, Any], list[CellError]]:
        return _job([cells[i] for i in at], line, clock)

    rows.read_into(collector, row_of)
    number_by_content(collector.rows, "id")
    table = collector.table()
    twins = table.repeated_rows()
    facts = [*source.facts(), *clock.facts()]
    facts.append(f"{twins} rows repeat another one in full; without job ids they may be real twins and are kept.")
    facts.append("Start, end, queueing and outcome are not recorded, so waits cannot be checked against this file.")
    totals = {**job_totals(table), "equal_rows_kept": twins}
    return collector.reading(source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _job(cells: list[str], line: int, clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    stamp, duration, num_gpus, gpu_time, cluster = cells
    submit = clock.read(stamp, "timestamp")
    oddities = clock.take_oddities()
    elapsed, gpus, claimed = (
        number(duration, "duration"),
        device_count(num_gpus, "num_gpus"),
        number(gpu_time, "gpu_time"),
    )
    if elapsed is not None:
        checked_span(elapsed, duration, "duration")
    gpu_s = None if elapsed is None or gpus is None else elapsed * gpus
    if gpu_s is not None and claimed is not None and abs(gpu_s - claimed) > 1e-6 * max(gpu_s, 1.0):
        oddities.append(CellError("gpu_time", gpu_time, f"{gpu_s:g}, duration x num_gpus", "gpu_time was not used"))
    for name, value in (("timestamp", submit), ("duration", elapsed), ("num_gpus", gpus)):
        if value is None:
            oddities.append(CellError(name, "", "a value", "unknown, so the job cannot be replayed"))
    row = {
        "submit_s": submit,
        "elapsed_s": elapsed,
        "gpus": gpus,
        "gpu_s": gpu_s,
        "tenant": cluster.strip() or None,
        "line": line,
    }
    return row, oddities


FORMAT = Format(
    slug=SLUG,
    title="Philly job list",
    kind="jobs",
    made_by="siasosp23/artifacts",
    detect=header_detector(COLUMNS, "the header of the Philly job list"),
    read=read_philly_csv,
    reads="submission, run time, GPUs, virtual cluster",
    leaves=("gpu_time is only checked against run time x GPUs; start, end, queueing and outcome are not in this file"),
    unknowns=(
        "a missing time, run time or GPU count: the job is kept, said, and not replayed; equal rows are kept as twins"
    ),
)
