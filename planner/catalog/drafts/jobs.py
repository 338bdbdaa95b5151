"""Jobs of a log -> a workload. Rows that cannot be simulated are counted with their reason, never dropped silently."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from planner.catalog import profile
from planner.catalog.drafts.draft import Context, Draft, ask_origin, count
from planner.catalog.drafts.models import Meant, meant
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.reading import Question, Reading
from simulation.formats.tables import Table
from simulation.scenario import JobTable, Workload

DATED_FROM_S = 1e8
"""Submit times above this are seconds since 1970 (it is in 1973); below, seconds since the trace began."""
UNNAMED = "not named"


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.WORKLOAD, ask_origin(interview, "jobs"))
    table = reading.table
    hidden = _ask_names(interview, table)
    models = _permitted(interview, table)
    rows = list(_usable(table, made.left_out))
    made.said = _said(table, rows)
    if models is None or hidden is None or not reading.ready or not rows:
        return made
    rows.sort(key=lambda row: (table["submit_s"][row], table["id"][row]))
    begin = table["submit_s"][rows[0]]
    made.workload = Workload(jobs=_job_table(table, rows, begin, models, hidden, context))
    made.facts = _facts(table, rows, begin, made.left_out)
    made.amount = f"{len(rows):,} job{'s' if len(rows) != 1 else ''}"
    return made


def _usable(table: Table, left_out: dict[str, int]) -> Iterator[int]:
    for row in range(len(table)):
        reason = _unfit(table, row)
        if reason:
            count(left_out, reason)
        else:
            yield row


def _unfit(table: Table, row: int) -> str:
    """Why a row of the table cannot be simulated, "" where it can. Unknown is not zero."""
    gpus = table["gpus"][row]
    if table["gpu_share"][row] is not None:
        return "uses part of a GPU"
    if gpus is None:
        return "number of GPUs unknown"
    if gpus == 0:
        return "no GPU was allocated"
    if table["submit_s"][row] is None:
        return "time of submission unknown"
    if table["elapsed_s"][row] is None:
        return "never started" if table["outcome"][row] == "waiting" else "run time unknown"
    return ""


def _ask_names(interview: Interview, table: Table) -> bool | None:
    """Whether users become pseudonyms; False without asking where the file names none."""
    if not any(table["user"]):
        return False
    answer = interview.ask(
        Question(
            "names",
            "User names in the workload",
            "choice",
            (("pseudonyms", "stable pseudonyms"), ("keep", "as written")),
            "pseudonyms",
            "the same person gets the same pseudonym in every file of this workspace",
        )
    )
    return answer == "pseudonyms"


def _permitted(interview: Interview, table: Table) -> dict[str, Meant] | None:
    """Models that jobs are bound to, as written -> meant; None while a question is open."""
    bound = {name for cell in table["gpu_models_allowed"] if cell for name in cell.split("|")}
    ran_on = {name for name in table["gpu_model"] if name}
    if not bound and len(ran_on) > 1:
        answer = interview.ask(
            Question(
                "bound",
                f"Jobs ran on {', '.join(sorted(ran_on))}: on which may each run?",
                "choice",
                (("any", "on any model"), ("own", "only on the model it ran on")),
                "any",
                "a log says where a job ran, not where it could have run",
            )
        )
        bound = ran_on if answer == "own" else set()
    return meant(interview, bound)


def _job_table(
    table: Table, rows: list[int], begin: float, models: dict[str, Meant], hidden: bool, context: Context
) -> JobTable:
    def column(name: str) -> list[Any]:
        return [table[name][row] for row in rows]

    users = [user or UNNAMED for user in column("user")]
    limits = column("timelimit_s")
    return JobTable(
        id=column("id"),
        submit_s=[float(at - begin) for at in column("submit_s")],
        duration_s=[float(seconds) for seconds in column("elapsed_s")],
        gpus=column("gpus"),
        tenant=[tenant or UNNAMED for tenant in column("tenant")] if any(table["tenant"]) else None,
        user=([context.pseudonym(u) for u in users] if hidden else users) if any(table["user"]) else None,
        gpu_models=[_models_of(table, row, models) for row in rows] if models else None,
        estimate_s=[None if s is None else float(s) for s in limits] if any(limits) else None,
    )


def _models_of(table: Table, row: int, models: dict[str, Meant]) -> list[str]:
    written = table["gpu_models_allowed"][row] or table["gpu_model"][row]
    return sorted({models[name].model for name in written.split("|") if name in models}) if written else []


def _said(table: Table, rows: list[int]) -> list[str]:
    running = sum(1 for row in rows if table["outcome"][row] == "running")
    cut = sum(1 for row in rows if table["outcome"][row] == "timeout")
    said = []
    if running:
        said.append(f"Still running at the end of the log: {running}. Their run time so far counts, a lower bound.")
    if cut:
        said.append(f"Cut off at their time limit: {cut}. Their work is at least what they ran.")
    return said


def _facts(table: Table, rows: list[int], begin: float, left_out: dict[str, int]) -> dict[str, Any]:
    starts = ((table["start_s"][row], table["submit_s"][row]) for row in rows)
    waits = [float(start - submit) for start, submit in starts if start is not None and start >= submit]
    dated = begin >= DATED_FROM_S
    return {
        "starts_at": datetime.fromtimestamp(begin, UTC).isoformat() if dated else None,
        "waits": profile.spread(waits),
        "left_out": left_out,
        "running": sum(1 for row in rows if table["outcome"][row] == "running"),
    }
