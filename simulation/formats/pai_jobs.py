"""Alibaba PAI 2020: jobs from the job, task and instance tables, which come without header lines in one zip archive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simulation.formats import archive
from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.headless import HeadlessRows
from simulation.formats.interview import Interview
from simulation.formats.job_totals import job_totals
from simulation.formats.one_attempt import one_attempt
from simulation.formats.pai_tasks import TASK_COLUMNS, Holdings, Task, task_of
from simulation.formats.quantities import number
from simulation.formats.reading import Question, Reading
from simulation.formats.source import Source

SLUG, VERSION = "pai-jobs", "1"
JOBS, TASKS, INSTANCES = "pai_job_table", "pai_task_table", "pai_instance_table"
JOB_COLUMNS = ("job_name", "inst_id", "user", "status", "start_time", "end_time")
INSTANCE_COLUMNS = (
    *("job_name", "task_name", "inst_name", "worker_name", "inst_id"),
    *("status", "start_time", "end_time", "machine"),
)
OUTCOMES = {"Terminated": "finished", "Failed": "failed", "Running": "running", "Waiting": "waiting"}
WHAT = f"zip archive of {JOBS}.csv and {TASKS}.csv"


def detect_pai_jobs(text: str, filename: str) -> tuple[float, str]:
    if text.startswith(archive.NAMED) and JOBS in text:
        return 0.95, "an archive of the PAI tables"
    tables = (JOBS, TASKS, INSTANCES)
    return (0.5, "named like a PAI table") if any(filename.startswith(table) for table in tables) else (0.0, "")


def read_pai_jobs(source: Source) -> Reading:
    """A job is submitted when its row says it starts, and runs from its first task's start to its last one's end."""
    tables = _tables(source)
    collector = Collector("jobs")
    tasks, in_tasks = _tasks(tables[TASKS], collector)
    machines, in_instances = _machines(tables.get(INSTANCES), collector)
    unplanned = sum(task.gpus_each is None for found in tasks.values() for task in found)
    holdings = Holdings(_ask_unplanned(source.interview, unplanned) if unplanned else "unknown")
    rows = HeadlessRows(tables[JOBS], ",", (JOB_COLUMNS,))
    for record, cells in rows.data(collector):
        name = cells["job_name"]
        try:
            row, oddities = _job(cells, tasks.get(name, []), holdings)
            row |= {"nodes": len(machines[name]) if name in machines else None, "line": record.line}
            collector.keep_once(name, row, oddities, record.raw)
        except CellError as error:
            collector.reject(record.line, _of_table(JOBS, error), record.raw)
    table = collector.table()
    orphans = len(tasks.keys() - set(table["id"]))
    return collector.reading(
        source,
        SLUG,
        VERSION,
        table,
        in_file=in_tasks + in_instances + rows.in_file,
        totals=job_totals(table),
        facts=_facts(tables, orphans),
        head=tables[JOBS].head(),
    )


def _tasks(source: Source, collector: Collector) -> tuple[dict[str, list[Task]], int]:
    """Tasks of each job, and the rows of the table."""
    found: dict[str, list[Task]] = {}
    rows = HeadlessRows(source, ",", (TASK_COLUMNS,))
    for record, cells in rows.data(collector):
        tasks = found.setdefault(cells["job_name"], [])
        try:
            tasks.append(task_of(cells))
            collector.folded += 1
        except CellError as error:
            tasks.append(Task.damaged())
            collector.reject(record.line, _of_table(TASKS, error), record.raw)
    return found, rows.in_file


def _tables(source: Source) -> dict[str, Source]:
    """Table -> its file in the archive; FormatError where the job or the task table is missing."""
    if not source.zipped:
        first = next(source.lines(), (1, ""))[1]
        raise FormatError(source.name, line=1, value=first, expected=f"a {WHAT}: a job stands in both tables")
    by_table = {name.rsplit("/", 1)[-1].removesuffix(".csv"): name for name in archive.names_in(source, WHAT)}
    archive.guard(source, WHAT, entry_bytes=source.limits.expanded_bytes)
    for table in (JOBS, TASKS):
        if table not in by_table:
            raise FormatError(source.name, value=", ".join(sorted(by_table)[:8]), expected=f"a {WHAT}")
    return {table: archive.member(source, name) for table, name in by_table.items() if not name.endswith(".header")}


def _machines(instances: Source | None, collector: Collector) -> tuple[dict[str, set[str]], int]:
    """Machines of each job, and the rows of the table; nothing where the archive has no instance table."""
    found: dict[str, set[str]] = {}
    if instances is None:
        return found, 0
    rows = HeadlessRows(instances, ",", (INSTANCE_COLUMNS,))
    for _, cells in rows.data(collector):
        collector.folded += 1
        if cells["machine"]:
            found.setdefault(cells["job_name"], set()).add(cells["machine"])
    return found, rows.in_file


def _ask_unplanned(interview: Interview, tasks: int) -> str:
    answer = interview.ask(
        Question(
            "unplanned",
            f"{tasks:,} tasks have no plan_gpu. What does that mean?",
            "choice",
            (("unknown", "their GPUs are not known"), ("none", "they use no GPU")),
            "unknown",
            "jobs with an unknown number of GPUs cannot be replayed",
        )
    )
    return answer or "unknown"


def _job(cells: dict[str, str], tasks: list[Task], holdings: Holdings) -> tuple[dict[str, Any], list[CellError]]:
    if not cells["job_name"]:
        raise CellError("job_name", "", "a name", "a job without a name")
    submit, outcome = number(cells["start_time"], "start_time"), OUTCOMES.get(cells["status"])
    starts = [task.start_s for task in tasks if task.start_s is not None]
    ends = [task.end_s for task in tasks if task.end_s is not None]
    start = min(starts, default=None)
    end = max(ends) if ends and len(ends) == len(starts) else None
    fields, oddities = one_attempt(submit, start, end, outcome, None)
    if outcome is None:
        oddities.append(CellError("status", cells["status"], ", ".join(OUTCOMES), "the outcome is not known"))
    if not tasks:
        oddities.append(CellError("job_name", cells["job_name"], f"a row in {TASKS}", "GPU count and run time unknown"))
    held, odd = holdings.of(tasks)
    return {
        **fields,
        **held,
        "id": cells["job_name"],
        "name": cells["job_name"],
        "user": cells["user"] or None,
        "state": cells["status"] or None,
    }, [*oddities, *odd]


def _of_table(table: str, error: CellError) -> CellError:
    return CellError(f"{table}.{error.column or ''}".rstrip("."), error.value, error.expected, error.reason)


def _facts(tables: dict[str, Source], orphans: int) -> Iterable[str]:
    read = {JOBS, TASKS, INSTANCES}
    yield from tables[JOBS].facts()
    yield f"Tables read: {', '.join(sorted(read & tables.keys()))}. Times are seconds since the trace began."
    if others := sorted(tables.keys() - read):
        yield f"Not read here: {', '.join(others)}."
    if orphans:
        yield f"{orphans} jobs stand in {TASKS} alone: their tasks belong to no job that is kept."


FORMAT = Format(
    SLUG,
    "Alibaba PAI jobs",
    "jobs",
    "alibaba/clusterdata, cluster-trace-gpu-v2020: the tables in one zip archive",
    detect_pai_jobs,
    read_pai_jobs,
    reads="job, user, status, submission; from its tasks the start, end, GPUs or parts of GPUs, model, CPUs, memory; "
    "from its instances the number of machines",
    leaves="sensor, tag and metric tables; which instance ran where",
    unknowns="plan_gpu empty: unknown or no GPU, as answered; still running: no end and no run time; a job without "
    "tasks: GPUs and run time unknown",
)
