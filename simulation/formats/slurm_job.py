"""One line of `sacct` to one row of the jobs table."""

from __future__ import annotations

import re
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.instants import Clock
from simulation.formats.quantities import checked_span, clock_span, count, is_unknown, number
from simulation.formats.slurm_resources import Devices, Tres, parse_gres, parse_tres, requested_memory

OUTCOMES = {
    "COMPLETED": "finished",
    "FAILED": "failed",
    "OUT_OF_MEMORY": "failed",
    "NODE_FAIL": "failed",
    "BOOT_FAIL": "failed",
    "LAUNCH_FAILED": "failed",
    "RECONFIG_FAIL": "failed",
    "SPECIAL_EXIT": "failed",
    "CANCELLED": "cancelled",
    "REVOKED": "cancelled",
    "PREEMPTED": "cancelled",
    "TIMEOUT": "timeout",
    "DEADLINE": "timeout",
    "RUNNING": "running",
    "SUSPENDED": "running",
    "STOPPED": "running",
    "COMPLETING": "running",
    "CONFIGURING": "running",
    "RESIZING": "running",
    "SIGNALING": "running",
    "STAGE_OUT": "running",
    "PENDING": "waiting",
    "REQUEUED": "waiting",
    "REQUEUE_HOLD": "waiting",
    "REQUEUE_FED": "waiting",
    "RESV_DEL_HOLD": "waiting",
}
CLOCK_TOLERANCE_S = 1.0


