"""Per-job results of a run, theirs from a file and ours from records, in one form."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from simulation.records import Floats, RunRecords

COLUMNS = ("job_id", "submit", "start", "end", "preemptions")
DEADLINE = "deadline"


class UnreadableError(ValueError):
    """A reference file that is not what it should be; names the file, the row and the column."""


@dataclass(frozen=True, slots=True)
class Results:
    """One row a job. Times in s; nan: never started, not ended. `extra`: further columns of the file, as text."""

    id: tuple[str, ...]
    submit_s: Floats
    start_s: Floats  # the first start
    end_s: Floats
    preemptions: Floats  # nan: not said
    deadline_s: Floats  # an instant; nan: none
    extra: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.id)


def read_table(path: Path) -> list[dict[str, str]]:
    """Rows of a CSV file with a header, as text. UnreadableError: no row, or one that is too short or too long."""
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
    except (UnicodeDecodeError, csv.Error) as error:
        raise UnreadableError(f"{path.name}: {error}") from error
    if not rows:
        raise UnreadableError(f"{path.name}: no rows")
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise UnreadableError(f"{path.name}, line {number}: expected as many values as the header has names")
    return rows


def numbers(path: Path, rows: Sequence[dict[str, str]], column: str) -> Floats:
    """One column as float64; an empty value is nan."""
    values = np.empty(len(rows))
    for i, row in enumerate(rows):
        text = row.get(column)
        try:
            if text is None:
                raise ValueError
            values[i] = float(text) if text else np.nan
        except ValueError:
            raise UnreadableError(f"{path.name}, line {i + 2}: {column} is {text!r}, expected a number") from None
    return values


def read_results(path: Path) -> Results:
    """A results file of the reference folder. UnreadableError names what is wrong."""
    rows = read_table(path)
    columns = {name: numbers(path, rows, name) for name in COLUMNS[1:]}
    others = [name for name in rows[0] if name not in COLUMNS]
    return Results(
        tuple(row.get("job_id", "") for row in rows),
        columns["submit"],
        columns["start"],
        columns["end"],
        columns["preemptions"],
        numbers(path, rows, DEADLINE) if DEADLINE in others else np.full(len(rows), np.nan),
        {name: tuple(row[name] for row in rows) for name in others},
    )


def without_outcome(results: Results) -> Results:
    """What a profile is given: jobs and further columns, but no start, no end and no preemption to be led by."""
    unknown = np.full(len(results), np.nan)
    return replace(results, start_s=unknown, end_s=unknown, preemptions=unknown)


def results_of(parts: Sequence[RunRecords]) -> Results:
    """The runs of one case as one table."""
    jobs = [records.jobs for records in parts]
    return Results(
        tuple(name for part in jobs for name in part.id),
        np.concatenate([part.submit_s for part in jobs]),
        np.concatenate([part.first_start_s for part in jobs]),
        np.concatenate([part.end_s for part in jobs]),
        np.concatenate([part.preemptions for part in jobs]).astype(np.float64),
        np.concatenate([part.deadline_s for part in jobs]),
    )
