"""What the page of a cluster says beyond its table of pools: make of the nodes, links, interruptions, changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms

from planner.catalog.figures import Told
from planner.web.forms.numbers import SizeField, SpanField
from planner.web.forms.pool_details import FIELDS, said_of, whole_of
from planner.web.numbers import number, span
from simulation.hardware import Cluster, NodeChange


@dataclass(frozen=True, slots=True)
class Change:
    """A recorded change, and how many nodes of the pool are there after it."""

    at: str
    pool: str
    nodes: int
    up: bool
    left: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A value as written ("" where the pool does not give it), with where it comes from."""

    text: str
    origin: str
    source: str


def facts_of(cluster: Cluster, told: dict[str, dict[str, Told]]) -> list[tuple[str, str, list[Fact]]]:
    """Rows of what any pool says, in the terms of its form: label, unit, and of each pool the value with its origin."""
    pools = [(said_of(pool), told[pool.name]) for pool in cluster.pools]
    return [
        (str(field.label), getattr(field, "unit", ""), [_fact(name, field, said, known) for said, known in pools])
        for name, field in FIELDS.items()
        if any(name in said for said, _ in pools)
    ]


def _fact(name: str, field: forms.Field, said: dict[str, Any], told: dict[str, Told]) -> Fact:
    known = told[whole_of(name)]
    return Fact(_words(field, said[name]) if name in said else "", known["origin"], known["source"])


def _words(field: forms.Field, value: Any) -> str:
    if isinstance(field, forms.BooleanField):
        return "yes"
    if isinstance(field, SpanField):
        return span(value)
    return number(value / field.unit_bytes if isinstance(field, SizeField) else value)


def changes_of(cluster: Cluster) -> list[Change]:
    """Recorded changes in order of time."""
    return list(_changes(cluster))


def _changes(cluster: Cluster) -> Iterator[Change]:
    there = {pool.name: 0 if pool.starts_down else pool.nodes for pool in cluster.pools}
    most = {pool.name: pool.nodes for pool in cluster.pools}
    for change in sorted(cluster.changes, key=lambda change: change.at_s):
        there[change.pool] = min(most[change.pool], max(0, there[change.pool] + _signed(change)))
        yield Change(span(change.at_s), change.pool, change.nodes, change.up, there[change.pool])


def _signed(change: NodeChange) -> int:
    return change.nodes if change.up else -change.nodes
