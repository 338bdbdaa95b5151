"""Standard Workload Format: 18 numbers a job; processors are CPU cores unless somebody says what they stand for."""

from __future__ import annotations

import math
import re
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.instants import EARLIEST, EXPECTED, LATEST
from simulation.formats.job_totals import job_totals
from simulation.formats.quantities import MAX_DEVICES, checked_span, decimal
from simulation.formats.reading import Question, Reading
from simulation.formats.source import Source
from simulation.provenance import Origin

SLUG, VERSION = "swf", "1"
FIELDS = (
    *("job", "submit", "wait", "run", "processors", "cpu", "memory", "requested processors", "requested time"),
    *("requested memory", "status", "user", "group", "application", "queue", "partition", "preceding", "think"),
)
OUTCOMES = {0: "failed", 1: "finished", 5: "cancelled"}
PARTIAL = frozenset({2, 3, 4})
"""Lines of one part of a job that was interrupted; its summary line (0, 1 or 5) is the one that counts."""
CORES = "cores"
_HEADER = re.compile(r";\s*(\w+)\s*:\s*(.*?)\s*")


def detect_swf(text: str, filename: str) -> tuple[float, str]:
    lines = text.split("\n")
    jobs = [line.split() for line in lines[:-1] or lines if line.strip() and not line.startswith(";")]
    if jobs and all(len(cells) == len(FIELDS) for cells in jobs) and re.fullmatch(r"[\s\d.eE+-]+", " ".join(jobs[0])):
        return 0.95 if text.startswith(";") else 0.6, "lines of 18 numbers, as the Standard Workload Format has them"
    return (0.8, "header fields of the Standard Workload Format") if "; MaxProcs:" in text else (0.0, "")


def read_swf(source: Source) -> Reading:
    """A row of the counts is one line. Parts of an interrupted job are folded into its summary line."""
    header, collector = _header(source), Collector("jobs")
    processors = _ask_processors(source)
    parts: dict[str, list[tuple[int, str, list[float | None]]]] = {}
    in_file = 0
    for line, text in source.lines():
        in_file += 1
        if not text.strip() or text.lstrip().startswith(";"):
            collector.skipped += 1
            continue
        try:
            numbers = _numbers(text)
            if numbers[10] in PARTIAL:
                parts.setdefault(_id(numbers, text), []).append((line, text, numbers))
                continue
            row, oddities = _job(numbers, header, processors, line, text)
            collector.keep_once(row["id"], row, oddities, text)
        except CellError as error:
            collector.reject(line, error, text)
    _settle_parts(collector, parts, header, processors)
    table = collector.table()
    facts = [*source.facts(), *_facts(header, collector)]
    origin = Origin.ASSUMED if processors else Origin.MEASURED
    return collector.reading(
        source, SLUG, VERSION, table, in_file=in_file, totals=_totals(collector, header), facts=facts, origin=origin
    )


def _header(source: Source) -> dict[str, str]:
    """Field of the header in lower case -> its text, the first of a name; FormatError where no job follows."""
    found: dict[str, str] = {}
    for _, text in source.lines():
        if text.strip() and not text.startswith(";"):
            break
        match = _HEADER.fullmatch(text)
        if match:
            found.setdefault(match[1].lower(), match[2])
    else:
        raise FormatError(source.name, expected="a line of 18 numbers; there are only header and blank lines")
    _start(found, source)
    return found


def _start(header: dict[str, str], source: Source) -> None:
    """FormatError for a UnixStartTime that cannot be."""
    text = header.get("unixstarttime", "0")
    if not re.fullmatch(r"-?\d{1,12}", text) or not (int(text) <= 0 or EARLIEST <= int(text) < LATEST):
        raise FormatError(source.name, column="UnixStartTime", value=text, expected=EXPECTED)


def _ask_processors(source: Source) -> int | None:
    """How many processors stand for one GPU; None: they are CPU cores, or the question is open."""
    answer = source.interview.ask(
        Question(
            "processors",
            "What do the processors of this log stand for?",
            "text",
            ((CORES, "CPU cores: no GPU is known"), ("1", "each for one GPU"), ("8", "eight for one GPU")),
            None,
            "in nearly all public logs they are CPU cores; as GPUs they are an assumption, and marked so",
        )
    )
    if answer is None or answer.strip() == CORES:
        return None
    if not answer.strip().isdecimal() or not 1 <= int(answer) <= 1024:
        raise source.interview.refusal("processors", answer, f"{CORES}, or how many stand for one GPU (1 to 1024)")
    return int(answer)


def _numbers(text: str) -> list[float | None]:
    """The 18 numbers of a line; -1 is unknown."""
    cells = text.split()
    if len(cells) != len(FIELDS):
        raise CellError(None, text, f"{len(FIELDS)} numbers", f"{len(cells)} cells: a line is broken")
    numbers: list[float | None] = []
    for name, cell in zip(FIELDS, cells, strict=True):
        value = None if cell == "-1" else float(decimal(cell, name))
        if value is not None and value < 0:
            raise CellError(name, cell, "0 or more, or -1 for unknown", "a negative amount")
        numbers.append(value)
    return numbers


def _id(numbers: list[float | None], text: str) -> str:
    if numbers[0] is None or numbers[0] != int(numbers[0]):
        raise CellError("job", text.split()[0], "the number of a job", "a job without a number")
    return str(int(numbers[0]))


