"""A chain of equal nodes at work: cells of owners and GPUs of guests, each GPU by number."""

from __future__ import annotations

import numpy as np

from simulation.engine.holding import Pieces
from simulation.mechanisms.cells.buddies import BuddyCells, Cell, cell_sizes
from simulation.mechanisms.cells.reservations import Reservation, Taken, cells_of
from simulation.records import Floats, Ints

NOBODY = -1
ROUNDING = 1e-9


class Chain:
    """Equal nodes of one domain, with the cells that each tenant has by its share."""

    def __init__(self, domain: int, nodes: list[int], size: int, levels: list[int], entitled: Floats) -> None:
        self.domain, self._nodes, self._size = domain, nodes, size
        self._cells = BuddyCells(len(nodes), cell_sizes(size, levels))
        whole = np.floor(entitled * (len(nodes) * size) + ROUNDING).astype(int)
        self._owed = [cells_of(gpus, self._cells.sizes) for gpus in whole.tolist()]
        self._reservations = [Reservation(self._cells, owed) for owed in self._owed]
        self._owned = np.zeros(len(nodes) * size, np.bool_)
        self._guest = np.full(len(nodes) * size, NOBODY)
        self._could: dict[tuple[int, int], bool] = {}

    def could_hold(self, tenant: int, gpus: int) -> bool:
        """Whether the cells of a tenant hold a gang when all are free."""
        if (tenant, gpus) not in self._could:
            empty = Reservation(BuddyCells(len(self._nodes), self._cells.sizes), self._owed[tenant])
            self._could[tenant, gpus] = empty.take(gpus) is not None
        return self._could[tenant, gpus]

    def take(self, tenant: int, gpus: int, job: int) -> Taken | None:
        """Cells of a tenant for a gang, where they drive away the fewest guests; then where it is one itself."""

        def guests(cell: Cell) -> int:
            inside = self._guest[cell.start : cell.start + self._cells.sizes[cell.level]]
            own = int((inside == job).sum())
            return int((inside != NOBODY).sum() - own) * len(self._guest) - own

        return self._reservations[tenant].take(gpus, guests)

    def give_back(self, tenant: int, taken: Taken) -> None:
        for gpus in self._runs(taken):
            self._owned[gpus] = False
        self._reservations[tenant].give_back(taken)

    def occupy(self, taken: Taken) -> None:
        """From now on the cells are in use by their owner."""
        for gpus in self._runs(taken):
            self._owned[gpus] = True

    def guests_of(self, taken: Taken) -> set[int]:
        """Guests on any GPU of the cells."""
        return {int(job) for gpus in self._runs(taken) for job in self._guest[gpus] if job != NOBODY}

    def pieces(self, taken: Taken, gpus: int) -> Pieces:
        """The first `gpus` GPUs of the cells, by node."""
        pieces = []
        for run in self._runs(taken):
            got = min(gpus, run.stop - run.start)
            pieces.append((self._nodes[run.start // self._size], got))
            gpus -= got
        return pieces

    def invite(self, job: int, gpus: int, free: Ints) -> Pieces:
        """Seat a guest, on one node if one has room, else on the emptiest ones; the last nodes first, because owners
        begin with the first. Empty where there is no room. free (nodes of the cluster,): GPUs that nobody holds."""
        seats = (~self._owned & (self._guest == NOBODY)).reshape(-1, self._size).sum(axis=1)
        seats = np.minimum(seats, free[self._nodes])
        if seats.sum() < gpus:
            return []
        one = np.flatnonzero(seats >= gpus)
        order = one[-1:] if len(one) else np.lexsort((-np.arange(len(seats)), -seats))
        pieces = []
        for at in order.tolist():
            got = min(gpus, int(seats[at]))
            if got:
                self._seat(job, at, got)
                pieces.append((self._nodes[at], got))
                gpus -= got
        return pieces

    def dismiss(self, job: int) -> None:
        """A guest has left."""
        self._guest[self._guest == job] = NOBODY

    def _seat(self, job: int, at: int, gpus: int) -> None:
        inside = np.arange(at * self._size, (at + 1) * self._size)
        open_ = inside[~self._owned[inside] & (self._guest[inside] == NOBODY)]
        self._guest[open_[-gpus:]] = job

    def _runs(self, taken: Taken) -> list[slice]:
        """GPUs of the cells, by their numbers in the chain."""
        return [slice(cell.start, cell.start + self._cells.sizes[cell.level]) for cell in taken.cells]
