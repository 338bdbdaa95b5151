"""Rate of a profile on one GPU model, by level of the placement and by number of GPUs.

Measured points are interpolated inside their range. Outside, the iteration model continues them, scaled to meet the
last point; without one, fewer GPUs work in proportion and more GPUs add nothing. Whatever is not measured is marked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulation.rate_profile import LEVELS, Goodput, Iteration, RatePoint, RateProfile
from simulation.records import Floats, Ints
from simulation.world.links import RACK, Wiring, all_reduce_s

# rate of a placement at a worse level where nothing is measured there: median of measured jobs, 10 to 25 Gb/s networks
UNMEASURED_LEVEL = np.array([1.0, 1.0, 0.75, 0.65])
BATCHES = 50  # geometrically spaced, from the base batch to the largest


class Curve(NamedTuple):
    """(phases, 4 levels, counts + 1): units of work a second; share of compute time; 1 where it is extrapolated."""

    rate: Floats
    compute: Floats
    beyond: Floats


def curve(profile: RateProfile, model: str, speed: float, wires: Wiring, most: int) -> Curve:
    """Curve for 0 to `most` GPUs of `model`; rate 0 where the job does not run."""
    counts = np.arange(most + 1)
    if profile.goodput is not None:
        rows = [_goodput(profile.goodput, step.phi, speed, counts) for step in profile.goodput.noise]
        rate, compute, beyond = np.stack(rows), np.ones((len(rows), 4, most + 1)), np.zeros((len(rows), 4, most + 1))
    else:
        rate, compute, beyond = (part[None] for part in _rates(profile, model, speed, wires, counts))
    rate[..., 0] = 0.0
    return Curve(rate, compute, beyond)


def _rates(
    profile: RateProfile, model: str, speed: float, wires: Wiring, counts: Ints
) -> tuple[Floats, Floats, Floats]:
    shape = (4, len(counts))
    rate, compute, beyond = np.zeros(shape), np.ones(shape), np.zeros(shape)
    if profile.iteration is not None:
        for level in range(4):
            rate[level], compute[level] = _iteration(profile.iteration, speed, level, wires, counts)
            talks = (counts > 1) & (profile.iteration.gradient_bytes > 0)
            beyond[level] = np.where(talks, float(not wires.known[level]), 0.0)
    if not profile.points:
        return rate, compute, beyond
    points = [p for p in profile.points if p.gpu_model == model]
    if not points:
        if profile.iteration is None:
            points = [
                p.model_copy(update={"rate": p.rate * speed})
                for p in profile.points
                if p.gpu_model == profile.reference_model
            ]
        else:
            return rate, compute, np.ones(shape)
    measured_here = any(p.gpu_model == model for p in profile.points)
    better: Floats | None = None
    for level, name in enumerate(LEVELS):
        mine = sorted((p for p in points if p.level == name), key=lambda p: p.gpus)
        if mine:
            rate[level], beyond[level] = _measured(mine, rate[level], counts)
        elif better is not None:
            factor = UNMEASURED_LEVEL[level] / UNMEASURED_LEVEL[level - 1]
            rate[level] = np.where(counts > 1, better * factor, better)
            beyond[level] = np.maximum(beyond[level - 1], counts > 1 if level >= RACK else 0.0)
        better = rate[level] if mine or better is not None else None
    _fill_better_levels(points, rate, beyond)
    return rate, compute, np.where(measured_here, beyond, 1.0)


def _fill_better_levels(points: list[RatePoint], rate: Floats, beyond: Floats) -> None:
    """A level better than the best measured one is at least as fast: it takes that one's rates."""
    best = min(LEVELS.index(p.level) for p in points)
    for level in range(best):
        rate[level], beyond[level] = rate[best], beyond[best]


def _measured(points: list[RatePoint], model_rate: Floats, counts: Ints) -> tuple[Floats, Floats]:
    """Linear between points; continued by the model where it has rates, else in proportion below and flat above."""
    at = np.array([p.gpus for p in points], dtype=np.float64)
    rate = np.array([p.rate for p in points])
    inside = np.interp(counts, at, rate)
    first, last = int(at[0]), int(at[-1])
    below = rate[0] * counts / at[0]
    above = np.full(len(counts), rate[-1])
    if last < len(model_rate) and model_rate[last] > 0 and model_rate[first] > 0:
        below = model_rate * rate[0] / model_rate[first]
        above = model_rate * rate[-1] / model_rate[last]
    out = np.where(counts < first, below, np.where(counts > last, above, inside))
    return out, ((counts < first) | (counts > last)).astype(np.float64)


def _iteration(model: Iteration, speed: float, level: int, wires: Wiring, counts: Ints) -> tuple[Floats, Floats]:
    """Iterations a second, and the share of compute in the time of an iteration."""
    compute_s = model.compute_s / speed / np.maximum(1, counts)
    reduce_s = all_reduce_s(counts, level, model.gradient_bytes, wires)
    longest = np.maximum(compute_s, reduce_s)
    whole_s = longest * ((compute_s / longest) ** model.overlap + (reduce_s / longest) ** model.overlap) ** (
        1 / model.overlap
    )
    return 1.0 / whole_s, np.minimum(1.0, compute_s / whole_s)


def _goodput(model: Goodput, phi: float, speed: float, counts: Ints) -> Floats:
    """(4, counts) goodput at noise scale `phi` with the best batch for each number of GPUs."""
    n = np.maximum(1, counts)[:, None].astype(np.float64)
    batch = np.geomspace(model.batch, model.batch_max, BATCHES)[None, :]
    steps = np.ceil(batch / n / model.batch_gpu_max)
    grad_s = (model.alpha_c_s + model.beta_c_s * batch / n / steps) / speed
    efficiency = (phi + 1) / (phi + batch / model.batch)
    rows = []
    for level in range(4):
        alpha = model.alpha_network_s if level >= RACK else model.alpha_node_s
        beta = model.beta_network_s if level >= RACK else model.beta_node_s
        sync_s = np.where(n > 1, alpha + beta * np.maximum(0.0, n - 2), 0.0)
        whole_s = (steps - 1) * grad_s + (grad_s**model.gamma + sync_s**model.gamma) ** (1 / model.gamma)
        rows.append((batch / whole_s * efficiency).max(axis=1))
    return np.stack(rows)
