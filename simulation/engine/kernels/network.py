"""Network ports of nodes, shared by the jobs whose all-reduce crosses them.

A job that communicates for a part d of its time, when alone, finds a port on which others do so for d1, d2, ... of
theirs with 1 / (1 + d1 + d2 + ...) of its bandwidth; the most crowded of its ports counts. Where the bandwidth of a
network is not known, nobody is slowed by others. So it is where all are equal; see engine.ports for the other laws.
"""

from __future__ import annotations

from typing import Final

from simulation.engine.kernels.compiling import inner
from simulation.engine.kernels.holding import level_of_holding, slowest_domain
from simulation.engine.kernels.phases import met_part, period_us
from simulation.engine.ports import BY_PRIORITY, EQUAL, SHIFTED
from simulation.engine.state import RUNNING_COUNT, State
from simulation.world.links import RACK
from simulation.world.rates import COMPUTE, ITERATION

WHOLE: Final = 1 << 40  # duties are whole numbers of this part, so that their sum does not depend on its order


@inner
def duty_at(s: State, job: int, domain: int, level: int, gpus: int) -> int:
    """Part of its time in which a job would keep the ports of its nodes busy; 0 where it crosses none."""
    overlap = s.rates.overlap[s.rates.profile[job], domain] if s.rates.profile[job] >= 0 else 0.0
    if overlap == 0.0 or level < RACK:
        return 0
    compute = s.rates.table[s.rates.profile[job], 0, domain, level, gpus, COMPUTE]
    return int((1.0 - compute**overlap) ** (1.0 / overlap) * WHOLE)


@inner
def duty_of(s: State, job: int) -> int:
    """As `duty_at`, with what it holds."""
    return duty_at(s, job, slowest_domain(s, job), level_of_holding(s, job), s.held[job])


@inner
def load_ports(s: State, job: int, duty: int) -> None:
    """Add `duty` to the ports of the nodes of a job."""
    entry = s.first_entry[s.host[job]]
    while entry >= 0:
        s.port_load[s.entry_node[entry]] += duty
        entry = s.entry_next[entry]


@inner
def crosses(s: State, job: int, node: int) -> bool:
    """Whether a running job crosses the port of a node."""
    entry = s.first_entry[s.host[job]] if s.duty[job] > 0 else -1
    while entry >= 0:
        if s.entry_node[entry] == node:
            return True
        entry = s.entry_next[entry]
    return False


@inner
def meet(s: State, job: int, other: int) -> bool:
    """Whether two running jobs have a node in common."""
    entry = s.first_entry[s.host[job]]
    while entry >= 0:
        if crosses(s, other, s.entry_node[entry]):
            return True
        entry = s.entry_next[entry]
    return False


@inner
def iteration_us(s: State, job: int, domain: int, level: int, gpus: int) -> int:
    """Time of an iteration on ports of its own, on the grid of phases."""
    profile = s.rates.profile[job]
    compute_s = s.rates.traits[profile, ITERATION] / (s.domain_speed[domain] * gpus)
    return period_us(compute_s / s.rates.table[profile, 0, domain, level, gpus, COMPUTE])


@inner
def busy_us(period: int, duty: int) -> int:
    return max(1, int(period * (duty / WHOLE)))


@inner
def met_of(s: State, other: int, period: int, duty: int, shift: int) -> int:
    """Part of a job's communication, as a duty, in which it meets a running one; shift < 0: the best shift."""
    other_period = iteration_us(s, other, slowest_domain(s, other), level_of_holding(s, other), s.held[other])
    gap = (s.ports.turn[other] - shift) % other_period if shift >= 0 else -1
    part = met_part(period, busy_us(period, duty), other_period, busy_us(other_period, s.duty[other]), gap)
    return int(part * WHOLE)


@inner
def met_with_shift(s: State, job: int, period: int, shift: int) -> int:
    """Of all who cross one of its ports, as `met_of`."""
    met = 0
    for i in range(s.tally[RUNNING_COUNT]):
        other = s.running[i]
        if other != job and s.duty[other] > 0 and meet(s, job, other):
            met += met_of(s, other, period, s.duty[job], shift)
    return met


