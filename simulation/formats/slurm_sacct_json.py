"""`sacct --json`: its layout follows a plug-in version, so that the same field is now a number, now an object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.errors import FormatError, shortened
from simulation.formats.format import Format
from simulation.formats.instants import EARLIEST, LATEST, Clock
from simulation.formats.json_source import read_json
from simulation.formats.reading import Reading
from simulation.formats.slurm_attempts import Attempt
from simulation.formats.slurm_job import job_row
from simulation.formats.slurm_log import JobLog, choose_cluster, claimed_gpu_hours
from simulation.formats.source import Source

SLUG, VERSION = "slurm-sacct-json", "1"
KNOWN_LAYOUTS = range(37, 45)
"""v0.0.37 (Slurm 21.08) to v0.0.44 (25.11)."""
UNSET = frozenset({-2, -1, 2**32 - 2, 2**64 - 2})
INFINITE = frozenset({2**32 - 1, 2**64 - 1})
TIMES = {"submit": "submission", "eligible": "eligible", "start": "start", "end": "end"}
UNLIMITED = "UNLIMITED"


def detect_sacct_json(text: str, filename: str) -> tuple[float, str]:
    if text.lstrip().startswith("{") and '"jobs"' in text and re.search(r'"(?:slurm|Slurm|tres|het)"\s*:', text):
        return 0.95, "a JSON object with jobs, as sacct --json prints them"
    return 0.0, ""


def read_sacct_json(source: Source) -> Reading:
    """A row of the counts is one entry of jobs[]; steps stand inside of it and are never added to it."""
    document = read_json(source)
    jobs = _jobs_of(document, source)
    layout = _layout(document)
    log, clock = JobLog(), Clock(UTC)
    misfits: dict[str, int] = {}
    for place, job in enumerate(jobs, start=1):
        log.in_file += 1
        cells: dict[str, str] = {}
        raw = json.dumps(job)
        try:
            cells = _cells(job)
            row, oddities = job_row(cells, place, clock)
        except CellError as error:
            clock.take_oddities()
            misfits[error.column or "jobs[]"] = place
            log.collector.reject(place, error, raw)
            log.gpu_hours["rejected"] += claimed_gpu_hours(cells)
            continue
        log.steps_folded += len(job["steps"]) if isinstance(job.get("steps"), list) else 0
        log.attempts.append(Attempt(cells["jobidraw"], cells["cluster"], row, oddities, raw))
    if misfits and layout not in KNOWN_LAYOUTS:
        raise FormatError(
            source.name,
            column=", ".join(sorted(misfits)),
            value=_name(layout),
            expected=f"a layout from v0.0.{KNOWN_LAYOUTS[0]} to v0.0.{KNOWN_LAYOUTS[-1]}; these fields do not fit",
        )
    choose_cluster(source, log)
    facts = [*source.facts(), *_layout_facts(layout), *_told(document), "Lines are places among the jobs, from 1."]
    return log.reading(source, SLUG, VERSION, facts)


def _jobs_of(document: Any, source: Source) -> list[Any]:
    """jobs[]; FormatError where there is none, with the errors that sacct wrote beside it."""
    if not isinstance(document, dict) or not isinstance(document.get("jobs"), list):
        raise FormatError(source.name, line=1, column="jobs", expected="a JSON object with a list of jobs")
    if not document["jobs"] and document.get("errors"):
        told = "; ".join(_texts(document["errors"]))
        raise FormatError(source.name, column="errors", value=told, expected="jobs; sacct wrote an error instead")
    jobs: list[Any] = document["jobs"]
    return jobs


def _layout(document: dict[str, Any]) -> int | None:
    """The number of the plug-in version, 40 of v0.0.40; None where the file does not say."""
    found = re.search(r"v0\.0\.(\d{1,4})", json.dumps(document.get("meta")))
    return int(found[1]) if found else None


def _name(layout: int | None) -> str:
    return "no version" if layout is None else f"v0.0.{layout}"


def _layout_facts(layout: int | None) -> Iterator[str]:
    if layout in KNOWN_LAYOUTS:
        yield f"Layout {_name(layout)}."
    else:
        yield f"Layout: {_name(layout)}, which is not one that we know; every field that is read fits."


def _told(document: dict[str, Any]) -> Iterator[str]:
    for key in ("errors", "warnings"):
        for text in _texts(document.get(key)):
            yield f"sacct wrote among its {key}: {shortened(text)}."


def _texts(entries: Any) -> list[str]:
    found = entries if isinstance(entries, list) else [entries] if entries else []
    return [str(e.get("description") or e.get("error") or e) if isinstance(e, dict) else str(e) for e in found]


def _cells(job: Any) -> dict[str, str]:
    """The fields that `sacct -P` would print, so that one set of rules holds for both."""
    if not isinstance(job, dict) or not isinstance(job.get("time"), dict):
        raise CellError("time", str(job), "an object with job_id, time, state and tres", "not a job")
    number = _number(job.get("job_id"), "job_id")
    if not number or number == UNLIMITED or number == "0":
        raise CellError("job_id", str(job.get("job_id")), "a job number", "not a job id")
    pending = _object(job, "array").get("task")
    limit = _number(job["time"].get("limit"), "time.limit")
    tres, required = _object(job, "tres"), _object(job, "required")
    return {
        "jobid": f"{number}_[{pending}]" if pending else number,
        "jobidraw": number,
        "cluster": _text(job.get("cluster")),
        "jobname": _text(job.get("name")),
        "user": _text(job.get("user")) or _text(_object(job, "association").get("user")),
        "account": _text(job.get("account")),
        "partition": _text(job.get("partition")),
        "nodelist": _text(job.get("nodes")),
        "state": _state(_object(job, "state").get("current")),
        **{cell: _instant(job["time"].get(field), f"time.{field}") for cell, field in TIMES.items()},
        "elapsedraw": _number(job["time"].get("elapsed"), "time.elapsed"),
        "timelimit" if limit == UNLIMITED else "timelimitraw": limit,
        "alloctres": _tres(tres.get("allocated"), "tres.allocated"),
        "reqtres": _tres(tres.get("requested"), "tres.requested"),
        "reqmem": _memory(required),
        "nnodes": _number(job.get("allocation_nodes"), "allocation_nodes"),
        "ncpus": _number(required.get("CPUs"), "required.CPUs"),
    }


def _object(job: dict[str, Any], column: str) -> dict[str, Any]:
    """An object inside of a job, empty where there is none."""
    found = job.get(column)
    if found is not None and not isinstance(found, dict):
        raise CellError(column, str(found), "an object", "another layout")
    return found or {}


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _number(value: Any, column: str) -> str:
    """A plain number, or one of {set, infinite, number}, whose number means nothing unless it is set; '' unknown."""
    if isinstance(value, dict) and {"set", "number"} <= value.keys():
        if value.get("infinite"):
            return UNLIMITED
        value = value["number"] if value["set"] else None
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CellError(column, str(value), "a number, or an object with set, infinite and number", "another layout")
    if value in INFINITE:
        return UNLIMITED
    return "" if value in UNSET else str(value)


def _instant(value: Any, column: str) -> str:
    """ISO text of seconds since 1970 UTC; 0 stands for not yet."""
    text = _number(value, column)
    if text in ("", "0", UNLIMITED):
        return ""
    seconds = float(text)
    if not EARLIEST <= seconds < LATEST:
        raise CellError(column, text, "seconds since 1970, from 1990 to 2099", "not a time in seconds")
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def _state(current: Any) -> str:
    """The words of a state, that of a requeue first: such a row is an attempt, not an end."""
    words = current if isinstance(current, list) else [current]
    if not words or not all(isinstance(word, str) for word in words):
        raise CellError("state.current", str(current), "a state, or a list of states", "another layout")
    return " ".join(sorted(words, key=lambda word: not word.startswith("REQUEUE")))


def _tres(entries: Any, column: str) -> str:
    """A TRES list as text; memory is in MiB."""
    if entries is None:
        return ""
    if not isinstance(entries, list) or not all(isinstance(e, dict) and "type" in e and "count" in e for e in entries):
        raise CellError(column, str(entries), "a list of {type, name, count}", "another layout")
    parts = []
    for entry in entries:
        name = f"{entry['type']}/{entry['name']}" if entry.get("name") else str(entry["type"])
        count = _number(entry["count"], column)
        if count and count != UNLIMITED:
            parts.append(f"{name}={count}M" if name == "mem" else f"{name}={count}")
    return ",".join(parts)


def _memory(required: dict[str, Any]) -> str:
    """ReqMem as `sacct -P` writes it: MiB, `c` for each CPU, `n` for each node."""
    for field, per in (("memory_per_cpu", "c"), ("memory_per_node", "n"), ("memory", "n")):
        amount = _number(required.get(field), f"required.{field}")
        if amount not in ("", "0", UNLIMITED):
            return f"{amount}M{per}"
    return ""


FORMAT = Format(
    slug=SLUG,
    title="Slurm job accounting, JSON",
    kind="jobs",
    made_by="sacct --json -a -S ... > jobs.json",
    detect=detect_sacct_json,
    read=read_sacct_json,
    reads=(
        "the same as of sacct -P, from layouts v0.0.37 to v0.0.44: plain numbers and number sets, states as text and "
        "as lists"
    ),
    leaves="steps (counted, never added to their job), comments, working directories and all other fields",
    unknowns=(
        "a number that is not set, 0 as a time: unknown; a limit that is infinite: none; another layout is refused "
        "with the fields that do not fit"
    ),
)
