"""An accepted table to the workload of a scenario; jobs that cannot be replayed are left out and counted by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from simulation.formats.tables import Table
from simulation.scenario import Fate, JobTable, Requests

NEVER_STARTED = "never started: still waiting, or cancelled before"
RUNNING = "still running: its run time is not known"
GPUS_UNKNOWN = "GPU count unknown"
NO_GPU = "uses no GPU"
SHARES = "uses a part of one GPU"
SUBMIT_UNKNOWN = "submission unknown"
SPAN_UNKNOWN = "run time unknown"
NO_SPAN = "run time of 0 s"
ARRIVAL_UNKNOWN = "time of arrival unknown"
REQUEST_FAILED = "failed: what it would have generated is not known"
OTHER_MODEL = "asked another model"
NOT_STATED = "not stated"
FATES: dict[str | None, Fate] = {"failed": "failed", "cancelled": "killed"}
"""Outcomes of a log that are fates of a job. One that met its time limit did what it was given time for."""


@dataclass(frozen=True, slots=True)
class JobRules:
    """What a log leaves open, decided.

    running: a job that still ran at the end of the log counts with its run time so far (a lower bound of its work:
    it held GPUs, and demand without it is too low), or is left out. sharing: a job on a part of a GPU is left out,
    or replayed on a whole one. permits: a job may run on the models that the log states as allowed (any, where it
    states none), or, without such a statement, only on the model that it ran on. tenant: the column that says whose
    a job is.
    """

    running: Literal["lower-bound", "leave-out"] = "lower-bound"
    sharing: Literal["leave-out", "whole-gpu"] = "leave-out"
    permits: Literal["stated", "ran-on"] = "stated"
    tenant: Literal["tenant", "user", "partition"] = "tenant"


@dataclass(frozen=True, slots=True)
class Chosen:
    """Rows of a table that take part, by time; `left_out`: reason -> number of rows."""

    rows: list[int]
    left_out: dict[str, int]


@dataclass(frozen=True, slots=True)
class JobSelection:
    """Jobs to replay. `offset_s`: instant of the table that is 0 in `jobs`; `rows`: theirs in the table.

    `left_out`: reason -> number of jobs. `censored` counts jobs kept with a lower bound of their run time; `widened`
    those that used a part of a GPU and are replayed with a whole one; `fates` how many failed or were killed.
    """

    jobs: JobTable
    rows: list[int]
    offset_s: float
    left_out: dict[str, int]
    censored: int
    widened: int
    fates: dict[Fate, int]

    def completed(self, table: Table) -> list[int]:
        """Rows of the jobs that neither failed nor were killed: those whose completion times are compared."""
        return [at for at in self.rows if table["outcome"][at] not in FATES]


def choose_jobs(table: Table, rules: JobRules | None = None) -> Chosen:
    """The jobs that can be replayed, by submission (the order in the file does not matter); the others by reason."""
    rules = rules or JobRules()
    left_out: Counter[str] = Counter()
    kept: list[int] = []
    for at, row in enumerate(table.rows()):
        reason = _reason_to_leave_out(row, rules)
        if reason is None:
            kept.append(at)
        else:
            left_out[reason] += 1
    kept.sort(key=lambda at: (table["submit_s"][at], table["id"][at]))
    return Chosen(kept, dict(sorted(left_out.items())))


def job_table(
    table: Table,
    rules: JobRules | None = None,
    *,
    models: Mapping[str, str] | None = None,
    called: Callable[[str], str] = str,
) -> JobSelection:
    """The jobs of `table` that can be replayed, their times in seconds since the first one's submission.

    `models`: model as written in the file -> name used by the cluster; others keep the name of the file. `called`:
    what a user of that name is called in the workload; a user whom the file does not name stays "not stated".
    """
    rules = rules or JobRules()
    chosen = choose_jobs(table, rules)
    rows = [table.row(at) for at in chosen.rows]
    offset = rows[0]["submit_s"] if rows else 0.0
    return JobSelection(
        _jobs(rows, offset, rules, models or {}, called),
        chosen.rows,
        offset,
        chosen.left_out,
        censored=sum(1 for row in rows if row["outcome"] == "running"),
        widened=sum(1 for row in rows if row["gpu_share"] is not None),
        fates=dict(sorted(Counter(FATES[row["outcome"]] for row in rows if row["outcome"] in FATES).items())),
    )


def _reason_to_leave_out(row: dict[str, Any], rules: JobRules) -> str | None:
    if row["outcome"] == "waiting" or row["attempts"] == 0:
        return NEVER_STARTED
    if row["gpus"] is None:
        return GPUS_UNKNOWN
    if row["gpus"] == 0:
        return NO_GPU
    if row["gpu_share"] is not None and rules.sharing == "leave-out":
        return SHARES
    if row["outcome"] == "running" and rules.running == "leave-out":
        return RUNNING
    if row["submit_s"] is None:
        return SUBMIT_UNKNOWN
    if row["elapsed_s"] is None:
        return SPAN_UNKNOWN
    return NO_SPAN if row["elapsed_s"] == 0 else None


def _jobs(
    rows: Sequence[dict[str, Any]],
    offset: float,
    rules: JobRules,
    models: Mapping[str, str],
    called: Callable[[str], str],
) -> JobTable:
    permitted = [_permitted(row, rules, models) for row in rows]
    limits = [row["timelimit_s"] for row in rows]
    users = [row["user"] for row in rows]
    name = called if rules.tenant == "user" else str
    tenants = [row[rules.tenant] for row in rows]
    return JobTable(
        id=[row["id"] for row in rows],
        submit_s=[row["submit_s"] - offset for row in rows],
        duration_s=[row["elapsed_s"] for row in rows],
        gpus=[row["gpus"] for row in rows],
        tenant=[name(each) if each else NOT_STATED for each in tenants] if any(tenants) else None,
        user=[called(each) if each else NOT_STATED for each in users] if any(users) else None,
        name=_names(rows),
        gpu_models=permitted if any(permitted) else None,
        estimate_s=limits if any(limit is not None for limit in limits) else None,
        fate=_fates(rows),
    )


def _names(rows: Sequence[dict[str, Any]]) -> list[str] | None:
    """What jobs were called, which tells only where some were called alike; a job without a name is one of its kind."""
    names = [row["name"] or row["id"] for row in rows]
    return names if len(set(names)) < len(names) else None


def _fates(rows: Sequence[dict[str, Any]]) -> list[Fate] | None:
    fates = [FATES.get(row["outcome"], "completed") for row in rows]
    return fates if set(fates) - {"completed"} else None


def _permitted(row: dict[str, Any], rules: JobRules, models: Mapping[str, str]) -> list[str]:
    written = models_bound(row["gpu_models_allowed"], row["gpu_model"], rules)
    return sorted({models.get(model, model) for model in written})


def models_bound(allowed: str | None, ran_on: str | None, rules: JobRules) -> list[str]:
    """Models that a job is bound to, as written; [] where it may run on any."""
    written = allowed or (ran_on if rules.permits == "ran-on" else None)
    return written.split("|") if written else []


@dataclass(frozen=True, slots=True)
class RequestSelection:
    """Requests to replay; `left_out`: reason -> number of requests. `without_length`: no token counts, yet arrived."""

    requests: Requests
    left_out: dict[str, int]
    without_length: int


def request_stream(table: Table, model: str | None = None) -> RequestSelection:
    """The requests of `table` that were answered, by arrival: each is load, whether or not its length is known.

    `model`: only those that asked this one, as written; None: all. Lengths are given only where all are known; a
    column with gaps would have to be filled with guesses.
    """
    meant = [at for at in range(len(table)) if model is None or table["model"][at] == model]
    answered = [at for at in meant if table["outcome"][at] != "failed"]
    known = [at for at in answered if table["arrival_s"][at] is not None]
    known.sort(key=lambda at: (table["arrival_s"][at], table["line"][at]))
    reasons = {
        OTHER_MODEL: len(table) - len(meant),
        REQUEST_FAILED: len(meant) - len(answered),
        ARRIVAL_UNKNOWN: len(answered) - len(known),
    }
    lengths = {
        name: [table[name][at] for at in known]
        for name in ("prompt_tokens", "output_tokens")
        if known and all(table[name][at] is not None for at in known)
    }
    return RequestSelection(
        Requests(times_s=[float(table["arrival_s"][at]) for at in known], **lengths),
        {reason: rows for reason, rows in reasons.items() if rows},
        sum(1 for at in known if table["prompt_tokens"][at] is None or table["output_tokens"][at] is None),
    )
