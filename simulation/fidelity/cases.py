"""All cases by name: the built-in one, and those that lie in the reference folder. Heavy parts are imported on use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from simulation.fidelity.rows import Row


def _worked_example() -> list[Row]:
    from simulation.fidelity.worked_example_rows import rows

    return rows()


BUILT_IN: dict[str, Callable[[], list[Row]]] = {"worked-example": _worked_example}


def names_of(reference: Path | None) -> list[str]:
    """Names of all cases, the built-in ones first."""
    return list(_runs(reference))


def run_cases(names: Sequence[str], reference: Path | None = None) -> Iterator[list[Row]]:
    """The rows of each named case in turn (none: of all). A name may be a folder: "PEER" or "PEER/RUN".

    reference: the folder of reference runs; None: the built-in cases alone. KeyError, with the name: no such case.
    """
    runs = _runs(reference)
    for name in names:
        if not any(_belongs(case, name) for case in runs):
            raise KeyError(name)
    wanted = [case for case in runs if not names or any(_belongs(case, name) for name in names)]
    return (runs[case]() for case in wanted)


def _belongs(case: str, name: str) -> bool:
    return case == name or case.startswith(name.rstrip("/") + "/")


def _runs(reference: Path | None) -> dict[str, Callable[[], list[Row]]]:
    runs = dict(BUILT_IN)
    if reference is not None:
        from functools import partial

        from simulation.fidelity.discovery import discover, recorded_only
        from simulation.fidelity.emulation import rows_of
        from simulation.fidelity.peers import CURVES
        from simulation.fidelity.recorded import rows_on_record

        runs.update({case.name: partial(rows_of, case) for case in discover(reference)})
        for cases_of in CURVES:
            runs.update(cases_of(reference))
        runs.update({record.name: partial(rows_on_record, record) for record in recorded_only(reference)})
    return runs
