"""What stands beside a plan: checked against the ledger as the plan will leave it, then put into effect with it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from simulation.engine.holding import Pieces, held_pieces
from simulation.engine.kernels.apply import permits
from simulation.engine.plan import PIECES, Beside, Plan
from simulation.engine.state import CLOCK, CORES, MEMORY, RUNNING, WAITING, State, setting_of
from simulation.world.build import World


def fault_beside(world: World, s: State, plan: Plan, beside: Beside) -> str | None:
    """The first thing that cannot be, in words; None where all of it can."""
    if beside.empty:
        return None
    after = _After(world, s, plan)
    return (
        after.fault_of_joins(beside) or after.fault_of_settings(beside) or after.fault_of_refusals(beside)
        or after.fault_of_power(beside)
    )  # fmt: skip


class _After:
    """Who holds what once the plan is applied."""

    def __init__(self, world: World, s: State, plan: Plan) -> None:
        self._world, self._s = world, s
        self._stopped = set(plan.stopped.tolist())
        self._placed: dict[int, Pieces] = {}
        for i in range(plan.tally[PIECES]):
            self._placed.setdefault(int(plan.job[i]), []).append((int(plan.node[i]), int(plan.gpus[i])))

    def pieces(self, job: int) -> Pieces:
        """Of a host or a job that is alone; a guest of the ledger has those of its host."""
        if job in self._placed or job in self._stopped or self._s.phase[job] != RUNNING:
            return self._placed.get(job, [])
        return held_pieces(self._s, job)

    def _name(self, job: int) -> str:
        return f"job {self._world.jobs.id[job]}"

    def fault_of_joins(self, beside: Beside) -> str | None:
        s, size = self._s, Counter(host for _, host in beside.joins)
        for job, host in beside.joins:
            held = self.pieces(host)
            gpus = sum(count for _, count in held)
            if job in self._placed or (s.phase[job] != WAITING and job not in self._stopped):
                return f"{self._name(job)} is to share GPUs but does not wait"
            if not held:
                return f"{self._name(job)} is to share with {self._name(host)}, which holds nothing"
            if not s.gang_min[job] <= gpus <= s.gang_max[job]:
                return f"{self._name(job)} is to share {gpus} GPUs, which is outside its gang range"
            if not all(permits(s, job, node) for node, _ in held):
                return f"{self._name(job)} is to share GPUs of a model that it does not permit"
            if self._riders(host) + size[host] > s.law.most:
                return f"more than {s.law.most} jobs would share the GPUs of {self._name(host)}"
            if s.apart[job] or s.apart[host]:
                return f"{self._name(job)} is to share with {self._name(host)}: one has run out of memory beside others"
        return None

    def _riders(self, host: int) -> int:
        s, count, other = self._s, 1, int(self._s.mate[host])
        while other != host:
            count += other not in self._stopped
            other = int(s.mate[other])
        return count if host not in self._stopped else 1

    def fault_of_settings(self, beside: Beside) -> str | None:
        for job, column, value in beside.settings:
            if column == CLOCK and not 0 < value <= 1:
                return f"{self._name(job)} gets clock {value}, expected more than 0 and at most 1"
        if any(column != CLOCK for _, column, _ in beside.settings):
            return self._fault_of_inputs(beside)
        return None

    def _fault_of_inputs(self, beside: Beside) -> str | None:
        """Cores and memory of each node are enough for the jobs on it; jobs without a setting have their share."""
        s, nodes = self._s, self._world.nodes
        wanted = {(job, column): value for job, column, value in beside.settings}
        for column, has, what in ((CORES, nodes.cores, "cores"), (MEMORY, nodes.memory, "bytes of memory")):
            used = np.zeros(len(nodes.size))
            for job in {*np.flatnonzero(s.phase == RUNNING).tolist(), *self._placed}:
                if s.host[job] != job:
                    continue
                each = wanted.get((job, column), setting_of(s, job, column))
                for node, gpus in self.pieces(job):
                    used[node] += gpus * (has[node] / nodes.size[node] if np.isnan(each) else each)
            over = np.flatnonzero(used > has * (1 + 1e-9))
            if len(over):
                return f"node {nodes.names[over[0]]} has {has[over[0]]:g} {what}, {used[over[0]]:g} are given away"
        return None

    def fault_of_refusals(self, beside: Beside) -> str | None:
        for job in beside.refused:
            if self._s.phase[job] != WAITING or job in self._placed:
                return f"{self._name(job)} is to be refused but does not wait"
        return None

    def fault_of_power(self, beside: Beside) -> str | None:
        s, nodes = self._s, self._world.nodes
        free = s.free.copy()
        for job in self._stopped:
            for node, gpus in held_pieces(s, job) if s.host[job] == job else []:
                free[node] += gpus
        for pieces in self._placed.values():
            for node, gpus in pieces:
                free[node] -= gpus
        for node, on in beside.power:
            if not on and (s.away[node] or free[node] != s.size[node]):
                return f"node {nodes.names[node]} is to be switched off but is in use"
        return None
