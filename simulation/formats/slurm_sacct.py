"""`sacct -P` (and -p, other delimiters, no header): one row a job, its steps and repeated attempts folded in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.instants import Clock
from simulation.formats.reading import Reading
from simulation.formats.slurm_attempts import Attempt
from simulation.formats.slurm_job import job_row
from simulation.formats.slurm_log import JobLog, choose_cluster, claimed_gpu_hours
from simulation.formats.slurm_sacct_layout import Layout, find_layout, is_header
from simulation.formats.source import Source

SLUG, VERSION = "slurm-sacct", "1"


@dataclass
class _Lines(JobLog):
    """Lines of one export; `orphans` are steps whose job has not come yet."""

    orphans: list[tuple[int, str, str]] = field(default_factory=list)
    job_ids: set[str] = field(default_factory=set)


def detect_sacct(text: str, filename: str) -> tuple[float, str]:
    first = text.split("\n", 1)[0]
    if is_header(first) and "State" in first:
        return 0.95, "the first line names fields of sacct"
    if first.count("|") == 25 and "cpu=" in first:
        return 0.7, "26 fields split by |, with a TRES list, as Open XDMoD exports them"
    if first[:1].isdigit() and first.count("|") >= 5:
        return 0.3, "fields split by |, the first a number"
    return 0.0, ""


def read_sacct(source: Source) -> Reading:
    """Read a whole export. Totals: those of job_totals, `steps_folded`, `duplicates_folded`, `gpu_hours_by_fate`."""
    layout = find_layout(source)
    lines, clock = _Lines(), Clock(None)
    if layout is None:
        return _unread(source, lines.collector)
    clock.zone = _zone(source)
    _scan(source, layout, clock, lines)
    choose_cluster(source, lines)
    _settle_steps(lines)
    return lines.reading(source, SLUG, VERSION, [*source.facts(), *_layout_facts(layout), *clock.facts()])


def _unread(source: Source, collector: Collector) -> Reading:
    collector.skipped = sum(1 for _ in source.lines())
    facts = [*source.facts(), "Nothing is read until the layout is known."]
    return collector.reading(
        source, SLUG, VERSION, collector.table(), in_file=collector.skipped, totals={}, facts=facts
    )


def _zone(source: Source) -> ZoneInfo | None:
    if source.interview.answers.get("layout") == "xdmod":
        return source.interview.ask_zone("Submit, Eligible, Start and End", "UTC", "Open XDMoD asks sacct for UTC")
    return source.interview.ask_zone("Submit, Eligible, Start and End")


def _scan(source: Source, layout: Layout, clock: Clock, lines: _Lines) -> None:
    for number, line in source.lines():
        lines.in_file += 1
        if not line.strip() or line == layout.header:
            lines.collector.skipped += 1
            continue
        cells: dict[str, str] = {}
        try:
            cells = layout.split(line)
            job_id = cells.get("jobid") or cells.get("jobidraw", "")
            if "." in job_id:
                _take_step(lines, job_id, number, line)
                lines.gpu_hours["steps"] += claimed_gpu_hours(cells)
                continue
            if not job_id[:1].isdigit():
                raise CellError("JobID", job_id, "a job number", "not a job id")
            row, oddities = job_row(cells, number, clock)
        except CellError as error:
            clock.take_oddities()
            lines.collector.reject(number, error, line)
            lines.job_ids.add(cells.get("jobid", ""))
            lines.gpu_hours["rejected"] += claimed_gpu_hours(cells)
            continue
        key = cells.get("jobidraw") or job_id
        lines.job_ids |= {job_id, key}
        lines.attempts.append(Attempt(key, cells.get("cluster", ""), row, oddities, line))


def _take_step(lines: _Lines, step: str, number: int, line: str) -> None:
    """Fold a step whose job stands above it, as it nearly always does; keep the others for later."""
    if step.split(".", 1)[0] in lines.job_ids:
        lines.steps_folded += 1
    else:
        lines.orphans.append((number, line, step))


def _settle_steps(lines: _Lines) -> None:
    """Fold the steps whose job stood below them, refuse those whose job is not in the file."""
    for number, line, step in lines.orphans:
        if step.split(".", 1)[0] in lines.job_ids:
            lines.steps_folded += 1
            continue
        error = CellError("JobID", step, "the row of its job in the same file", "a step whose job is not in the file")
        lines.collector.reject(number, error, line)
    lines.collector.folded += lines.steps_folded


def _layout_facts(layout: Layout) -> Iterator[str]:
    name = {"\t": "tab"}.get(layout.delimiter, layout.delimiter)
    yield f"{len(layout.fields)} fields split by {name!r}{', also at line ends' if layout.trailing else ''}."
    if layout.header is None:
        yield "No header line."
    if not {"alloctres", "allocgres"} & set(layout.fields):
        yield "There is no AllocTRES field: GPU counts are those requested, or unknown."


FORMAT = Format(
    slug=SLUG,
    title="Slurm job accounting",
    kind="jobs",
    made_by="TZ=UTC sacct -a -P -o ...",
    detect=detect_sacct,
    read=read_sacct,
    reads=(
        "job, user, account, partition, submit, eligible, start, end, run time, GPUs and their model "
        "(AllocTRES, else ReqTRES, else GRES), nodes, CPUs, memory, time limit, state; requeued attempts are "
        "joined"
    ),
    leaves="steps (folded into their job, counted), the other fields of the export",
    unknowns=(
        "no GPU named in a row: unknown, not 0, and where no row names one it is asked; no zone in the times:"
        " asked; still running: run time so far, a lower bound, never an end; slices of GPUs are not counted "
        "as whole ones"
    ),
)
