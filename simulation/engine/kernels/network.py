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
from simulation.engine.ports import EQUAL, SHIFTED
from simulation.engine.state import RUNNING_COUNT, State
from simulation.world.links import RACK
from simulation.world.rates import COMPUTE, ITERATION

WHOLE: Final = 1 << 40  # duties are whole numbers of this part, so that their sum does not depend on its order
LEAST_LEFT: Final = WHOLE >> 10  # of a port, for those without priority, whatever the others take


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
    return int(met_part(period, busy_us(period, duty), other_period, busy_us(other_period, s.duty[other]), gap) * WHOLE)


@inner
def wait_for(s: State, job: int, other: int) -> int:
    """How much longer a job communicates because of another, by priority, as a duty.

    Whoever has to wait for d of a time may meet the other again in that: d + d^2 + ... = d / (1 - d).
    """
    duty = s.duty[other]
    if s.ports.turn[other] > s.ports.turn[job]:
        return int(duty / max(WHOLE - duty, LEAST_LEFT) * WHOLE)
    return int(duty) if s.ports.turn[other] == s.ports.turn[job] else 0


@inner
def crowd(s: State, job: int, node: int, domain: int, level: int, gpus: int, shift: int) -> int:
    """How much longer it communicates, as a duty, because of those on the port of a node; node < 0: on any of its own.

    With a placement that it has or may get; shift < 0: with the best shift for each of them.
    """
    shifted, total = s.ports.law == SHIFTED, 0
    period = iteration_us(s, job, domain, level, gpus) if shifted else 0
    duty = duty_at(s, job, domain, level, gpus)
    for i in range(s.tally[RUNNING_COUNT]):
        other = s.running[i]
        if other != job and s.duty[other] > 0 and (crosses(s, other, node) if node >= 0 else meet(s, job, other)):
            total += met_of(s, other, period, duty, shift) if shifted else wait_for(s, job, other)
    return total


@inner
def align(s: State, job: int) -> None:
    """Where the law shifts phases: those of a job that comes, to where it meets the least of who is there.

    They stay as they are. It begins with them, just after the communication of one of them, or ends just before it.
    """
    if s.ports.law != SHIFTED:
        return
    domain, level, gpus = slowest_domain(s, job), level_of_holding(s, job), s.held[job]
    period = iteration_us(s, job, domain, level, gpus)
    best, least = 0, WHOLE * s.tally[RUNNING_COUNT]
    for i in range(-1, 2 * s.tally[RUNNING_COUNT]):
        other = s.running[max(i, 0) // 2]
        shift = 0
        if i >= 0:
            if other == job or s.duty[other] == 0 or not meet(s, job, other):
                continue
            its = iteration_us(s, other, slowest_domain(s, other), level_of_holding(s, other), s.held[other])
            shift = s.ports.turn[other] + (busy_us(its, s.duty[other]) if i % 2 else -busy_us(period, s.duty[job]))
            shift %= period
        met = crowd(s, job, -1, domain, level, gpus, shift)
        if met < least or (met == least and shift < best):
            best, least = shift, met
        if least == 0:
            break
    s.ports.turn[job] = best


@inner
def contended_factor(s: State, job: int) -> float:
    """Rate on its crowded ports over rate on ports of its own."""
    domain, most, entry = slowest_domain(s, job), 0, s.first_entry[s.host[job]]
    while entry >= 0:
        node = s.entry_node[entry]
        if s.ports.law == EQUAL:
            most = max(most, s.port_load[node] - s.duty[job])
        else:
            turn = s.ports.turn[job]
            most = max(most, crowd(s, job, node, domain, level_of_holding(s, job), s.held[job], turn))
        entry = s.entry_next[entry]
    overlap = s.rates.overlap[s.rates.profile[job], domain]
    alone = (s.duty[job] / WHOLE) ** overlap
    slowed: float = (1.0 - alone + alone * (1.0 + most / WHOLE) ** overlap) ** (-1.0 / overlap)
    return slowed


@inner
def crowd_to_meet(s: State, job: int, node: int, domain: int, gpus: int) -> int:
    """As `crowd`, of a job that does not run, if it came there in a gang spread over a rack; 0 where it is silent."""
    if duty_at(s, job, domain, RACK, gpus) == 0:
        return 0
    return int(s.port_load[node]) if s.ports.law == EQUAL else crowd(s, job, node, domain, RACK, gpus, -1)
