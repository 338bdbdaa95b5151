"""Sharing by interleaved stages: under load, jobs of unlike bottlenecks run together on one set of GPUs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.sharing import INTERLEAVING, STAGES, SharingLaw, sharing_law
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.planning import Target
from simulation.mechanisms.preemption import Immediate, Preemption, Rounds
from simulation.mechanisms.realise import realise
from simulation.mechanisms.sequence import Sequence
from simulation.mechanisms.sharing.grouping import ALONE, Group, Member, candidates, group
from simulation.mechanisms.sharing.interleaving import Interleaving
from simulation.mechanisms.sharing.sharing import Sharing
from simulation.records import Floats

RESOURCES = ("storage_s", "cpu_s", "gpu_s", "network_s")
UNKNOWN_S = 1.0  # on every resource: such a job gains nothing from company, and stays alone


@dataclass(frozen=True)
class StageInterleaving(Sharing):
    """Jobs of equal gangs whose iterations need unlike resources take turns on them, as many groups as load demands.

    Who runs is chosen anew once a period, down the recipe's order, and grouped by how well stages fit into each other;
    in between the groups stay, and jobs that wait form groups of their own on what is free.
    """

    member: ClassVar[str] = "stage-interleaving"
    inflation: tuple[float, ...] = parameter(
        (1.015, 1.310, 1.478, 1.350), "time of an iteration over the ideal one, in groups of 1, 2, ... jobs",
        low=1.0, high=4.0, source="Muri repository, simulator jobs module (measured)",
    )  # fmt: skip
    least_weight: float = parameter(
        0.0, "groups merge above this efficiency x jobs / largest group", low=0.0, high=4.0,
        source="Muri repository, flag weight_lbd",
    )  # fmt: skip
    period_s: float = parameter(
        360.0, "everyone is grouped anew so often; 0: at every arrival and end, as its simulator does", unit="s",
        low=0.0, high=86_400.0, source="Muri repository, cluster_exp/run.sh",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= len(self.inflation) <= STAGES:
            raise ValueError(f"StageInterleaving.inflation has {len(self.inflation)} values, expected 1 to {STAGES}")

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    @property
    def law(self) -> SharingLaw:
        return sharing_law(INTERLEAVING, len(self.inflation), *self.inflation)

    def placer(self, view: View) -> GroupPlacer:
        return GroupPlacer(self.inflation, self.least_weight, Rounds(self.period_s) if self.period_s else Immediate())


class GroupPlacer:
    """Groups of one run."""

    def __init__(self, inflation: tuple[float, ...], least_weight: float, anew: Preemption) -> None:
        """anew: when running jobs are grouped anew with the others."""
        self._inflation, self._least_weight, self._anew = inflation, least_weight, anew
        self._kinds: dict[tuple[float, ...], int] = {}
        self._kind_of: dict[int, int] = {}
        self._law = Interleaving(np.zeros((0, STAGES)), inflation)

    def refresh(self, view: View, news: News) -> None:
        """Measure those that have come: jobs with the same stages are of one kind."""
        for job in news.waiting.tolist():
            if view.is_apart(job):
                self._kind_of[job] = ALONE
                continue
            traits = view.traits(job)
            stages = tuple(traits.get(resource, UNKNOWN_S) for resource in RESOURCES)
            self._kind_of[job] = self._kinds.setdefault(stages, len(self._kinds))
        if len(self._kinds) > self._law.kinds:
            self._law = Interleaving(np.array(list(self._kinds)), self._inflation)

    def place(self, view: View, sequence: Sequence, rule: int, limit: Floats, draft: Draft) -> None:
        """Choose, group and place. Between rounds all that run stay where they are, at others those that must."""
        running, anew = view.running.tolist(), self._anew.now(view.now_s)
        fixed = [job for job in running if not anew or not view.preemptible[view.mates(job)].all()]
        capacity = int(draft.free.sum()) + sum(draft.gpus(job) for job in running if view.mates(job)[0] == job)
        capacity -= sum(draft.gpus(job) for job in fixed if view.mates(job)[0] == job)
        apart = set(fixed)
        ordered = [
            Member(rank, job, int(view.gang[job]), self._kind_of[job])
            for rank, job in enumerate(sequence.everyone(view).tolist())
            if job not in apart
        ]
        chosen = candidates(ordered, capacity, self._law.largest)
        groups = group(chosen, capacity, self._law, self._least_weight)
        targets = [target for one in sorted(groups, key=lambda g: -g.gpus) for target in _targets(view, one)]
        kept = [_as_it_is(view, job) for job in fixed]
        realise(view, kept + targets, rule, draft)

    def wake_s(self, view: View) -> float:
        """The next round, if anyone waits or shares."""
        running = view.running
        idle = not view.waiting_count and (view.ledger.mate[running] == running).all()
        return np.inf if idle else self._anew.wake_s(view.now_s)


def _targets(view: View, one: Group) -> list[Target]:
    """The host first: whoever holds the GPUs already, else the most important."""
    jobs = [member.job for member in one.members]
    hosts = [job for job in jobs if view.held[job] and view.mates(job)[0] == job]
    host = hosts[0] if hosts else jobs[0]
    return [Target(host, one.gpus), *(Target(job, one.gpus, host=host) for job in jobs if job != host)]


def _as_it_is(view: View, job: int) -> Target:
    host = view.mates(job)[0]
    return Target(job, int(view.held[job]), host=-1 if host == job else host)
