"""How fast a job works on what it holds: profile x sharing x network x inputs x clock. See world.curves."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.holding import level_of_holding, slowest_domain
from simulation.engine.kernels.network import contended_factor
from simulation.engine.sharing import CROWDING, INTERLEAVING, STAGES, TIME_SLICES, UNKNOWN_UTILISATION
from simulation.engine.state import CLOCK, CORES, DUTY, MEMORY, State
from simulation.world.rates import BEYOND, COMPUTE, RATE, STAGE, UTILISATION


@inner
def members(s: State, job: int) -> int:
    """How many jobs share its GPUs, itself included."""
    count, other = 1, s.mate[job]
    while other != job:
        count += 1
        other = s.mate[other]
    return count


@inner
def summed_utilisation(s: State, job: int) -> float:
    total, other = 0.0, job
    while True:
        profile = s.rates.profile[other]
        own = s.rates.traits[profile, UTILISATION] if profile >= 0 else np.nan
        total += UNKNOWN_UTILISATION if np.isnan(own) else own
        other = s.mate[other]
        if other == job:
            return total


@inner
def stage_s(s: State, job: int, stage: int) -> float:
    """Seconds of an iteration on one resource; a job whose stages are unknown uses every resource all the time."""
    profile = s.rates.profile[job]
    own = s.rates.traits[profile, STAGE + stage] if profile >= 0 else np.nan
    return 1.0 if np.isnan(own) else own


@inner
def nth(s: State, job: int, n: int) -> int:
    """The n-th of the ring that begins with the host; -1 beyond its end."""
    host = s.host[job]
    other = host
    for _ in range(n):
        other = s.mate[other]
        if other == host:
            return -1
    return int(other)


@inner
def interleaved_s(s: State, job: int) -> float:
    """Least time in which every member of the group does one iteration: phases in which no resource serves two."""
    least = np.inf
    for order in range(len(s.law.orders)):
        total = 0.0
        for phase in range(STAGES):
            longest = 0.0
            for place in range(STAGES):
                member = nth(s, job, s.law.orders[order, place])
                if member >= 0:
                    longest = max(longest, stage_s(s, member, (phase - place) % STAGES))
            total += longest
        least = min(least, total)
    return least


@inner
def shared_factor(s: State, job: int) -> float:
    """Rate beside its neighbours over rate alone."""
    law, p = s.law, s.law.parameters
    if s.mate[job] == job:
        return 1.0
    count = members(s, job)
    if law.law == CROWDING:
        return float(max(1.0 / count, 1.0 - p[0] * max(0.0, summed_utilisation(s, job) - p[1])))
    if law.law == TIME_SLICES:
        return float((1.0 - p[0]) / max(1.0, summed_utilisation(s, job)))
    if law.law == INTERLEAVING:
        alone = 0.0
        for stage in range(STAGES):
            alone += stage_s(s, job, stage)
        return float(alone * p[0] / (interleaved_s(s, job) * p[min(count, len(p)) - 1]))
    return 1.0 / count


@inner
def input_factor(s: State, job: int) -> float:
    """Rate with its cores and host memory over rate with the GPU-proportional share: the best point within them."""
    profile, cores, memory = s.rates.profile[job], s.setting[job, CORES], s.setting[job, MEMORY]
    if profile < 0 or not cores > 0.0 or s.rates.inputs[profile, 0, 0] < 0:
        return 1.0
    best = 0.0
    for i in range(s.rates.inputs.shape[1]):
        point = s.rates.inputs[profile, i]
        if point[0] < 0:
            break
        if point[0] <= cores * (1 + 1e-9) and point[1] <= memory * (1 + 1e-9):
            best = max(best, point[2])
    return best


@kernel
def phase_of(s: State, job: int, done: float) -> int:
    """Phase of a profile at a progress of `done` (0 to 1)."""
    ends = s.rates.phase_end[s.rates.profile[job]]
    phase = 0
    while phase + 1 < len(ends) and done >= ends[phase]:
        phase += 1
    return phase


@inner
def progress_of(s: State, job: int, done_s: float) -> float:
    """Part of its work that is done. At the end of a phase it is that end, whatever the quotient rounds to."""
    whole_s, ends = s.duration_s[job], s.rates.phase_end[s.rates.profile[job]]
    done = done_s / whole_s
    for phase in range(len(ends)):
        if done < ends[phase] and done_s >= ends[phase] * whole_s:
            return float(ends[phase])
    return float(done)


@inner
def clock_of(s: State, job: int) -> float:
    """Relative to the full one."""
    clock = s.setting[job, CLOCK]
    return float(clock) if clock > 0.0 else 1.0


@inner
def alone_rate(s: State, job: int, phase: int, domain: int, level: int, gpus: int) -> float:
    """Seconds of reference work a second by its profile, at its clock."""
    profile = s.rates.profile[job]
    row = s.rates.table[profile, phase, domain, level, gpus]
    clock = clock_of(s, job)
    rate = row[RATE] * s.rates.per_unit_s[job]
    if clock != 1.0:
        rate /= row[COMPUTE] / clock ** s.rates.clock[profile] + 1.0 - row[COMPUTE]
    return float(rate)


@inner
def linear_rate(s: State, job: int) -> float:
    """Of a plain job: a gang is as fast as its slowest GPU."""
    entry = s.first_entry[job]
    speed = np.inf
    while entry >= 0:
        speed = min(speed, s.domain_speed[s.domain[s.entry_node[entry]]])
        entry = s.entry_next[entry]
    return float(speed * s.held[job] / s.gang[job])


@inner
def rate_of(s: State, job: int, done: float) -> float:
    """Seconds of reference work a second on what the job holds, at a progress of `done`."""
    domain = slowest_domain(s, job)
    if s.rates.profile[job] < 0:
        rate = s.domain_speed[domain] * s.held[job] / s.gang[job]
        if clock_of(s, job) != 1.0:
            rate *= clock_of(s, job)
    else:
        rate = alone_rate(s, job, phase_of(s, job, done), domain, level_of_holding(s, job), s.held[job])
        rate *= input_factor(s, job)
        if s.duty[job] > 0:
            rate *= contended_factor(s, job)
    return float(rate * shared_factor(s, job) * s.overhead_s[DUTY])


@inner
def is_beyond(s: State, job: int) -> bool:
    """Whether the rate of what it holds was never measured."""
    profile = s.rates.profile[job]
    if profile < 0:
        return False
    return bool(s.rates.table[profile, 0, slowest_domain(s, job), level_of_holding(s, job), s.held[job], BEYOND] > 0)


@inner
def activity_of(s: State, job: int) -> float:
    """Dynamic power over that of a busy GPU at full clock: share of compute in the time, and the cube of the clock."""
    profile, clock = s.rates.profile[job], clock_of(s, job)
    if profile < 0:
        return float(clock * clock * clock)  # a power would differ by a bit when compiled
    compute = s.rates.table[profile, 0, slowest_domain(s, job), level_of_holding(s, job), s.held[job], COMPUTE]
    if clock != 1.0:
        slower = compute / clock ** s.rates.clock[profile]
        return float(slower / (slower + 1.0 - compute) * (clock * clock * clock))
    return float(compute)


@inner
def has_phases(s: State, job: int) -> bool:
    """Whether its rate changes with its progress."""
    profile = s.rates.profile[job]
    return bool(profile >= 0 and s.rates.phase_end[profile, 0] < 1.0)


@inner
def span_of_work_s(s: State, job: int, work_s: float) -> float:
    """How long the next `work_s` of its remaining work take; inf where it makes no progress."""
    if has_phases(s, job):
        return float(span_by_phases_s(s, job, work_s))
    return float(work_s / s.rate[job]) if s.rate[job] > 0.0 else np.inf


@inner
def span_by_phases_s(s: State, job: int, work_s: float) -> float:
    """As `span_of_work_s`, phase by phase."""
    whole_s, ends = s.duration_s[job], s.rates.phase_end[s.rates.profile[job]]
    done_s, took_s = whole_s - s.remaining_s[job], 0.0
    last_s = done_s + work_s
    while done_s < last_s:
        done = progress_of(s, job, done_s)
        phase, rate = phase_of(s, job, done), rate_of(s, job, done)
        if rate == 0.0:
            return np.inf
        end_s = min(last_s, ends[phase] * whole_s) if phase + 1 < len(ends) else last_s
        took_s += (end_s - done_s) / rate
        done_s = end_s
    return took_s


@kernel
def work_in_s(s: State, job: int, time_s: float) -> float:
    """Work done in the next `time_s`; the inverse of `span_of_work_s`."""
    if has_phases(s, job):
        return float(work_by_phases_s(s, job, time_s))
    return float(time_s * s.rate[job])


@inner
def work_by_phases_s(s: State, job: int, time_s: float) -> float:
    """As `work_in_s`, phase by phase."""
    whole_s, ends = s.duration_s[job], s.rates.phase_end[s.rates.profile[job]]
    done_s = first_s = whole_s - s.remaining_s[job]
    while time_s > 0 and done_s < whole_s:
        done = progress_of(s, job, done_s)
        phase, rate = phase_of(s, job, done), rate_of(s, job, done)
        to_end_s = ends[phase] * whole_s - done_s if phase + 1 < len(ends) else np.inf
        if rate * time_s <= to_end_s:
            return float(done_s + rate * time_s - first_s)
        time_s -= to_end_s / rate
        done_s = ends[phase] * whole_s
    return float(done_s - first_s)


@inner
def work_profiled_s(s: State, job: int, time_s: float) -> float:
    """As `work_in_s`, for those who seldom need it."""
    return float(work_in_s(s, job, time_s))
