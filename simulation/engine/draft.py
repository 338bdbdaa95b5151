"""A plan in the making, in plain Python: for jobs that are placed, shrunk, grown, moved or shared by hand."""

from __future__ import annotations

from collections.abc import Iterable

from simulation.engine.holding import Pieces, held_pieces
from simulation.engine.kernels.place import consolidate, place, place_in
from simulation.engine.plan import PIECES, Beside, Plan, make_plan, plan_of
from simulation.engine.state import CLOCK, CORES, MEMORY, RUNNING, State, setting_of
from simulation.records import Ints

Snapshot = tuple[Ints, dict[int, Pieces], dict[int, int], set[int]]


class Draft:
    """A working copy of who holds what; `plan` is the difference from the ledger."""

    def __init__(self, ledger: State) -> None:
        self.free: Ints = ledger.free.copy()
        self._ledger = ledger
        self._changed: dict[int, Pieces] = {}
        self._scratch = make_plan(int(ledger.size.sum()))
        self._joins: dict[int, int] = {}
        self._apart: set[int] = set()  # who shares GPUs in the ledger, and is placed on others
        self._settings: dict[tuple[int, int], float] = {}
        self._refused: list[int] = []
        self._power: dict[int, bool] = {}
        self._counts: dict[str, int] = {}

    def include(self, plan: Plan) -> None:
        """Begin with what `plan` already wants."""
        for job in plan.stopped:
            self.stop(int(job))
        for i in range(plan.tally[PIECES]):
            self._take(int(plan.job[i]), int(plan.node[i]), int(plan.gpus[i]))

    def pieces(self, job: int) -> Pieces:
        """What `job` would hold, a fresh list."""
        if job in self._joins:
            return self.pieces(self._joins[job])
        return list(self._changed[job]) if job in self._changed else held_pieces(self._ledger, job)

    def gpus(self, job: int) -> int:
        return sum(gpus for _, gpus in self.pieces(job))

    def stop(self, job: int) -> None:
        """Take everything from a job; whoever shares its GPUs keeps them."""
        heirs = [other for other in self.mates(job) if other != job]
        if heirs and self._host(job) == job:
            self._changed[heirs[0]] = self.pieces(job)
            self._joins |= dict.fromkeys(heirs[1:], heirs[0])
            self._joins.pop(heirs[0], None)
        elif not heirs:
            for node, gpus in self.pieces(job):
                self.free[node] += gpus
        self._joins.pop(job, None)
        self._changed[job] = []

    def start(self, job: int, gpus: int, rule: int, domain: int = -1) -> bool:
        """Place a job that holds nothing, in one domain if it is given; False, and no change, where it does not fit."""
        self._scratch.clear()
        if domain < 0:
            done = place(self._ledger, self.free, self._scratch, job, gpus, rule)
        else:
            done = place_in(self._ledger, self.free, self._scratch, job, gpus, domain, rule)
        if done:
            self._changed[job] = self._scratch_pieces()
            self._note_apart(job)
        else:
            self._undo_scratch()
        return bool(done)

    def put(self, job: int, pieces: Iterable[tuple[int, int]]) -> None:
        """Place a job that holds nothing on just these GPUs, which must be free."""
        for node, gpus in pieces:
            self._take(job, node, gpus)
        self._note_apart(job)

    def join(self, job: int, host: int) -> None:
        """A job that holds nothing shares all GPUs of one that does. The engine refuses what does not go together."""
        if self._rides(job, host):
            self._changed.pop(job, None)
        else:
            self._joins[job] = self._host(host)

    def mates(self, job: int) -> list[int]:
        """All who share GPUs with `job`, itself included, the host first."""
        host, s = self._host(job), self._ledger
        found, other = [host], int(s.mate[host])
        while other != host:
            if other not in self._joins and (other not in self._changed or self._changed[other]):
                found.append(other)
            other = int(s.mate[other])
        return found + [guest for guest, of in sorted(self._joins.items()) if of == host]

    def set_clock(self, job: int, clock: float) -> None:
        """Relative clock of its GPUs, 0 to 1."""
        self._settings[job, CLOCK] = clock

    def set_inputs(self, job: int, cores: float, memory: float) -> None:
        """CPU cores and bytes of host memory for each of its GPUs."""
        self._settings[job, CORES], self._settings[job, MEMORY] = cores, memory

    def refuse(self, job: int) -> None:
        """A waiting job is never to run."""
        self._refused.append(job)

    def power_off(self, node: int) -> None:
        """Switch off a node of which nobody holds a GPU."""
        self.free[node] = 0
        self._power[node] = False

    def count(self, name: str, more: int) -> None:
        """Put on record, beside the counts of the engine, what the policy did."""
        self._counts[name] = self._counts.get(name, 0) + more

    def power_on(self, node: int) -> None:
        """Boot a node that is off; its GPUs can be used once it is up."""
        self._power[node] = True

    def shrink(self, job: int, by: int) -> None:
        """Give back `by` GPUs, those of its smallest pieces first."""
        for node, gpus in sorted(self.pieces(job), key=lambda piece: (piece[1], -piece[0])):
            given = min(by, gpus)
            by -= given
            self._take(job, node, -given)

    def grow(self, job: int, by: int) -> int:
        """Take up to `by` free GPUs of its domains, on its own nodes first; returns how many it got."""
        s = self._ledger
        own = self.pieces(job)
        domains = {int(s.domain[node]) for node, _ in own}
        members = [node for d in domains for node in s.domain_nodes[s.domain_start[d] : s.domain_start[d + 1]].tolist()]
        others = sorted(members, key=lambda node: (-int(self.free[node]), node))
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

    def snapshot(self) -> Snapshot:
        """Who holds what, to come back to; what is set, refused and switched is not part of it."""
        return self.free.copy(), dict(self._changed), dict(self._joins), set(self._apart)

    def restore(self, snapshot: Snapshot) -> None:
        self.free[:] = snapshot[0]
        self._changed, self._joins, self._apart = dict(snapshot[1]), dict(snapshot[2]), set(snapshot[3])

    def plan(self) -> Plan:
        """Only real changes: a job that ends with what it holds is left alone.

        Other GPUs of the same node look alike: one that shared is moved there all the same.
        """
        changed = {
            job: new
            for job, new in self._changed.items()
            if job in self._apart or sorted(new) != sorted(held_pieces(self._ledger, job))
        }
        stops = [job for job in changed if self._ledger.phase[job] == RUNNING]
        return plan_of(stops, [(job, node, gpus) for job, new in changed.items() for node, gpus in new])

    def beside(self) -> Beside:
        """Only real changes, in order of jobs and nodes."""
        s = self._ledger
        return Beside(
            joins=tuple(sorted((job, host) for job, host in self._joins.items() if not self._rides(job, host))),
            settings=tuple((j, c, v) for (j, c), v in sorted(self._settings.items()) if setting_of(s, j, c) != v),
            refused=tuple(sorted(self._refused)),
            power=tuple(sorted(self._power.items())),
            counts=tuple(sorted(self._counts.items())),
        )

    def _rides(self, job: int, host: int) -> bool:
        """Whether two running jobs share GPUs already, and will."""
        s = self._ledger
        return bool(s.phase[job] == RUNNING and s.host[job] == s.host[host]) and host not in self._apart

    def _note_apart(self, job: int) -> None:
        if self._ledger.phase[job] == RUNNING and self._ledger.mate[job] != job:
            self._apart.add(job)

    def _host(self, job: int) -> int:
        if job in self._joins:
            return self._joins[job]
        return job if job in self._changed else int(self._ledger.host[job])

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
