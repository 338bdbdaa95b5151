"""The comparison table of a study: scenarios down, metrics across, any of them the baseline."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from planner.compare.cells import Cell, Difference, Samples
from planner.compare.columns import Column, column_of
from planner.compare.rows import Row, against, row_of
from planner.compare.verdicts import Bound, Verdict
from planner.evidence.comparability import engines_differ, refusals
from planner.evidence.exceptions import Excepted, excepted
from planner.studies import selectors
from planner.studies.models import Scenario, Study
from planner.studies.progress import Progress, progress_of
from planner.studies.selectors import Replication
from simulation.metrics.definitions import METRICS

__all__ = ["Board", "Cell", "Column", "Difference", "Excluded", "Row", "Samples", "Verdict", "board"]


@dataclass(frozen=True, slots=True)
class Excluded:
    """A scenario that is left out (or some of its runs), with the reason in a sentence."""

    scenario_id: uuid.UUID
    label: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Board:
    study: Study
    rows: tuple[Row, ...]
    baseline: uuid.UUID | None
    metrics: tuple[Column, ...]
    slos: tuple[Bound, ...]
    excluded: tuple[Excluded, ...]
    exceptions: tuple[Excepted, ...]  # scenarios that are compared by exception
    progress: Progress
    engine: str  # version that computed the results
    seeds: int  # most seeds finished by any scenario

    def row(self, scenario_id: uuid.UUID | str | None) -> Row | None:
        return next((r for r in self.rows if str(r.scenario_id) == str(scenario_id)), None)

    def column(self, metric: str) -> Column | None:
        return next((c for c in self.metrics if c.name == metric), None)


def board(study: Study, *, baseline: uuid.UUID | str | None = None, metrics: Collection[str] | None = None) -> Board:
    """The table of `study` against `baseline` (its base scenario where none or an unknown one is named).

    `metrics` limits the columns (all by default); unknown names are passed over. Limits always get their columns.
    """
    scenarios = list(selectors.scenarios(study))
    runs: dict[uuid.UUID, list[Replication]] = defaultdict(list)
    for replication in selectors.replications(study):
        runs[replication.scenario_id].append(replication)
    bounds = tuple(Bound(**slo) for slo in study.slos if slo["metric"] in METRICS)
    wanted = [m for m in METRICS if metrics is None or m in metrics or m in {b.metric for b in bounds}]
    engine = _engine(runs.values())
    refused = refusals(study, scenarios)
    exceptions = excepted(study, refused)
    strangers = {id: why for id, why in refused.items() if id not in {one.scenario_id for one in exceptions}}
    rows = [row_of(s, runs[s.id], engine, wanted, bounds) for s in scenarios if s.id not in strangers]
    chosen = next((r for r in rows if str(r.scenario_id) == str(baseline)), rows[0] if rows else None)
    excluded = [Excluded(s.id, s.label, strangers[s.id]) for s in scenarios if s.id in strangers]
    return Board(
        study=study,
        rows=tuple(against(row, chosen) for row in rows) if chosen else (),
        baseline=chosen.scenario_id if chosen else None,
        metrics=tuple(column_of(name, rows) for name in wanted),
        slos=bounds,
        excluded=(*excluded, *_other_engines(scenarios, runs, engine)),
        exceptions=exceptions,
        progress=progress_of(study),
        engine=engine,
        seeds=max((len(s) for r in rows for s in r.samples.values()), default=0),
    )


def _engine(runs: Collection[Sequence[Replication]]) -> str:
    """The version that computed most of the results: numbers of two versions are never averaged."""
    versions = Counter(r.engine for some in runs for r in some if r.engine)
    return max(versions, key=lambda v: (versions[v], v), default="")


def _other_engines(
    scenarios: Sequence[Scenario], runs: Mapping[uuid.UUID, Sequence[Replication]], engine: str
) -> list[Excluded]:
    left_out = []
    for scenario in scenarios:
        versions = [r.engine for r in runs[scenario.id] if r.engine]
        others = sorted({v for v in versions if v != engine})
        sentence = engines_differ(engine, ", ".join(others), sum(v != engine for v in versions), len(versions))
        if sentence:
            left_out.append(Excluded(scenario.id, scenario.label, sentence))
    return left_out
