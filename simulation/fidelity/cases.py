"""The table of cases. Heavy parts are imported when a case is run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from simulation.fidelity.rows import Row


def _worked_example(reference: Path | None) -> list[Row]:
    from simulation.fidelity.worked_example_rows import rows

    return rows()


CASES: dict[str, Callable[[Path | None], list[Row]]] = {"worked-example": _worked_example}


def run_cases(names: Sequence[str], reference: Path | None = None) -> list[Row]:
    """Rows of the named cases (none: all); `reference` is the folder of reference runs. KeyError: no such case."""
    return [row for name in names or CASES for row in CASES[name](reference)]
