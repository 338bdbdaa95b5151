"""The engine held against other simulators: the rows of a kept snapshot, case by case and peer by peer."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any, Literal

from planner.evidence.fidelity_peers import Peer, peer_of
from simulation import ENGINE_VERSION

SNAPSHOT = Path(__file__).resolve().parents[2] / "fixtures" / "fidelity.json"
MAKE = "python -m scripts.fidelity_snapshot"

Verdict = Literal["pass", "fail", "reported", "recorded"]
VERDICTS: dict[Verdict, str] = {
    "pass": "within the tolerance that is asked for",
    "fail": "further off than the tolerance, or not produced at all",
    "reported": "no tolerance is known; how near the engine comes is said",
    "recorded": "not emulated; what the other simulator found is kept, beside the reason",
}
MEAN_JCT, ALIKE = "mean JCT", "jobs that start and end alike"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of a case. `error` is |ours - theirs|, both and `tolerance` in `unit`; None is unknown."""

    case: str
    quantity: str
    theirs: float
    ours: float | None
    tolerance: float | None
    unit: str
    speedup: float | None
    error: float | None
    verdict: Verdict

    @property
    def peer(self) -> str:
        return self.case.partition("/")[0]

    @property
    def run(self) -> str:
        """The case without its peer."""
        return self.case.partition("/")[2] or self.case

    @property
    def share(self) -> float | None:
        """The error as a share of theirs."""
        return None if self.error is None or not self.theirs else self.error / abs(self.theirs)


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    rows: tuple[Row, ...]

    @property
    def speedup(self) -> float | None:
        return next((row.speedup for row in self.rows if row.speedup is not None), None)

    def row(self, quantity: str) -> Row | None:
        return next((row for row in self.rows if row.quantity == quantity), None)


@dataclass(frozen=True, slots=True)
class Group:
    """The cases of one peer."""

    peer: Peer
    cases: tuple[Case, ...]

    @property
    def rows(self) -> list[Row]:
        return [row for case in self.cases for row in case.rows]

    @property
    def counts(self) -> dict[Verdict, int]:
        """Rows by verdict, all four of them."""
        found = [row.verdict for row in self.rows]
        return {verdict: found.count(verdict) for verdict in VERDICTS}

    @property
    def alike(self) -> tuple[int, int] | None:
        """Jobs that start and end as theirs do, of how many; None where no case asks for it."""
        rows = [row for row in self.rows if row.quantity == ALIKE]
        return (int(sum(row.ours or 0 for row in rows)), int(sum(row.theirs for row in rows))) if rows else None

    @property
    def faster(self) -> tuple[float, float, float] | None:
        """Least, middle and most times faster; None where their time is not known."""
        known = [case.speedup for case in self.cases if case.speedup is not None]
        return (min(known), median(known), max(known)) if known else None


@dataclass(frozen=True, slots=True)
class Agreement:
    """What `command` printed on a day, under one version of the engine."""

    engine: str
    made_on: str
    command: str
    rows: tuple[Row, ...]

    @property
    def stale(self) -> bool:
        """Made by another version of the engine than the one that runs here."""
        return self.engine != ENGINE_VERSION

    def groups(self, rows: Iterable[Row] | None = None) -> list[Group]:
        """Those rows (by default all) by peer and case, in the order of the snapshot."""
        cases: dict[str, list[Row]] = {}
        for row in self.rows if rows is None else rows:
            cases.setdefault(row.case, []).append(row)
        peers: dict[str, list[Case]] = {}
        for name, of_case in cases.items():
            peers.setdefault(of_case[0].peer, []).append(Case(name, tuple(of_case)))
        return [Group(peer_of(slug), tuple(found)) for slug, found in peers.items()]


def agreement(path: Path | None = None) -> Agreement | None:
    """The snapshot, read once; None where there is none yet."""
    where = path or SNAPSHOT
    return _read(where, where.stat().st_mtime_ns) if where.is_file() else None


@lru_cache(maxsize=2)
def _read(path: Path, _written_ns: int) -> Agreement:
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    rows = tuple(Row(**row) for row in kept["rows"])
    return Agreement(kept["engine"], kept["made_on"], kept["command"], rows)
