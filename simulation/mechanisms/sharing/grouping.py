"""Grouping: which jobs share GPUs when there are more of them than the cluster holds.

Only jobs of equal gangs share. Groups grow by pairing, as often as pairs may be paired again, and no further than
needed: as soon as all of them fit into the cluster, nobody shares more. Pairs are chosen greedily, the most efficient
first, in place of a maximum-weight matching. Jobs of one kind are alike, so kinds are paired, not jobs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from simulation.mechanisms.sharing.interleaving import Interleaving


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
    excess = sum(one.gpus for one in groups) - capacity_gpus
    for _ in range(law.largest):
        merged = 0
        for first, second in _pairs(groups, law, least_weight):
            if excess <= 0:
                break
            groups -= {first, second}
            groups.add(Group(first.gpus, tuple(sorted(first.members + second.members))))
            excess -= first.gpus
            merged += 1
        if not merged:
            break
    return _admitted(_split(groups, law), capacity_gpus)


def _pairs(groups: set[Group], law: Interleaving, least_weight: float) -> list[tuple[Group, Group]]:
    """Pairs of which no two have a group in common: the most efficient first, then those of more GPUs, then by rank."""
    alike: dict[tuple[int, tuple[int, ...]], deque[Group]] = {}
    for one in sorted(groups, key=lambda g: g.rank):
        alike.setdefault((one.gpus, one.kinds), deque()).append(one)
    pairs = []
    for first, second in _by_weight(list(alike), law, least_weight):
        ours, theirs = alike[first], alike[second]
        while len(ours) >= (2 if ours is theirs else 1) and theirs:
            pairs.append((ours.popleft(), theirs.popleft()))
    return pairs


Alike = tuple[int, tuple[int, ...]]  # GPUs and kinds of a group


def _by_weight(shapes: list[Alike], law: Interleaving, least_weight: float) -> Iterator[tuple[Alike, Alike]]:
    """Shapes of groups that may merge, the most efficient first; `shapes` come in the order of their first rank."""
    weighted = []
    for (one, first), (other, second) in combinations_with_replacement(enumerate(shapes), 2):
        kinds = first[1] + second[1]
        if first[0] == second[0] and len(kinds) <= law.largest:
            weight = law.efficiency(kinds)
            if weight > least_weight * len(kinds) / law.largest:
                weighted.append((-weight, -first[0], one, other))
    for _, _, one, other in sorted(weighted):
        yield shapes[one], shapes[other]


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
