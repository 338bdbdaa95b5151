"""Tenancy by cells: a tenant's jobs start as in a cluster of its own, and others use what it leaves idle until then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.mechanisms.cells.chain import Chain
from simulation.mechanisms.cells.reservations import Taken
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.sequence import Sequence
from simulation.mechanisms.tenancy import Tenancy
from simulation.records import Floats


@dataclass(frozen=True)
class GuaranteedCells(Tenancy):
    """Each tenant owns cells by its share: nodes, and parts of nodes for the rest. Cells are bound to GPUs when used.

    A job goes to the smallest cells of its tenant that hold it, in the recipe's order, and the first of a tenant that
    finds none blocks the tenant's others. Whoever waits may run as a guest on GPUs that no owner uses.
    """

    member: ClassVar[str] = "guaranteed-cells"
    levels: tuple[float, ...] = parameter(
        (1.0, 2.0, 4.0, 8.0), "cell sizes below the node", unit="GPUs", low=1, high=64,
        source="HiveD repository, examples; sizes are configuration",
    )  # fmt: skip
    guests: bool = parameter(
        True, "jobs that wait for their cells run on idle ones of others, and are killed when these are needed",
        source="HiveD repository (opportunistic jobs)",
    )  # fmt: skip

    def limit_gpus(self, view: View) -> Floats:
        """Cells are the limit, not counts."""
        return np.full(view.tenants, np.inf)

    def placer(self, view: View) -> CellPlacer:
        return CellPlacer(view, [int(size) for size in self.levels], self.guests)


class CellPlacer:
    """Who holds which cells, and who is a guest, in one run."""

    def __init__(self, view: View, levels: list[int], guests: bool) -> None:
        self._guests = guests
        self._chains = list(_chains(view, levels))
        self._taken: dict[int, tuple[Chain, Taken]] = {}
        self._guest_on: dict[int, Chain] = {}

    def refresh(self, view: View, news: News) -> None:
        """Whoever holds nothing any more has left its cells, whatever the reason."""
        for job in [job for job in self._taken if not view.held[job]]:
            chain, taken = self._taken.pop(job)
            chain.give_back(int(view.tenant[job]), taken)
        for job in [job for job in self._guest_on if not view.held[job]]:
            self._guest_on.pop(job).dismiss(job)

    def place(self, view: View, sequence: Sequence, rule: int, limit: Floats, draft: Draft) -> None:
        """Owners first, tenant by tenant down the order; guests on what is then left."""
        blocked: set[int] = set()
        for job in sequence.everyone(view).tolist():
            tenant = int(view.tenant[job])
            if job not in self._taken and tenant not in blocked and not self._own(view, job, tenant, draft):
                if self._ever(view, job, tenant):
                    blocked.add(tenant)
                elif not (self._guests and view.preemptible[job]):
                    draft.refuse(job)  # neither on its tenant's cells nor as a guest, who must be ready to leave
        if self._guests:
            for job in sequence.waiting(view).tolist():
                if not draft.free.any():
                    return
                if view.preemptible[job] and not draft.pieces(job):
                    self._invite(view, job, draft)

    def wake_s(self, view: View) -> float:
        return np.inf

    def _own(self, view: View, job: int, tenant: int, draft: Draft) -> bool:
        """Put a job on cells of its tenant, and send the guests there away; False where the tenant has no room."""
        for chain in self._permitted(view, job):
            taken = chain.take(tenant, int(view.gang[job]), job)
            if taken is None:
                continue
            before = draft.snapshot()
            leaving = chain.guests_of(taken) | ({job} if job in self._guest_on else set())
            for guest in sorted(leaving):
                draft.stop(guest)
            pieces = chain.pieces(taken, int(view.gang[job]))
            if any(draft.free[node] < gpus for node, gpus in pieces):  # a service, or a node that is down
                draft.restore(before)
                chain.give_back(tenant, taken)
                continue
            for guest in leaving:
                self._guest_on.pop(guest).dismiss(guest)
            draft.put(job, pieces)
            chain.occupy(taken)
            self._taken[job] = chain, taken
            return True
        return False

    def _invite(self, view: View, job: int, draft: Draft) -> None:
        for chain in self._permitted(view, job):
            pieces = chain.invite(job, int(view.gang[job]), draft.free)
            if pieces:
                draft.put(job, pieces)
                self._guest_on[job] = chain
                return

    def _ever(self, view: View, job: int, tenant: int) -> bool:
        """Whether the tenant's cells hold the job when they are all free; else it can only be a guest."""
        return any(chain.could_hold(tenant, int(view.gang[job])) for chain in self._permitted(view, job))

    def _permitted(self, view: View, job: int) -> Iterator[Chain]:
        for domain in view.permitted(job):
            yield from (chain for chain in self._chains if chain.domain == domain)


def _chains(view: View, levels: list[int]) -> Iterator[Chain]:
    """One for each domain and size of its nodes; in each every tenant has its share."""
    for domain in range(len(view.nodes.domain_speed)):
        inside = np.flatnonzero(view.nodes.domain == domain)
        for size in np.unique(view.nodes.size[inside])[::-1].tolist():
            nodes = inside[view.nodes.size[inside] == size]
            if size:
                yield Chain(domain, nodes.tolist(), size, levels, view.entitled)
