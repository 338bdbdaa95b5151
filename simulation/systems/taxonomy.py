"""The two axes on which systems are placed: what they aim at, and the uses of resources that they decide on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from simulation.systems.system import System

OBJECTIVES: dict[str, str] = {
    "jct": "JCT",
    "deadline": "Deadline",
    "makespan": "Makespan",
    "fairness": "Fairness",
    "utilisation": "Utilisation",
    "throughput": "Throughput",
    "latency": "Latency",
    "goodput": "Goodput",
    "accuracy": "Accuracy",
    "cost": "Cost",
    "energy": "Energy",
}
"""What a system names as its aim -> its title, in the order of the grid's rows."""


@dataclass(frozen=True)
class Use:
    """A column of the grid. `resources`: each word that a system may give -> how a sentence names it."""

    slug: str
    title: str
    resources: dict[str, str]


USES: tuple[Use, ...] = (
    Use("order", "Order whole GPUs", {"homogeneous": "whole GPUs", "admission": "admission"}),
    Use(
        "preempt",
        "Preempt, migrate",
        {"preemption": "preemption", "migration": "migration", "time-slicing": "time slices"},
    ),
    Use(
        "resize",
        "Resize, stop early",
        {"elastic": "elastic size", "batch-elastic": "elastic batch", "early-stopping": "early stopping"},
    ),
    Use(
        "match",
        "Match types, place",
        {
            "heterogeneous": "unlike GPUs",
            "topology": "topology",
            "network": "network",
            "cpu": "CPU and memory",
            "multi-resource": "several resources",
        },
    ),
    Use(
        "share",
        "Share a GPU",
        {
            "sharing": "sharing",
            "colocation": "co-location",
            "fusion": "job fusion",
            "partition": "partition",
            "partition(MIG)": "partition (MIG)",
        },
    ),
    Use("batch", "Batch, cache", {"batching": "batching", "caching": "caching"}),
    Use("variants", "Switch variants", {"variants": "variants"}),
    Use("scale", "Scale, lend, spot", {"autoscaling": "autoscaling", "borrowing": "borrowing", "spot": "spot"}),
)
RESOURCES: dict[str, str] = {word: words for use in USES for word, words in use.resources.items()}
_USE_OF: dict[str, str] = {word: use.slug for use in USES for word in use.resources}

Place = tuple[str, str]
"""Objective and slug of a use: a cell of the grid."""


def places(system: System) -> set[Place]:
    """Every cell that a system stands in. Raises ValueError for a word that is on neither axis."""
    unknown = [o for o in system.objectives if o not in OBJECTIVES] + [r for r in system.resources if r not in _USE_OF]
    if unknown:
        raise ValueError(f"system {system.slug!r}: {', '.join(unknown)}: expected a word of the two axes")
    return {(objective, _USE_OF[word]) for objective in system.objectives for word in system.resources}


def grid(systems: Iterable[System]) -> dict[Place, list[System]]:
    """Every cell of the grid, the empty ones too, with its systems in the order given."""
    cells: dict[Place, list[System]] = {(objective, use.slug): [] for objective in OBJECTIVES for use in USES}
    for system in systems:
        for place in places(system):
            cells[place].append(system)
    return cells
