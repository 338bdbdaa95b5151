"""Grouping: which jobs share GPUs when there are more of them than the cluster holds.

Only jobs of equal gangs share. Groups grow by pairing, as often as pairs may be paired again, and no further than
needed: as soon as all of them fit into the cluster, nobody shares more. Pairs are a matching of the largest total
efficiency, formed the most efficient first. Jobs of one kind are alike: of them the important ones are paired first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from simulation.mechanisms.sharing.interleaving import Interleaving
from simulation.mechanisms.sharing.matching import matching
from simulation.records import Floats

ALONE = -1  # kind of those who share with nobody


class Member(NamedTuple):
    """A job that may share. Lower ranks are more important."""

    rank: int
    job: int
    gpus: int
    kind: int


class Group(NamedTuple):
    """Jobs on one set of GPUs, the most important first."""

    gpus: int
    members: tuple[Member, ...]

    @property
    def rank(self) -> int:
        return self.members[0].rank

    @property
    def kinds(self) -> tuple[int, ...]:
        return tuple(sorted(member.kind for member in self.members))


def candidates(ordered: Sequence[Member], capacity_gpus: int, largest: int) -> list[Member]:
    """Down the order: a job takes an open place beside others of its gang, else opens a set of GPUs while one fits.

    A set has `largest` places.
    """
    chosen, room, places = [], capacity_gpus, dict.fromkeys((member.gpus for member in ordered), 0)
    for member in ordered:
        if not places[member.gpus]:
            if member.gpus > room:
                continue
            room -= member.gpus
            places[member.gpus] = largest
        places[member.gpus] -= 1
        chosen.append(member)
    return chosen


def group(chosen: Sequence[Member], capacity_gpus: int, law: Interleaving, least_weight: float = 0.0) -> list[Group]:
    """Groups of the `chosen`, the most important first, whose GPUs fit into `capacity_gpus`.

    A group that is slower than its jobs one after the other is split again; what then no longer fits is left out.
    least_weight: two groups merge only above this efficiency x jobs / largest group.
    """
    groups = {Group(member.gpus, (member,)) for member in chosen}
    alone = {one for one in groups if one.members[0].kind == ALONE}
    excess = sum(one.gpus for one in groups) - capacity_gpus
    for _ in range(law.largest):
        pairs = _pairs(groups - alone, law, least_weight) if excess > 0 else []
        if not pairs:
            break
        for first, second in pairs:
            if excess > 0:
                groups -= {first, second}
                groups.add(Group(first.gpus, tuple(sorted(first.members + second.members))))
                excess -= first.gpus
    return _admitted(_split(groups, law), capacity_gpus)


Shape = tuple[int, tuple[int, ...]]
"""GPUs and kinds of a group."""


def _pairs(groups: set[Group], law: Interleaving, least_weight: float) -> list[tuple[Group, Group]]:
    """Pairs of which no two have a group in common: the most efficient first, then those of more GPUs, then by rank."""
    alike: dict[Shape, deque[Group]] = {}
    for one in sorted(groups, key=lambda g: g.rank):
        alike.setdefault((one.gpus, one.kinds), deque()).append(one)
    shapes = list(alike)
    weighted = []
    for gpus in {gpus for gpus, _ in shapes}:
        own = [i for i, shape in enumerate(shapes) if shape[0] == gpus]
        weights = _weights([shapes[i] for i in own], law, least_weight)
        each = np.repeat(np.arange(len(own)), [len(alike[shapes[i]]) for i in own])
        pairs = [(each[one], each[other]) for one, other in matching(weights[np.ix_(each, each)])]
        weighted += [(-weights[one, other], -gpus, own[one], own[other]) for one, other in pairs]
    return [(alike[shapes[one]].popleft(), alike[shapes[other]].popleft()) for *_, one, other in sorted(weighted)]


def _weights(shapes: list[Shape], law: Interleaving, least_weight: float) -> Floats:
    """(shapes, shapes) efficiency of two groups merged; 0 where they may not be."""
    weights = np.zeros((len(shapes), len(shapes)))
    for (i, (_, one)), (j, (_, other)) in combinations_with_replacement(enumerate(shapes), 2):
        if len(one + other) <= law.largest:
            weight = law.efficiency(one + other)
            if weight > least_weight * len(one + other) / law.largest:
                weights[i, j] = weights[j, i] = weight
    return weights


def _split(groups: set[Group], law: Interleaving) -> Iterator[Group]:
    for one in groups:
        if len(one.members) == 1 or law.pays(one.kinds):
            yield one
        else:
            yield from (Group(one.gpus, (member,)) for member in one.members)


def _admitted(groups: Iterator[Group], capacity_gpus: int) -> list[Group]:
    admitted = []
    for one in sorted(groups, key=lambda g: g.rank):
        if one.gpus <= capacity_gpus:
            capacity_gpus -= one.gpus
            admitted.append(one)
    return admitted
