"""The comparison table of a study: scenarios down, metrics across, any of them the baseline."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from planner.compare.cells import Cell, Difference, Samples
from planner.studies.models import Study
from planner.studies.progress import Progress

__all__ = ["Board", "Cell", "Column", "Difference", "Excluded", "Row", "Verdict"]


@dataclass(frozen=True, slots=True)
class Column:
    """A metric as a column; `varies` is False where all scenarios have one value ("only what differs is shown")."""

    name: str
    title: str
    unit: str
    better: str | None  # "lower" | "higher" | None
    definition: str
    formula: str
    varies: bool
    known: bool  # at least one scenario has a value


@dataclass(frozen=True, slots=True)
class Verdict:
    """One limit held against one scenario. `met` None: the value is unknown, so nothing can be said."""

    metric: str
    limit: float
    unit: str
    hard: bool
    value: float | None
    met: bool | None
    by: float | None  # how far past the limit (met False) or inside it (met True), in `unit`, never negative
    clear: bool | None  # the interval does not reach the limit; None without an interval


@dataclass(frozen=True, slots=True)
class Row:
    """One scenario. `samples` holds the value of each metric by seed, so that pairs can be made from them."""

    scenario_id: uuid.UUID
    label: str
    changes: tuple[Mapping[str, object], ...]  # {path, old, new, unit} against the base
    is_base: bool
    color: int | None  # 0 the base, 1-4 the first scenarios, None grey
    states: Mapping[str, int]  # runs by state
    done: int
    total: int
    cells: Mapping[str, Cell]
    samples: Mapping[str, Samples]
    feasible: bool | None  # by hard limits on means; None where a value is unknown or nothing is finished
    verdicts: tuple[Verdict, ...]
    run_ids: tuple[uuid.UUID, ...]
    digest: str
    front_share: tuple[int, int] | None = None  # on the front in a of b seeds (see fronts.with_shares)

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """Hard limits that are missed, with by how much."""
        return tuple(v for v in self.verdicts if v.hard and v.met is False)

    @property
    def partial(self) -> bool:
        return 0 < self.done < self.total


@dataclass(frozen=True, slots=True)
class Excluded:
    """A scenario that is left out of every comparison, with the reason in a sentence."""

    scenario_id: uuid.UUID
    label: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Board:
    study: Study
    rows: tuple[Row, ...]
    baseline: uuid.UUID | None
    metrics: tuple[Column, ...]
    slos: tuple[Mapping[str, object], ...]  # {metric, limit, hard}
    excluded: tuple[Excluded, ...]
    progress: Progress
    engine: str = ""  # version that computed the results
    seeds: int = 0  # most seeds finished by any scenario

    def row(self, scenario_id: uuid.UUID | str | None) -> Row | None:
        return next((r for r in self.rows if str(r.scenario_id) == str(scenario_id)), None)

    def column(self, metric: str) -> Column | None:
        return next((c for c in self.metrics if c.name == metric), None)


def board(study: Study, *, baseline: uuid.UUID | str | None = None) -> Board:
    """The table of `study` against `baseline` (its base scenario where none or an unknown one is named)."""
    raise NotImplementedError
