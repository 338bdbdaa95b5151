"""A job that ran once, from the three instants that a trace states: submission, start, end."""

from __future__ import annotations

from typing import Any

from simulation.formats.collector import CellError

TOLERANCE_S = 1.0
"""Logs write whole seconds: sums of rounded instants may differ by this much."""


def one_attempt(
    submit: float | None, start: float | None, end: float | None, outcome: str | None, devices: float | None
) -> tuple[dict[str, Any], list[CellError]]:
    """Columns of the jobs table that follow from instants (s), outcome and GPUs held (shares counted).

    CellError where the job ends before it starts; a start before the submission is kept, and told.
    """
    oddities = []
    if start is not None and end is not None and end < start:
        raise CellError("end_time", f"{end:.15g}", f"{start:.15g} or later", "ends before it starts")
    if submit is not None and start is not None and start < submit:
        oddities.append(CellError("start_time", f"{start:.15g}", f"{submit:.15g} or later", "the wait is not known"))
    elapsed = None if start is None or end is None else end - start
    fields = {
        "submit_s": submit,
        "start_s": start,
        "end_s": None if start is None or outcome == "running" else end,
        "elapsed_s": elapsed,
        "gpu_s": None if elapsed is None or devices is None else elapsed * devices,
        "attempts": 0 if start is None else 1,
        "attempts_s": () if elapsed is None else (elapsed,),
        "outcome": outcome,
    }
    return fields, oddities


def differs(column: str, text: str, claimed: float | None, ours: float | None, words: str) -> list[CellError]:
    """An oddity where the file's own figure is not what its instants give; the instants count."""
    if claimed is None or ours is None or abs(claimed - ours) <= TOLERANCE_S:
        return []
    return [CellError(column, text, f"{ours:g}, {words}", f"{column} in the file is another, and was not used")]
