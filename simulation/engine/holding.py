"""What a job holds, read from the ledger in plain Python."""

from __future__ import annotations

from simulation.engine.state import State

Pieces = list[tuple[int, int]]  # (node, GPUs)


def held_pieces(s: State, job: int) -> Pieces:
    """Pieces of a running job, alone or shared, in the order in which they were taken; none for one that waits."""
    pieces, entry = [], int(s.first_entry[s.host[job]])
    while entry >= 0:
        pieces.append((int(s.entry_node[entry]), int(s.entry_gpus[entry])))
        entry = int(s.entry_next[entry])
    return pieces[::-1]
