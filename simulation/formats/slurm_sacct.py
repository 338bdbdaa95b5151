"""`sacct -P` (and -p, other delimiters, no header): one row a job, its steps and repeated attempts folded in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.instants import Clock
from simulation.formats.job_totals import SECONDS_PER_HOUR, job_totals
from simulation.formats.reading import Question, Reading
from simulation.formats.slurm_attempts import Attempt, joined_attempts
from simulation.formats.slurm_job import devices_of, elapsed_of, job_row
from simulation.formats.slurm_sacct_layout import Layout, find_layout, is_header
from simulation.formats.source import Source

SLUG, VERSION = "slurm-sacct", "1"


@dataclass
class _Lines:
    """What the lines of one export held, before attempts are joined. GPU hours are those that rows claim."""

    collector: Collector = field(default_factory=lambda: Collector("jobs"))
    attempts: list[Attempt] = field(default_factory=list)
    orphans: list[tuple[int, str, str]] = field(default_factory=list)
    in_file: int = 0
    job_ids: set[str] = field(default_factory=set)
    steps_folded: int = 0
    gpu_hours: dict[str, float] = field(default_factory=lambda: {"rejected": 0.0, "steps": 0.0, "duplicates": 0.0})


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
    _choose_cluster(source, lines)
    _settle_steps(lines)
    joined = joined_attempts(lines.attempts, source.interview)
    lines.collector.folded += joined.folded
    _settle_absent_gpus(source, joined.attempts)
    for attempt in joined.attempts:
        lines.collector.keep(attempt.row, attempt.oddities, attempt.raw)
    lines.gpu_hours["duplicates"] = joined.duplicate_gpu_hours
    table = lines.collector.table()
    totals = job_totals(table)
    by_fate = {"kept": totals["gpu_hours"], **lines.gpu_hours}
    totals |= {
        "steps_folded": lines.steps_folded,
        "duplicates_folded": joined.duplicates,
        "gpu_hours_by_fate": {**by_fate, "every_line": sum(by_fate.values())},
    }
    facts = [*source.facts(), *_layout_facts(layout), *clock.facts()]
    return lines.collector.reading(source, SLUG, VERSION, table, in_file=lines.in_file, totals=totals, facts=facts)


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
                lines.gpu_hours["steps"] += _claimed_gpu_hours(cells)
                continue
            if not job_id[:1].isdigit():
                raise CellError("JobID", job_id, "a job number", "not a job id")
            row, oddities = job_row(cells, number, clock)
        except CellError as error:
            clock.take_oddities()
            lines.collector.reject(number, error, line)
            lines.job_ids.add(cells.get("jobid", ""))
            lines.gpu_hours["rejected"] += _claimed_gpu_hours(cells)
            continue
        key = cells.get("jobidraw") or job_id
        lines.job_ids |= {job_id, key}
        lines.attempts.append(Attempt(key, cells.get("cluster", ""), row, oddities, line))


def _claimed_gpu_hours(cells: dict[str, str]) -> float:
    """GPU hours that a row claims by itself; 0 where it does not say, for this is a sum of claims."""
    try:
        devices, elapsed = devices_of(cells)[0], elapsed_of(cells)
    except CellError:
        return 0.0
    return (devices.whole or 0) * (elapsed or 0.0) / SECONDS_PER_HOUR


def _choose_cluster(source: Source, lines: _Lines) -> None:
    names = sorted({attempt.cluster for attempt in lines.attempts})
    if len(names) < 2:
        return
    answer = source.interview.ask(
        Question(
            "cluster",
            "The file holds jobs of several clusters: which one is meant?",
            "choice",
            tuple((name, name or "no name") for name in names),
            None,
            "jobs of different clusters do not share GPUs, so they are never added up",
        )
    )
    if answer is not None:
        kept = [attempt for attempt in lines.attempts if attempt.cluster == answer]
        lines.collector.skipped += len(lines.attempts) - len(kept)
        lines.attempts = kept


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


def _settle_absent_gpus(source: Source, attempts: list[Attempt]) -> None:
    """Where no row at all names a GPU, the site may not count them: 0 would be a guess."""
    rows = [attempt.row for attempt in attempts]
    if not rows or any(row["gpus"] != 0 for row in rows):
        return
    answer = source.interview.ask(
        Question(
            "absent_gpus",
            "No row names a GPU: what does that mean?",
            "choice",
            (("unknown", "the site does not account for GPUs: unknown"), ("none", "these jobs used no GPU: 0")),
            "unknown",
            "Slurm lists gres/gpu only where AccountingStorageTRES names it",
        )
    )
    if answer == "unknown":
        for row in rows:
            row["gpus"] = row["gpu_s"] = None


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
