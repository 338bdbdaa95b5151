"""Rates of all jobs of a world as flat tables, in the form that kernels read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulation.by_address import ByAddress
from simulation.hardware import Links
from simulation.rate_profile import Goodput, RateProfile
from simulation.records import Floats, Ints
from simulation.world.cluster import Nodes
from simulation.world.curves import Curve, curve
from simulation.world.links import RACK, nearest_level, wiring

RATE, COMPUTE, BEYOND = range(3)  # last axis of `table`
UNKNOWN_NODE_GPUS = 8  # of a reference model that the cluster does not have
UTILISATION, MEMORY, STAGE = range(3)  # columns of `traits`; four stages from STAGE on
SKEW, ITERATION = 6, 7


class Rates(ByAddress):
    """K profiles, P phases of progress, D domains, counts up to C GPUs. Jobs without a profile have -1."""

    profile: Ints  # (jobs,)
    per_unit_s: Floats  # (jobs,) seconds of reference work in a unit of work
    table: Floats  # (K, P, D, 4, C + 1, 3)
    phase_end: Floats  # (K, P) progress at which a phase ends; 1 for the last and those after it
    clock: Floats  # (K,) sensitivity of compute time to the clock
    overlap: Floats  # (K, D) of compute and all-reduce (g), where others on its network can slow the job; else 0
    traits: Floats  # (K, 8); nan: unknown
    inputs: Floats  # (K, points, 3) cores and bytes of host memory a GPU, factor; -1 closes a list


def build_rates(
    profiles: Sequence[RateProfile], named: Sequence[str | None], gang: Ints, widest: Ints, nodes: Nodes
) -> Rates:
    """Tables for jobs whose profile is `named`; gang (jobs,) that durations refer to, widest (jobs,) they may have."""
    number = {profile.name: k for k, profile in enumerate(profiles)}
    profile = np.array([-1 if name is None else number[name] for name in named], dtype=np.int64)
    used = profile >= 0
    most = int(max(gang[used].max(initial=1), widest[used].max(initial=1)))
    most = min(most, max(int(gang[used].max(initial=1)), nodes.gpus))
    phases = max((len(p.goodput.noise) for p in profiles if p.goodput), default=1)
    table = np.zeros((len(profiles), phases, len(nodes.domain_speed), 4, most + 1, 3))
    phase_end = np.ones((len(profiles), phases))
    per_unit = np.ones((len(profiles), most + 1))
    for k, given in enumerate(profiles):
        ends = _phase_ends(given.goodput)
        phase_end[k, : len(ends)] = ends
        for d, (model, speed) in enumerate(zip(nodes.domain_model, nodes.domain_speed.tolist(), strict=True)):
            _enter(table[k, :, d], curve(given, model, speed, nodes.domain_wiring[d], most))
        per_unit[k] = _seconds_per_unit(given, ends, nodes, most)
    return Rates(
        profile=profile,
        per_unit_s=np.where(used, per_unit[profile, np.where(used, gang, 0)], 1.0)
        if len(profiles)
        else np.ones(len(profile)),
        table=table,
        phase_end=phase_end,
        clock=np.array([p.clock_sensitivity for p in profiles], dtype=np.float64),
        overlap=np.array([_overlaps(p, nodes) for p in profiles]).reshape(len(profiles), len(nodes.domain_speed)),
        traits=np.array([_traits(p) for p in profiles], dtype=np.float64).reshape(-1, 8),
        inputs=_inputs(profiles),
    )


def shortened(rates: Rates, part: Floats) -> Rates:
    """The same for jobs that end after a `part` (jobs,) of their work: phases begin where they would have begun.

    Phases that would have come later end beyond 1: that they never come is nobody's to know.
    """
    has_phases = np.append(rates.phase_end[:, 0] < 1.0, False)  # the last for jobs without a profile
    cut = np.flatnonzero(has_phases[rates.profile] & (part < 1))
    if not len(cut):
        return rates
    old, profile = rates.profile[cut], rates.profile.copy()
    profile[cut] = len(rates.table) + np.arange(len(cut))
    again = {
        name: np.concatenate([getattr(rates, name), getattr(rates, name)[old]])
        for name in ("table", "clock", "overlap", "traits", "inputs")
    }
    ends = np.concatenate([rates.phase_end, rates.phase_end[old] / part[cut, None]])
    return Rates(profile=profile, per_unit_s=rates.per_unit_s, phase_end=ends, **again)


def _phase_ends(goodput: Goodput | None) -> list[float]:
    return [1.0] if goodput is None else [*(step.progress for step in goodput.noise[1:]), 1.0]


def _enter(table: Floats, found: Curve) -> None:
    """Write a curve into (P, 4, C + 1, 3); phases beyond those of the profile repeat its last."""
    for phase in range(len(table)):
        at = min(phase, len(found.rate) - 1)
        table[phase, ..., RATE], table[phase, ..., COMPUTE] = found.rate[at], found.compute[at]
        table[phase, ..., BEYOND] = found.beyond[at]


def _seconds_per_unit(profile: RateProfile, ends: list[float], nodes: Nodes, most: int) -> Floats:
    """(counts,) so that a gang of the reference model, as close together as it can be, works for just its duration."""
    model = profile.reference_model
    known = [d for d, name in enumerate(nodes.domain_model) if name == model or (model is None and d == 0)]
    wires = nodes.domain_wiring[known[0]] if known else wiring(Links(), UNKNOWN_NODE_GPUS)
    speed = float(nodes.domain_speed[known[0]]) if known and model is not None else 1.0
    counts = np.arange(most + 1)
    found = curve(profile, model or "", speed, wires, most).rate[:, nearest_level(counts, wires), counts]
    lengths = np.diff([0.0, *ends])
    with np.errstate(divide="ignore"):
        per_unit = (lengths[:, None] / found).sum(axis=0)
    return np.where(np.isfinite(per_unit), per_unit, 0.0)


def _overlaps(profile: RateProfile, nodes: Nodes) -> list[float]:
    model = profile.iteration
    if model is None or model.gradient_bytes == 0:
        return [0.0] * len(nodes.domain_speed)
    return [model.overlap if wires.known[RACK] else 0.0 for wires in nodes.domain_wiring]


def _traits(profile: RateProfile) -> tuple[float, ...]:
    stages = profile.stages_s or (np.nan,) * 4
    skew = np.nan if profile.skew is None else profile.skew
    compute_s = profile.iteration.compute_s if profile.iteration else np.nan
    return (profile.utilisation or np.nan, profile.memory_bytes or np.nan, *stages, skew, compute_s)


def _inputs(profiles: Sequence[RateProfile]) -> Floats:
    longest = max((len(p.inputs) for p in profiles), default=0)
    table = np.full((len(profiles), longest + 1, 3), -1.0)
    for k, profile in enumerate(profiles):
        for i, point in enumerate(profile.inputs):
            table[k, i] = point.cores, point.memory_bytes, point.factor
    return table
