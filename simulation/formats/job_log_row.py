"""What the job logs of Helios and Acme have in common: nine columns of one job, as a row of the jobs table."""

from __future__ import annotations

from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.instants import Clock
from simulation.formats.one_attempt import one_attempt
from simulation.formats.quantities import count, device_count, number

COMMON = ("job_id", "user", "gpu_num", "cpu_num", "node_num", "state", "submit_time", "start_time", "end_time")
OUTCOMES = {
    "COMPLETED": "finished",
    "CANCELLED": "cancelled",
    "FAILED": "failed",
    "TIMEOUT": "timeout",
    "NODE_FAIL": "failed",
    "RUNNING": "running",
    "PENDING": "waiting",
}


def job_log_row(cells: dict[str, str], line: int, clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    """Row (s, counts) of the `COMMON` cells of a line, and what is odd about it; CellError where it cannot be a job."""
    clock.take_oddities()
    if not cells["job_id"]:
        raise CellError("job_id", "", "an id", "a job without an id")
    gpus = device_count(cells["gpu_num"], "gpu_num")
    submit, start, end = (clock.read(cells[name], name) for name in ("submit_time", "start_time", "end_time"))
    outcome = OUTCOMES.get(cells["state"])
    fields, oddities = one_attempt(submit, start, end, outcome, gpus)
    oddities += clock.take_oddities()
    if outcome is None:
        oddities.append(CellError("state", cells["state"], ", ".join(OUTCOMES), "the outcome is not known"))
    if gpus is None:
        oddities.append(CellError("gpu_num", cells["gpu_num"], "a number of GPUs", "GPU count unknown, not 0"))
    row = {
        **fields,
        "id": cells["job_id"],
        "user": cells["user"] or None,
        "gpus": gpus,
        "nodes": count(cells["node_num"], "node_num"),
        "cpus": number(cells["cpu_num"], "cpu_num"),
        "state": cells["state"] or None,
        "line": line,
    }
    return row, oddities
