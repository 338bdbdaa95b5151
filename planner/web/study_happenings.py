"""What befell jobs and nodes in the scenarios of a study: what happened somewhere, out of the first seed of each."""

from __future__ import annotations

from dataclasses import dataclass

from planner.compare.board import Board
from planner.studies.documents import counts_of

_SHOWN = {
    "failed": "Jobs that failed",
    "killed": "Jobs killed",
    "jobs_refused": "Jobs refused",
    "node_losses": "Nodes lost",
    "jobs_interrupted": "Jobs interrupted",
    "jobs_out_of_memory": "Jobs out of memory",
    "replicas_lost": "Replicas lost",
    "nodes_switched_off": "Nodes switched off",
    "rates_extrapolated": "Spans beyond measured rates",
}
"""Count of a run -> head of its column."""


@dataclass(frozen=True, slots=True)
class Happenings:
    heads: list[str]
    rows: list[tuple[str, list[int]]]  # label of a scenario, a count for each head


def happenings(table: Board) -> Happenings | None:
    """None where nothing of this happened in any scenario."""
    first = {row.run_ids[0]: row.label for row in table.rows if row.run_ids}
    found = counts_of(first)
    names = [name for name in _SHOWN if any(counts.get(name) for counts in found.values())]
    if not names:
        return None
    rows = [(label, [found[id].get(name, 0) for name in names]) for id, label in first.items() if id in found]
    return Happenings([_SHOWN[name] for name in names], rows)