def _job(
    numbers: list[float | None], header: dict[str, str], processors: int | None, line: int, text: str
) -> tuple[dict[str, Any], list[CellError]]:
    _, submit, wait, run, used = numbers[:5]
    status = numbers[10]
    for name, value in (("wait", wait), ("run", run), ("requested time", numbers[8])):
        checked_span(value or 0.0, str(value), name)
    at = None if submit is None else submit + max(0, int(header.get("unixstarttime", "0")))
    start = None if at is None or wait is None else at + wait
    cores = used if used is not None else numbers[7]
    gpus = _gpus(cores, processors)
    never_started = status == 5 and not run
    row = {
        "id": _id(numbers, text),
        "user": _name("user", numbers[11]),
        "tenant": _name("group", numbers[12]),
        "partition": _name("queue", numbers[14]),
        "submit_s": at,
        "start_s": None if never_started else start,
        "end_s": None if never_started or start is None or run is None else start + run,
        "elapsed_s": None if never_started else run,
        "gpus": gpus,
        "gpu_s": 0.0 if never_started and gpus is not None else None if gpus is None or run is None else gpus * run,
        "cpus": cores,
        "memory_bytes": None if numbers[6] is None or cores is None else round(numbers[6] * 1024 * cores),
        "timelimit_s": numbers[8],
        "state": None if status is None else str(int(status)),
        "outcome": OUTCOMES.get(int(status)) if status is not None else None,
        "attempts": 0 if never_started else 1,
        "attempts_s": () if never_started or run is None else (run,),
        "line": line,
    }
    return row, _oddities(numbers, header)


def _gpus(cores: float | None, processors: int | None) -> int | None:
    if cores is None or processors is None:
        return None
    gpus = math.ceil(cores / processors)
    if gpus > MAX_DEVICES:
        raise CellError("processors", str(cores), f"at most {MAX_DEVICES:,} GPUs", "beyond all measure")
    return gpus


def _name(what: str, number: float | None) -> str | None:
    return None if number is None else f"{what} {int(number)}"


def _oddities(numbers: list[float | None], header: dict[str, str]) -> list[CellError]:
    used, most = numbers[4], header.get("maxprocs", "")
    found = []
    if numbers[3] is None and numbers[10] != 5:
        found.append(CellError("run", "-1", "a span", "the run time is not known"))
    if used is not None and most.isdecimal() and used > int(most):
        found.append(CellError("processors", f"{used:g}", f"at most {most}, MaxProcs", "more than the machine has"))
    return found


def _settle_parts(
    collector: Collector,
    parts: dict[str, list[tuple[int, str, list[float | None]]]],
    header: dict[str, str],
    processors: int | None,
) -> None:
    """Fold parts into the summary line of their job; parts without one are kept as one row with a warning."""
    kept = {row["id"] for row in collector.rows}
    for job, lines in parts.items():
        if job in kept:
            collector.folded += len(lines)
            continue
        line, text, first = lines[0]
        runs = [numbers[3] for _, _, numbers in lines]
        joined = [*first]
        joined[3] = None if None in runs else math.fsum(run for run in runs if run is not None)
        joined[10] = {3: 1.0, 4: 0.0}.get(int(lines[-1][2][10] or 0))
        try:
            row, oddities = _job(joined, header, processors, line, text)
            row |= {"attempts": len(lines), "attempts_s": tuple(run for run in runs if run is not None), "end_s": None}
            word = "parts of a job without a summary line; their run times were added"
            collector.keep(row, [*oddities, CellError("status", "2", "a summary line", word)], text)
            collector.folded += len(lines) - 1
        except CellError as error:
            for number, raw, _ in lines:
                collector.reject(number, error, raw)


def _facts(header: dict[str, str], collector: Collector) -> list[str]:
    facts = [f"{name}: {header[name.lower()]}." for name in ("Computer", "Installation") if header.get(name.lower())]
    if int(header.get("unixstarttime", "0")) > 0:
        site = f"the site is in {header['timezonestring']}" if header.get("timezonestring") else "its zone is not named"
        facts.append(f"Times count from second {header['unixstarttime']} of 1970 UTC; {site}.")
    else:
        facts.append("There is no UnixStartTime: times count from the beginning of the log.")
    if collector.rows and all(row["start_s"] is None for row in collector.rows):
        facts.append("No job has a wait: it is unknown, not 0.")
    if header.get("acknowledge"):
        facts.append(f"To be acknowledged: {header['acknowledge']}.")
    return facts


def _totals(collector: Collector, header: dict[str, str]) -> dict[str, Any]:
    most = header.get("maxprocs", "")
    return {
        **job_totals(collector.table()),
        "max_procs": int(most) if most.isdecimal() else None,
        "unknown_waits": sum(1 for row in collector.rows if row["start_s"] is None),
        "zone": header.get("timezonestring"),
        "starts_s": int(header.get("unixstarttime", "0")) or None,
    }


FORMAT = Format(
    slug=SLUG,
    title="Standard Workload Format",
    kind="jobs",
    made_by="Parallel Workloads Archive, .swf",
    detect=detect_swf,
    read=read_swf,
    reads=(
        "job, submission, wait, run time, processors, memory, requested time, status, user, group, queue; header: "
        "UnixStartTime, TimeZoneString, MaxProcs, to whom credit is due"
    ),
    leaves="CPU time used, application, partition, preceding job and think time",
    unknowns=(
        "-1: unknown, a wait too, never 0; processors are CPU cores until somebody says how many stand for a GPU, "
        "which is marked assumed; parts of an interrupted job count once, with its summary line"
    ),
)
