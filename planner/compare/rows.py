"""One scenario as a row: its cells, its runs by state, and how it stands against the limits."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from planner.compare.cells import Cell, Entry, Samples, cell_of, difference_of
from planner.compare.verdicts import Bound, Verdict, feasible, verdict
from planner.studies.models import Run, Scenario
from planner.studies.selectors import Replication

ORACLE = "oracle"
COLOURED = 4  # scenarios that get a colour of their own beside the base; more cannot be told apart


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
    regime: str = ""  # what its policy may know of jobs; "oracle" must be said wherever its numbers stand
    front_share: tuple[int, int] | None = None  # on the front in a of b seeds (see fronts.with_shares)

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """Hard limits that are missed, with by how much."""
        return tuple(v for v in self.verdicts if v.hard and v.met is False)

    @property
    def is_oracle(self) -> bool:
        return self.regime == ORACLE

    @property
    def partial(self) -> bool:
        """Some runs have a result and some have not: the numbers will move."""
        return 0 < self.done < self.total


def row_of(
    scenario: Scenario, runs: Sequence[Replication], engine: str, metrics: Collection[str], bounds: Sequence[Bound]
) -> Row:
    """The row of `scenario` from those of its `runs` that `engine` computed."""
    counted = {run.seed: run.metrics for run in runs if run.metrics is not None and run.engine == engine}
    entries = {
        name: {seed: Entry.of(reported[name]) for seed, reported in counted.items() if name in reported}
        for name in metrics
    }
    cells = {name: cell_of(by_seed) for name, by_seed in entries.items() if by_seed}
    verdicts = tuple(verdict(bound, cells.get(bound.metric)) for bound in bounds)
    states = Counter(run.state for run in runs)
    return Row(
        scenario_id=scenario.id,
        label=scenario.label,
        changes=tuple(scenario.changes),
        is_base=not scenario.changes,
        color=scenario.position if scenario.position <= COLOURED else None,
        states=states,
        done=states.get(Run.State.DONE, 0),
        total=len(runs),
        cells=cells,
        samples={name: {seed: e.value for seed, e in by_seed.items()} for name, by_seed in entries.items()},
        feasible=feasible(verdicts) if counted else None,
        verdicts=verdicts,
        run_ids=tuple(run.run_id for run in runs),
        digest=scenario.digest,
        regime=scenario.regime,
    )


def against(row: Row, baseline: Row) -> Row:
    """`row` with each cell's paired difference to `baseline`; the baseline itself has none."""
    if row.scenario_id == baseline.scenario_id:
        return row
    cells = {
        name: cell.against(difference_of(row.samples[name], baseline.samples.get(name, {})))
        for name, cell in row.cells.items()
    }
    return replace(row, cells=cells)
