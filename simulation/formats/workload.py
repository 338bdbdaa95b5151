"""An accepted table to the workload of a scenario; jobs that cannot be replayed are left out and counted by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from simulation.formats.tables import Table
from simulation.scenario import JobTable, Requests

NEVER_STARTED = "never started: still waiting, or cancelled before"
RUNNING = "still running: its run time is not known"
GPUS_UNKNOWN = "GPU count unknown"
NO_GPU = "uses no GPU"
SHARES = "uses a part of one GPU"
SUBMIT_UNKNOWN = "submission unknown"
SPAN_UNKNOWN = "run time unknown"
NO_SPAN = "run time of 0 s"


@dataclass(frozen=True, slots=True)
class JobSelection:
    """Jobs to replay. `offset_s`: instant of the table that is 0 in `jobs`; `left_out`: reason -> number of jobs.

    `censored` counts jobs kept with a lower bound of their run time; `widened` those that used a part of a GPU and
    are replayed with a whole one.
    """

    jobs: JobTable
    offset_s: float
    left_out: dict[str, int]
    censored: int
    widened: int


def job_table(
    table: Table,
    *,
    models: Mapping[str, str] | None = None,
    running: Literal["leave-out", "lower-bound"] = "leave-out",
    sharing: Literal["leave-out", "whole-gpu"] = "leave-out",
    tenant: Literal["tenant", "user", "partition"] = "tenant",
) -> JobSelection:
    """The jobs of `table` that can be replayed, by submission, their times counted from the first one's.

    `models`: model as written in the file -> name used by the cluster; others keep the name of the file. `tenant`:
    the column that says whose a job is. The order of rows in the file does not matter.
    """
    left_out: Counter[str] = Counter()
    kept: list[dict[str, Any]] = []
    for row in table.rows():
        reason = _reason_to_leave_out(row, running == "lower-bound", sharing == "whole-gpu")
        if reason is None:
            kept.append(row)
        else:
            left_out[reason] += 1
    kept.sort(key=lambda row: (row["submit_s"], row["id"]))
    offset = kept[0]["submit_s"] if kept else 0.0
    return JobSelection(
        _jobs(kept, offset, tenant, models or {}),
        offset,
        dict(sorted(left_out.items())),
        censored=sum(1 for row in kept if row["outcome"] == "running"),
        widened=sum(1 for row in kept if row["gpu_share"] is not None),
    )


def _reason_to_leave_out(row: dict[str, Any], keep_running: bool, keep_sharing: bool) -> str | None:
    if row["outcome"] == "waiting" or row["attempts"] == 0:
        return NEVER_STARTED
    if row["gpus"] is None:
        return GPUS_UNKNOWN
    if row["gpus"] == 0:
        return NO_GPU
    if row["gpu_share"] is not None and not keep_sharing:
        return SHARES
    if row["outcome"] == "running" and not keep_running:
        return RUNNING
    if row["submit_s"] is None:
        return SUBMIT_UNKNOWN
    if row["elapsed_s"] is None:
        return SPAN_UNKNOWN
    return NO_SPAN if row["elapsed_s"] == 0 else None


def _jobs(rows: list[dict[str, Any]], offset: float, tenant: str, models: Mapping[str, str]) -> JobTable:
    allowed = [row["gpu_models_allowed"] for row in rows]
    limits = [row["timelimit_s"] for row in rows]
    users = [row["user"] for row in rows]
    tenants = [row[tenant] for row in rows]
    return JobTable(
        id=[row["id"] for row in rows],
        submit_s=[row["submit_s"] - offset for row in rows],
        duration_s=[row["elapsed_s"] for row in rows],
        gpus=[row["gpus"] for row in rows],
        tenant=[name or "not stated" for name in tenants] if any(tenants) else None,
        user=[name or "not stated" for name in users] if any(users) else None,
        gpu_models=[_named(each, models) for each in allowed] if any(allowed) else None,
        estimate_s=limits if any(limit is not None for limit in limits) else None,
    )


def _named(allowed: str | None, models: Mapping[str, str]) -> list[str]:
    return [models.get(model, model) for model in allowed.split("|")] if allowed else []


@dataclass(frozen=True, slots=True)
class RequestSelection:
    """Requests to replay; `left_out`: reason -> number of requests."""

    requests: Requests
    left_out: dict[str, int]


def request_stream(table: Table) -> RequestSelection:
    """The requests of `table` by arrival. Lengths are given only where each request has both."""
    order = sorted(range(len(table)), key=lambda i: (table["arrival_s"][i], table["line"][i]))
    known = [i for i in order if table["prompt_tokens"][i] is not None and table["output_tokens"][i] is not None]
    lengths = bool(known)
    chosen = known if lengths else order
    left_out = {"token counts unknown": len(order) - len(chosen)} if len(order) > len(chosen) else {}
    return RequestSelection(
        Requests(
            times_s=[table["arrival_s"][i] for i in chosen],
            prompt_tokens=[table["prompt_tokens"][i] for i in chosen] if lengths else None,
            output_tokens=[table["output_tokens"][i] for i in chosen] if lengths else None,
        ),
        left_out,
    )
