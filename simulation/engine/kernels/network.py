"""Network ports of nodes, shared by the jobs whose all-reduce crosses them.

A job that communicates for a part d of its time, when alone, finds a port on which others do so for d1, d2, ... of
theirs with 1 / (1 + d1 + d2 + ...) of its bandwidth; the most crowded of its ports counts. Where the bandwidth of a
network is not known, nobody is slowed by others.
"""

from __future__ import annotations

from typing import Final

from simulation.engine.kernels.compiling import inner
from simulation.engine.kernels.holding import level_of_holding, slowest_domain
from simulation.engine.state import State
from simulation.world.links import RACK
from simulation.world.rates import COMPUTE

WHOLE: Final = 1 << 40  # duties are whole numbers of this part, so that their sum does not depend on its order


@inner
def duty_of(s: State, job: int) -> int:
    """Part of its time in which a job keeps the ports of its nodes busy; 0 where it crosses none."""
    domain, level = slowest_domain(s, job), level_of_holding(s, job)
    overlap = s.rates.overlap[s.rates.profile[job], domain] if s.rates.profile[job] >= 0 else 0.0
    if overlap == 0.0 or level < RACK:
        return 0
    compute = s.rates.table[s.rates.profile[job], 0, domain, level, s.held[job], COMPUTE]
    return int((1.0 - compute**overlap) ** (1.0 / overlap) * WHOLE)


@inner
def load_ports(s: State, job: int, duty: int) -> None:
    """Add `duty` to the ports of the nodes of a job."""
    entry = s.first_entry[s.host[job]]
    while entry >= 0:
        s.port_load[s.entry_node[entry]] += duty
        entry = s.entry_next[entry]


@inner
def meet(s: State, job: int, other: int) -> bool:
    """Whether two running jobs have a node in common."""
    mine = s.first_entry[s.host[job]]
    while mine >= 0:
        entry = s.first_entry[s.host[other]]
        while entry >= 0:
            if s.entry_node[entry] == s.entry_node[mine]:
                return True
            entry = s.entry_next[entry]
        mine = s.entry_next[mine]
    return False


@inner
def contended_factor(s: State, job: int) -> float:
    """Rate on its crowded ports over rate on ports of its own."""
    crowd, entry = 0, s.first_entry[s.host[job]]
    while entry >= 0:
        crowd = max(crowd, s.port_load[s.entry_node[entry]] - s.duty[job])
        entry = s.entry_next[entry]
    overlap = s.rates.overlap[s.rates.profile[job], slowest_domain(s, job)]
    alone = (s.duty[job] / WHOLE) ** overlap
    slowed: float = (1.0 - alone + alone * (1.0 + crowd / WHOLE) ** overlap) ** (-1.0 / overlap)
    return slowed
