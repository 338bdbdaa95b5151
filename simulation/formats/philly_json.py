"""Microsoft Philly `cluster_job_log`: a JSON list of jobs with all their attempts."""

from __future__ import annotations

import json
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.instants import Clock
from simulation.formats.job_totals import job_totals
from simulation.formats.json_source import read_json
from simulation.formats.philly_csv import ZONE
from simulation.formats.quantities import is_unknown
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "philly-json", "1"
OUTCOMES = {"Pass": "finished", "Killed": "cancelled", "Failed": "failed"}


def detect_philly_json(text: str, filename: str) -> tuple[float, str]:
    if text.lstrip().startswith("[") and '"attempts"' in text and '"submitted_time"' in text:
        return 0.95, "a JSON list of jobs with submitted_time and attempts"
    return 0.0, ""


def read_philly_json(source: Source) -> Reading:
    """A row of the counts is one job of the list; its place in the list stands for the line."""
    document = read_json(source)
    if not isinstance(document, list):
        raise FormatError(source.name, line=1, value=type(document).__name__, expected="a JSON list of jobs")
    clock = Clock(
        source.interview.ask_zone("submitted_time, start_time and end_time", ZONE, "the log is in US Pacific time")
    )
    collector = Collector("jobs")
    for place, job in enumerate(document, start=1):
        raw = json.dumps(job)
        try:
            row, oddities = _job(job, place, clock)
            collector.keep_once(row["id"], row, oddities, raw)
        except CellError as error:
            clock.take_oddities()
            collector.reject(place, error, raw)
    table = collector.table()
    facts = [*source.facts(), *clock.facts(), "Lines are places in the list, from 1."]
    return collector.reading(source, SLUG, VERSION, table, in_file=len(document), totals=job_totals(table), facts=facts)


def _job(job: Any, place: int, clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    if not isinstance(job, dict) or not isinstance(job.get("jobid"), str) or not isinstance(job.get("attempts"), list):
        raise CellError(None, str(job), "an object with jobid, submitted_time and attempts", "not a job")
    submit = clock.read(_text(job.get("submitted_time")), "submitted_time")
    attempts = [_attempt(attempt, clock) for attempt in job["attempts"]]
    oddities = clock.take_oddities()
    started = [attempt for attempt in attempts if attempt[0] is not None]
    spans = [end - start for start, end, _ in started if start is not None and end is not None]
    all_ended = len(spans) == len(started)
    gpus = {devices for _, _, devices in attempts if devices}
    if len(gpus) > 1:
        oddities.append(CellError("attempts", str(sorted(gpus)), "one number of GPUs", "attempts used unequal GPUs"))
    status = _text(job.get("status"))
    outcome = OUTCOMES.get(status)
    if outcome is None:
        oddities.append(CellError("status", status, ", ".join(OUTCOMES), "the outcome is not known"))
    row = {
        "id": job["jobid"],
        "user": _text(job.get("user")) or None,
        "tenant": _text(job.get("vc")) or None,
        "submit_s": submit,
        "start_s": started[0][0] if started else None,
        "end_s": started[-1][1] if started else None,
        "elapsed_s": sum(spans) if spans and all_ended else None,
        "gpus": max(gpus, default=None),
        "gpu_s": sum((e - s) * n for s, e, n in started if s is not None and e is not None) if all_ended else None,
        "state": status or None,
        "outcome": outcome,
        "attempts": len(started),
        "attempts_s": tuple(spans),
        "line": place,
    }
    if started and submit is not None and row["start_s"] < submit:
        oddities.append(CellError("start_time", str(row["start_s"]), f"{submit} or later", "the wait is not known"))
    return row, oddities


def _attempt(attempt: Any, clock: Clock) -> tuple[float | None, float | None, int]:
    """(start, end, GPUs over all machines) of one attempt."""
    if not isinstance(attempt, dict):
        raise CellError("attempts", str(attempt), "objects with start_time, end_time and detail", "not an attempt")
    start = clock.read(_text(attempt.get("start_time")), "start_time")
    end = clock.read(_text(attempt.get("end_time")), "end_time")
    if start is not None and end is not None and end < start:
        raise CellError(
            "end_time", _text(attempt["end_time"]), f"a time after {attempt['start_time']}", "ends before it starts"
        )
    detail = attempt.get("detail") or []
    try:
        return start, end, sum(len(machine["gpus"]) for machine in detail)
    except (TypeError, KeyError):
        raise CellError("detail", str(detail), "machines with a list of gpus", "the GPUs cannot be counted") from None


def _text(value: Any) -> str:
    return "" if value is None or is_unknown(str(value)) else str(value)


FORMAT = Format(
    slug=SLUG,
    title="Philly job log",
    kind="jobs",
    made_by="msr-fiddle/philly-traces",
    detect=detect_philly_json,
    read=read_philly_json,
    reads="job, user, virtual cluster, submission, every attempt with start, end and GPUs, status",
    leaves="which machine and which GPU",
    unknowns=(
        "an attempt without an end leaves run time and GPU time unknown; an unknown status leaves the outcome unknown"
    ),
)
