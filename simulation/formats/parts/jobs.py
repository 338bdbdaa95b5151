"""Jobs of a log -> a workload. What the log leaves open is asked, where jobs hang on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal, cast

from simulation.formats.interview import Interview
from simulation.formats.measured import measured_waits
from simulation.formats.parts.models import meant
from simulation.formats.parts.part import Part, ask_origin, counted
from simulation.formats.reading import Question, Reading
from simulation.formats.tables import Table
from simulation.formats.workload import JobRules, JobSelection, choose_jobs, job_table, models_bound
from simulation.scenario import Workload

DATED_FROM_S = 1e8
"""Submit times above this are seconds since 1970 (it is in 1973); below, seconds since the trace began."""
WIDEST = JobRules(running="lower-bound", sharing="whole-gpu")


def part(reading: Reading, interview: Interview, called: Callable[[str], str] = str) -> Part:
    """The workload of a log. `called`: what a user of that name is called in it."""
    table, origin = reading.table, ask_origin(interview, reading)
    rules = ask_rules(interview, table)
    chosen = choose_jobs(table, rules)
    bound = {
        name
        for at in chosen.rows
        for name in models_bound(table["gpu_models_allowed"][at], table["gpu_model"][at], rules)
    }
    models = meant(interview, bound)
    if models is None or not reading.ready or not chosen.rows:
        return Part(origin, chosen.left_out)
    made = job_table(table, rules, models={name: one.model for name, one in models.items()}, called=called)
    return Part(
        origin,
        made.left_out,
        said=_said(table, made),
        workload=Workload(jobs=made.jobs),
        origins={"workload": origin},
        facts=_facts(table, made),
        amount=counted(len(made.jobs), "job"),
    )


def ask_rules(interview: Interview, table: Table) -> JobRules:
    """Rules for the jobs that the log leaves open; a question is asked only where jobs hang on it."""
    usable = choose_jobs(table, WIDEST).rows
    running = sum(1 for at in usable if table["outcome"][at] == "running")
    sharing = sum(1 for at in usable if table["gpu_share"][at] is not None)
    return JobRules(
        running=_ask_running(interview, running) if running else "lower-bound",
        sharing=_ask_sharing(interview, sharing) if sharing else "leave-out",
        permits=_ask_permits(interview, table, usable),
    )


def _ask_running(interview: Interview, jobs: int) -> Literal["lower-bound", "leave-out"]:
    answer = interview.ask(
        Question(
            "running",
            f"{counted(jobs, 'job')} still ran at the end of the log. How do they count?",
            "choice",
            (("lower-bound", "with their run time so far, a lower bound"), ("leave-out", "leave them out")),
            "lower-bound",
            "they held GPUs, so demand is too low without them; how long they will run nobody knows",
        )
    )
    return cast(Literal["lower-bound", "leave-out"], answer)


def _ask_sharing(interview: Interview, jobs: int) -> Literal["leave-out", "whole-gpu"]:
    answer = interview.ask(
        Question(
            "sharing",
            f"{counted(jobs, 'job')} used a part of one GPU. How do they count?",
            "choice",
            (("leave-out", "leave them out"), ("whole-gpu", "give each a whole GPU")),
            "leave-out",
            "GPUs are not shared in a simulation: without them demand is too low, on whole GPUs it is too high",
        )
    )
    return cast(Literal["leave-out", "whole-gpu"], answer)


def _ask_permits(interview: Interview, table: Table, usable: list[int]) -> Literal["stated", "ran-on"]:
    """Asked where the log binds no job to a model, and jobs ran on several."""
    ran_on = sorted({table["gpu_model"][at] for at in usable if table["gpu_model"][at]})
    if len(ran_on) < 2 or any(table["gpu_models_allowed"][at] for at in usable):
        return "stated"
    answer = interview.ask(
        Question(
            "bound",
            f"Jobs ran on {', '.join(ran_on)}: on which may each run?",
            "choice",
            (("any", "on any model"), ("own", "only on the model it ran on")),
            "any",
            "a log says where a job ran, not where it could have run",
        )
    )
    return "ran-on" if answer == "own" else "stated"


def _said(table: Table, made: JobSelection) -> tuple[str, ...]:
    cut = sum(1 for at in made.rows if table["outcome"][at] == "timeout")
    sentences = (
        (made.censored, "Still running at the end of the log: {}. Their run time so far counts, a lower bound."),
        (cut, "Cut off at their time limit: {}. Their work is at least what they ran."),
        (made.widened, "Ran on a part of a GPU: {}. Each is given a whole one."),
        (
            sum(made.fates.values()),
            "Failed or were killed in the end: {}. They hold GPUs as long as in the log; mean completion times are "
            "those of the others.",
        ),
    )
    return tuple(sentence.format(f"{jobs:,}") for jobs, sentence in sentences if jobs)


def _facts(table: Table, made: JobSelection) -> dict[str, Any]:
    measured = measured_waits(table, made.rows)
    dated = made.offset_s >= DATED_FROM_S
    return {
        "starts_at": datetime.fromtimestamp(made.offset_s, UTC).isoformat() if dated else None,
        "waits": measured.wait.document(),
        "completions": measured_waits(table, made.completed(table)).jct.document(),
        "unknown_waits": measured.unknown_waits,
        "left_out": made.left_out,
        "running": made.censored,
        "widened": made.widened,
    }