@inner
def align(s: State, job: int) -> None:
    """Where the law shifts phases: those of a job that comes, to where it meets the least of who is there.

    They stay as they are. It begins with them, just after the communication of one of them, or ends just before it.
    """
    if s.ports.law != SHIFTED:
        return
    period = iteration_us(s, job, slowest_domain(s, job), level_of_holding(s, job), s.held[job])
    busy = busy_us(period, s.duty[job])
    best, least = 0, met_with_shift(s, job, period, 0)
    for i in range(s.tally[RUNNING_COUNT]):
        other = s.running[i]
        if least == 0:
            break
        if other != job and s.duty[other] > 0 and meet(s, job, other):
            its = iteration_us(s, other, slowest_domain(s, other), level_of_holding(s, other), s.held[other])
            begin = s.ports.turn[other]
            for candidate in (begin + busy_us(its, s.duty[other]), begin - busy):
                shift = candidate % period
                met = met_with_shift(s, job, period, shift)
                if met < least or (met == least and shift < best):
                    best, least = shift, met
    s.ports.turn[job] = best


@inner
def stretch_by_priority(s: State, job: int, node: int) -> float:
    """Those with priority come by chance: the port is left free for the product of their times without it."""
    left, equals = 1.0, 0
    for i in range(s.tally[RUNNING_COUNT]):
        other = s.running[i]
        if other != job and crosses(s, other, node):
            if s.ports.turn[other] > s.ports.turn[job]:
                left *= 1.0 - s.duty[other] / WHOLE
            elif s.ports.turn[other] == s.ports.turn[job]:
                equals += s.duty[other]
    longer: float = (1.0 + equals / WHOLE) / max(left, 1.0 / WHOLE)
    return longer


@inner
def stretch_by_phases(s: State, job: int, node: int) -> float:
    """Whoever is met at once takes as much of the port."""
    period = iteration_us(s, job, slowest_domain(s, job), level_of_holding(s, job), s.held[job])
    met = 0
    for i in range(s.tally[RUNNING_COUNT]):
        other = s.running[i]
        if other != job and crosses(s, other, node):
            met += met_of(s, other, period, s.duty[job], s.ports.turn[job])
    return 1.0 + met / WHOLE


@inner
def stretch(s: State, job: int, node: int) -> float:
    """Time that it communicates through a port over the time on a port of its own."""
    if s.ports.law == BY_PRIORITY:
        return stretch_by_priority(s, job, node)
    if s.ports.law == SHIFTED:
        return stretch_by_phases(s, job, node)
    return 1.0 + (s.port_load[node] - s.duty[job]) / WHOLE


@inner
def contended_factor(s: State, job: int) -> float:
    """Rate on its crowded ports over rate on ports of its own."""
    longest, entry = 1.0, s.first_entry[s.host[job]]
    while entry >= 0:
        longest = max(longest, stretch(s, job, s.entry_node[entry]))
        entry = s.entry_next[entry]
    overlap = s.rates.overlap[s.rates.profile[job], slowest_domain(s, job)]
    alone = (s.duty[job] / WHOLE) ** overlap
    slowed: float = (1.0 - alone + alone * longest**overlap) ** (-1.0 / overlap)
    return slowed


@inner
def crowd_to_meet(s: State, job: int, node: int, domain: int, gpus: int) -> int:
    """Duties of those on a port that a job would be slowed by if it came there, in a gang spread over a rack."""
    duty = duty_at(s, job, domain, RACK, gpus)
    if duty == 0:
        return 0
    if s.ports.law == EQUAL:
        return int(s.port_load[node])
    period = iteration_us(s, job, domain, RACK, gpus) if s.ports.law == SHIFTED else 0
    crowd = 0
    for i in range(s.tally[RUNNING_COUNT]):
        other = s.running[i]
        if other != job and crosses(s, other, node):
            if s.ports.law == SHIFTED:
                crowd += met_of(s, other, period, duty, -1)
            elif s.ports.turn[other] >= s.ports.turn[job]:
                crowd += s.duty[other]
    return crowd
