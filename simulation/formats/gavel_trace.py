"""Gavel job traces of seven or ten columns: steps, not durations; a table of throughputs turns them into time."""

from __future__ import annotations

import re
from typing import Any

from simulation.formats import archive
from simulation.formats.collector import CellError, Collector, number_by_content
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.headless import HeadlessRows
from simulation.formats.interview import Interview
from simulation.formats.job_totals import job_totals
from simulation.formats.json_source import read_json
from simulation.formats.quantities import checked_span, count, device_count, number
from simulation.formats.reading import Question, Reading
from simulation.formats.source import Source

SLUG, VERSION = "gavel-trace", "1"
SEVEN = ("job type", "command", "steps argument", "needs data", "total steps", "arrival", "scale factor")
TEN = (
    *("job type", "command", "directory", "steps argument", "needs data", "total steps"),
    *("scale factor", "priority weight", "SLO", "arrival"),
)
WHAT = "zip archive of a .trace file and its throughputs"
Rates = dict[str, float]


def detect_gavel(text: str, filename: str) -> tuple[float, str]:
    if text.startswith(archive.NAMED) and re.search(r"\.trace\b", text) and "throughputs" in text:
        return 0.95, "an archive of a Gavel trace and throughputs"
    cells = text.split("\n", 1)[0].split("\t")
    numbers = {7: (4, 5, 6), 10: (5, 6, 7, 8, 9)}.get(len(cells), ())
    fits = numbers and all(re.fullmatch(r"\s*-?\d+(\.\d+)?\s*", cells[at]) for at in numbers)
    return (0.9, f"{len(cells)} tab-separated cells as in a Gavel trace") if fits else (0.0, "")


def read_gavel(source: Source) -> Reading:
    """A trace alone has no durations. In an archive with throughputs, those of one GPU type give them: asked."""
    trace, rates, facts = _parts(source)
    rows = HeadlessRows(trace, "\t", (SEVEN, TEN))
    collector = Collector("jobs")
    steps = weights = slos = 0
    for record, cells in rows.data(collector):
        try:
            row, oddities = _job(cells, record.line, rates)
            collector.keep(row, oddities, record.raw)
        except CellError as error:
            collector.reject(record.line, error, record.raw)
            continue
        steps += count(cells["total steps"], "total steps") or 0
        weights += cells.get("priority weight", "1") != "1"
        slos += not cells.get("SLO", "-1").startswith("-1")
    number_by_content(collector.rows, "id", "job-")
    table = collector.table()
    totals = {**job_totals(table), "steps": steps, "jobs_with_slo": slos, "jobs_with_weight": weights}
    facts = [*trace.facts(), *facts, "Arrivals are seconds since the trace began, not dates."]
    if slos or weights:
        facts.append(f"{slos} jobs have an SLO and {weights} a priority weight other than 1: neither is read.")
    return collector.reading(
        source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts, head=trace.head()
    )


def _parts(source: Source) -> tuple[Source, Rates | None, list[str]]:
    """(the trace, steps a second by job type and GPUs, sentences); no rates where there is no table, or no answer."""
    if not source.zipped:
        unknown = "Run times are not in a trace: they need a table of throughputs, in one zip archive with the trace."
        return source, None, [unknown]
    names = sorted(archive.names_in(source, WHAT))
    archive.guard(source, WHAT, entry_bytes=source.limits.expanded_bytes)
    traces = [name for name in names if name.endswith(".trace")]
    tables = [name for name in names if re.search(r"throughputs[^/]*\.json(\.gz)?$", name)]
    if len(traces) != 1 or len(tables) != 1:
        raise FormatError(source.name, value=", ".join(names[:5]), expected="one .trace and one *throughputs.json")
    found = _read_rates(archive.member(source, tables[0]))
    gpu = _ask_gpu(found, source.interview)
    facts = [f"Run times are steps by throughput on {gpu}, all GPUs of a job on one server where it can be."]
    return archive.member(source, traces[0]), found.get(gpu or ""), facts if gpu else []


def _read_rates(source: Source) -> dict[str, Rates]:
    """GPU type -> {"('job type', scale)": steps a second when alone}."""
    document = read_json(source)
    try:
        return {
            gpu: {key: float(rates["null"]) for key, rates in by_job.items() if rates.get("null") is not None}
            for gpu, by_job in document.items()
        }
    except (AttributeError, KeyError, TypeError, ValueError):
        expected = '{GPU: {"(\'JOB TYPE\', SCALE)": {"null": steps a second}}}'
        raise FormatError(source.name, expected=expected) from None


def _ask_gpu(found: dict[str, Rates], interview: Interview) -> str | None:
    return interview.ask(
        Question(
            "gpu_type",
            "On which GPU do the run times count?",
            "choice",
            tuple((gpu, gpu) for gpu in sorted(found)),
            None,
            "a trace says how many steps, and steps take their time on each GPU",
        )
    )


def _job(cells: dict[str, str], line: int, rates: Rates | None) -> tuple[dict[str, Any], list[CellError]]:
    gpus, steps = (_one_or_more(cells, name) for name in ("scale factor", "total steps"))
    arrival = number(cells["arrival"], "arrival")
    if arrival is None:
        raise CellError("arrival", cells["arrival"], "seconds since the trace began", "the arrival is not known")
    elapsed, oddities = _elapsed(cells["job type"], gpus, steps, rates)
    row = {
        "name": cells["job type"] or None,
        "submit_s": checked_span(arrival, cells["arrival"], "arrival"),
        "elapsed_s": elapsed,
        "gpus": gpus,
        "gpu_s": None if elapsed is None else elapsed * gpus,
        "line": line,
    }
    return row, oddities


def _one_or_more(cells: dict[str, str], name: str) -> int:
    found = (device_count if name == "scale factor" else count)(cells[name], name)
    if not found:
        raise CellError(name, cells[name], "a whole number of 1 or more", "not a job")
    return found


def _elapsed(job_type: str, gpus: int, steps: int, rates: Rates | None) -> tuple[float | None, list[CellError]]:
    if rates is None:
        return None, []
    rate = rates.get(f"('{job_type}', {gpus})")
    if rate is None:
        return None, [CellError("job type", job_type, f"a throughput for {gpus} GPUs", "the run time is not known")]
    if rate <= 0:
        return None, [CellError("job type", job_type, f"a throughput above 0 on {gpus} GPUs", "it does not run there")]
    return checked_span(steps / rate, str(steps), "total steps"), []


FORMAT = Format(
    SLUG,
    "Gavel job trace",
    "jobs",
    "stanford-futuredata/gavel, a .trace file, or a zip of it with *_throughputs.json",
    detect_gavel,
    read_gavel,
    reads="job type, arrival, GPUs, steps; run time as steps by throughput where the archive has a table of them",
    leaves="command, directory, SLO and priority weight (both counted); rates of pairs that share a GPU",
    unknowns="no table of throughputs: every run time is unknown, so nothing can be replayed; a job type without a "
    "throughput, or with one of 0: kept, told, and not replayed",
)
