"""A plan in the making, in plain Python: for the few jobs that are shrunk, grown or moved by hand."""

from __future__ import annotations

from collections.abc import Iterable

from simulation.engine.kernels.place import consolidate, place
from simulation.engine.plan import PIECES, Plan, make_plan, plan_of
from simulation.engine.state import RUNNING, State
from simulation.records import Ints

Pieces = list[tuple[int, int]]  # (node, GPUs)


class Draft:
    """A working copy of who holds what; `plan` is the difference from the ledger."""

    def __init__(self, ledger: State) -> None:
        self.free: Ints = ledger.free.copy()
        self._ledger = ledger
        self._changed: dict[int, Pieces] = {}
        self._scratch = make_plan(int(ledger.size.sum()))

    def include(self, plan: Plan) -> None:
        """Begin with what `plan` already wants."""
        for job in plan.stopped:
            self.stop(int(job))
        for i in range(plan.tally[PIECES]):
            self._take(int(plan.job[i]), int(plan.node[i]), int(plan.gpus[i]))

    def pieces(self, job: int) -> Pieces:
        """What `job` would hold, a fresh list."""
        return list(self._changed[job]) if job in self._changed else self._held(job)

    def gpus(self, job: int) -> int:
        return sum(gpus for _, gpus in self.pieces(job))

    def stop(self, job: int) -> None:
        for node, gpus in self.pieces(job):
            self.free[node] += gpus
        self._changed[job] = []

    def start(self, job: int, gpus: int, rule: int) -> bool:
        """Place a job that holds nothing; False, and no change, where it does not fit."""
        self._scratch.clear()
        if not place(self._ledger, self.free, self._scratch, job, gpus, rule):
            return False
        self._changed[job] = self._scratch_pieces()
        return True

    def shrink(self, job: int, by: int) -> None:
        """Give back `by` GPUs, those of its smallest pieces first."""
        for node, gpus in sorted(self.pieces(job), key=lambda piece: (piece[1], -piece[0])):
            given = min(by, gpus)
            by -= given
            self._take(job, node, -given)

    def grow(self, job: int, by: int) -> int:
        """Take up to `by` free GPUs of its domain, on its own nodes first; returns how many it got."""
        s = self._ledger
        own = self.pieces(job)
        domain = s.domain[own[0][0]]
        members = s.domain_nodes[s.domain_start[domain] : s.domain_start[domain + 1]]
        others = sorted(members.tolist(), key=lambda node: (-int(self.free[node]), node))
        got = 0
        for node in [*(node for node, _ in own), *others]:
            taken = min(by - got, int(self.free[node]))
            if taken > 0:
                self._take(job, node, taken)
                got += taken
        return got

    def room(self, domains: Iterable[int], gpus: int) -> Pieces | None:
        """Take GPUs for a replica (consolidated, in the first domain that has them); None where it does not fit."""
        for domain in domains:
            self._scratch.clear()
            if consolidate(self._ledger, self.free, self._scratch, -1, domain, gpus, True):
                return self._scratch_pieces()
            self._undo_scratch()
        return None

    def snapshot(self) -> tuple[Ints, dict[int, Pieces]]:
        return self.free.copy(), dict(self._changed)

    def restore(self, snapshot: tuple[Ints, dict[int, Pieces]]) -> None:
        self.free[:] = snapshot[0]
        self._changed = dict(snapshot[1])

    def plan(self) -> Plan:
        """Only real changes: a job that ends with what it holds is left alone."""
        changed = {job: new for job, new in self._changed.items() if sorted(new) != sorted(self._held(job))}
        stops = [job for job in changed if self._ledger.phase[job] == RUNNING]
        return plan_of(stops, [(job, node, gpus) for job, new in changed.items() for node, gpus in new])

    def _held(self, job: int) -> Pieces:
        s, pieces = self._ledger, []
        entry = s.first_entry[job]
        while entry >= 0:
            pieces.append((int(s.entry_node[entry]), int(s.entry_gpus[entry])))
            entry = s.entry_next[entry]
        return pieces[::-1]

    def _take(self, job: int, node: int, gpus: int) -> None:
        held = dict(self.pieces(job))
        held[node] = held.get(node, 0) + gpus
        self._changed[job] = [(n, g) for n, g in held.items() if g > 0]
        self.free[node] -= gpus

    def _scratch_pieces(self) -> Pieces:
        p = self._scratch
        return [(int(p.node[i]), int(p.gpus[i])) for i in range(p.tally[PIECES])]

    def _undo_scratch(self) -> None:
        for node, gpus in self._scratch_pieces():
            self.free[node] += gpus
        self._scratch.clear()