def job_row(cells: dict[str, str], line: int, clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    """(row, oddities) of one job line; CellError where the row is impossible."""
    oddities: list[CellError] = []
    outcome = _outcome(cells.get("state", ""), oddities)
    elapsed = elapsed_of(cells)
    times = _times(cells, clock, elapsed, oddities)
    never_started = _never_started(cells, outcome, elapsed)
    if never_started:
        times["start_s"] = times["end_s"] = None
    elif elapsed is None and times["start_s"] is not None and times["end_s"] is not None:
        elapsed = times["end_s"] - times["start_s"]
    _check_order(cells, times, elapsed, outcome, oddities)
    devices, tres, model, allowed = _resources(cells, never_started, oddities)
    cpus = tres.cpus if tres.cpus is not None else number(_first(cells, "alloccpus", "ncpus", "reqcpus"), "NCPUS")
    nodes = tres.nodes if tres.nodes is not None else count(_first(cells, "nnodes", "allocnodes", "reqnodes"), "NNodes")
    memory = tres.memory_bytes
    if memory is None:
        memory = requested_memory(cells.get("reqmem", ""), "ReqMem", cpus, nodes)
    if pending := _pending_tasks(cells.get("jobid", "")):
        oddities.append(CellError("JobID", cells["jobid"], "one job a row", f"stands for {pending} waiting tasks"))
    started = not never_started
    row = {
        "id": cells.get("jobid") or cells["jobidraw"],
        "name": cells.get("jobname") or None,
        "user": cells.get("user") or cells.get("uid") or None,
        "tenant": cells.get("account") or None,
        "partition": cells.get("partition") or None,
        **times,
        "elapsed_s": elapsed if started else None,
        "gpus": devices.whole,
        "gpu_s": _gpu_seconds(devices.whole, elapsed) if started else None if devices.whole is None else 0.0,
        "gpu_model": model,
        "gpu_models_allowed": allowed,
        "nodes": nodes,
        "cpus": cpus,
        "memory_bytes": memory,
        "timelimit_s": _timelimit(cells, oddities),
        "state": cells.get("state") or None,
        "outcome": outcome,
        "attempts": 1 if started else 0,
        "attempts_s": (elapsed,) if started and elapsed is not None else (),
        "line": line,
    }
    return row, oddities


def _first(cells: dict[str, str], *fields: str) -> str:
    """The first field that says something and is not 0 (Slurm writes 0 before anything is allocated)."""
    return next((cells[f] for f in fields if not is_unknown(cells.get(f, "")) and cells[f] != "0"), "")


def _gpu_seconds(gpus: int | None, elapsed: float | None) -> float | None:
    return None if gpus is None or elapsed is None else gpus * elapsed


def _outcome(state: str, oddities: list[CellError]) -> str | None:
    """The outcome of a state; a state cut off with + counts where all states that begin so agree."""
    word = state.split(" ", 1)[0].upper()
    if word in OUTCOMES:
        return OUTCOMES[word]
    stem = word.rstrip("+")
    fitting = {outcome for name, outcome in OUTCOMES.items() if name.startswith(stem)} if word.endswith("+") else set()
    if len(fitting) == 1:
        return fitting.pop()
    oddities.append(CellError("State", state, "a state of Slurm", "the outcome is not known"))
    return None


def elapsed_of(cells: dict[str, str]) -> float | None:
    """Seconds of ElapsedRaw, else of Elapsed."""
    raw = cells.get("elapsedraw", "")
    if not is_unknown(raw):
        return checked_span(number(raw, "ElapsedRaw") or 0.0, raw, "ElapsedRaw")
    text = cells.get("elapsed", "")
    return None if text.strip().upper() == "INVALID" else clock_span(text, "Elapsed")


def _times(
    cells: dict[str, str], clock: Clock, elapsed: float | None, oddities: list[CellError]
) -> dict[str, float | None]:
    """Submit, eligible, start, end. In an hour that occurs twice the run time tells which of the two an end was."""
    times = {f"{field}_s": clock.read(cells.get(field, ""), field.capitalize()) for field in FIELDS}
    told = clock.take_oddities()
    start, end = times["start_s"], times["end_s"]
    if told and elapsed is not None and start is not None and end is not None:
        clock.fold = 1
        later = clock.read(cells["end"], "End")
        clock.fold = 0
        again = clock.take_oddities()
        if (
            again
            and later is not None
            and abs(end - start - elapsed) > CLOCK_TOLERANCE_S >= abs(later - start - elapsed)
        ):
            times["end_s"] = later
            told = [oddity for oddity in told if oddity.column != "End"]
    oddities.extend(told)
    return times


FIELDS = ("submit", "eligible", "start", "end")


def _never_started(cells: dict[str, str], outcome: str | None, elapsed: float | None) -> bool:
    """Waiting, or cancelled while waiting: no run time then, no node, and start and end equal or the start unknown."""
    if outcome == "waiting":
        return not elapsed  # a requeued attempt did run
    nodes = cells.get("nodelist", "x").strip().lower()
    no_start = "start" in cells and is_unknown(cells["start"])
    return outcome == "cancelled" and not elapsed and (no_start or nodes in {"none assigned", "", "none"})


def _check_order(
    cells: dict[str, str],
    times: dict[str, float | None],
    elapsed: float | None,
    outcome: str | None,
    oddities: list[CellError],
) -> None:
    submit, start, end = times["submit_s"], times["start_s"], times["end_s"]
    if start is not None and end is not None:
        if end < start:
            raise CellError("End", cells["end"], f"a time after Start {cells['start']}", "ends before it starts")
        if elapsed is not None and abs(end - start - elapsed) > CLOCK_TOLERANCE_S:
            oddities.append(
                CellError("Elapsed", str(elapsed), f"{end - start:.0f} s, End - Start", "Elapsed was taken as it is")
            )
    if submit is not None and start is not None and start < submit:
        oddities.append(
            CellError("Start", cells["start"], f"a time after Submit {cells['submit']}", "the wait is not known")
        )
    if end is None and outcome in {"finished", "failed", "cancelled", "timeout"} and start is not None:
        oddities.append(CellError("End", cells.get("end", ""), "a time, as the job is over", "the end is not known"))
    if outcome == "running" and end is not None:
        oddities.append(CellError("End", cells["end"], "Unknown, as the job is running", "the end is not believed"))
        times["end_s"] = None


def devices_of(cells: dict[str, str]) -> tuple[Devices, bool]:
    """(GPUs of a row, whether they are only requested): allocated first; per-node GRES of old versions last."""
    allocated = parse_tres(cells.get("alloctres", ""), "AllocTRES").devices
    if allocated.whole is not None or allocated.slices:
        return allocated, False
    requested = parse_tres(cells.get("reqtres", ""), "ReqTRES").devices
    if requested.whole is not None or requested.slices:
        return requested, True
    for field, asked in (("allocgres", False), ("reqgres", True)):
        per_node = parse_gres(cells.get(field, ""), field)
        nodes = count(_first(cells, "nnodes", "allocnodes", "reqnodes"), "NNodes")
        if per_node.whole is not None and nodes is not None:
            return Devices(per_node.whole * nodes, per_node.models, per_node.slices), asked
    return Devices(None), False


def _resources(
    cells: dict[str, str], never_started: bool, oddities: list[CellError]
) -> tuple[Devices, Tres, str | None, str | None]:
    devices, only_requested = devices_of(cells)
    allocated = parse_tres(cells.get("alloctres", ""), "AllocTRES")
    requested = parse_tres(cells.get("reqtres", ""), "ReqTRES")
    tres = requested if is_unknown(cells.get("alloctres", "")) else allocated
    if devices.whole is None and not devices.slices:
        oddities.append(
            CellError(
                "AllocTRES", cells.get("alloctres", ""), "an amount such as gres/gpu=8", "GPU count unknown, not 0"
            )
        )
    elif only_requested and not never_started:
        oddities.append(
            CellError("AllocTRES", "", "an amount such as gres/gpu=8", "only the request is known; it was taken")
        )
    if devices.slices and not devices.whole:
        oddities.append(
            CellError("AllocTRES", " ".join(devices.slices), "whole GPUs", "runs on slices of GPUs; whole GPUs unknown")
        )
        devices = Devices(None, devices.models, devices.slices)
    return devices, tres, None if only_requested else devices.model, requested.devices.model


def _timelimit(cells: dict[str, str], oddities: list[CellError]) -> float | None:
    raw = cells.get("timelimitraw", "")
    if not is_unknown(raw) and raw.strip().isdecimal():
        return checked_span((number(raw, "TimelimitRaw") or 0.0) * 60.0, raw, "TimelimitRaw")
    text = cells.get("timelimit", "")
    if text.strip().upper() == "INVALID":
        oddities.append(CellError("Timelimit", text, "a span such as 1-00:00:00", "the limit is not known"))
        return None
    return clock_span(text, "Timelimit")


def _pending_tasks(job_id: str) -> int:
    """How many array tasks `123_[5-9%2]` stands for; 0 for any other id."""
    if "_[" not in job_id:
        return 0
    ranges = job_id.split("_[", 1)[1].rstrip("]").split("%")[0]
    tasks = 0
    for part in ranges.split(","):
        first, _, rest = part.partition("-")
        last, _, step = rest.partition(":")
        if not all(re.fullmatch(r"[0-9]{1,9}", each) for each in (first, last or first, step or "1")):
            return tasks + 1
        tasks += max(1, (int(last or first) - int(first)) // max(1, int(step or 1)) + 1)
    return tasks
