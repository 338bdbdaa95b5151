"""What deciding costs, as experiments compare it: pure functions of the records of a run."""

from __future__ import annotations

from simulation.metrics.measures import Measure
from simulation.records import RunRecords


def _solve_s(records: RunRecords) -> float:
    return records.decisions.get("solve_us", 0) / 1e6


SOLVE_TIME = Measure("modelled time to solve allocation programs, parts at once", "s", _solve_s)
