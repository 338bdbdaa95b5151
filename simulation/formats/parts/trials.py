"""Trials of a search -> a workload: a trial is a job that came when it started, pruned and failed ones too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from simulation.formats.interview import Interview
from simulation.formats.parts import jobs
from simulation.formats.parts.part import Part
from simulation.formats.reading import Reading
from simulation.formats.tables import Table

OUTCOMES = {"pruned": "cancelled"}
SAID = (
    "A trial counts as submitted when it started: how long it waited before is not in the file.",
    "Trials run again as they ran: no search decides on them, so none is pruned earlier or later.",
)


def part(reading: Reading, interview: Interview, called: Callable[[str], str] = str) -> Part:
    """The workload of an export of trials. `called`: what a user of that name is called in it."""
    rows = [_job(row) for row in reading.table.rows()]
    made = jobs.part(replace(reading, kind="jobs", table=Table.from_rows("jobs", rows)), interview, called)
    return replace(made, said=(*SAID, *made.said))


def _job(trial: dict[str, Any]) -> dict[str, Any]:
    """Start and end stay open, so that nobody takes the wait for a measured 0."""
    ran = trial["outcome"] != "waiting"
    return {
        "id": trial["id"],
        "name": trial["name"],
        "user": trial["user"],
        "submit_s": trial["start_s"],
        "elapsed_s": trial["elapsed_s"],
        "gpus": trial["gpus"],
        "gpu_s": trial["gpu_s"],
        "state": trial["state"],
        "outcome": OUTCOMES.get(trial["outcome"], trial["outcome"]),
        "attempts": 1 if ran else 0,
        "attempts_s": () if trial["elapsed_s"] is None else (trial["elapsed_s"],),
        "line": trial["line"],
    }
