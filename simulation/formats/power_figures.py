"""What power samples say: energy of each card, and idle, active and full-load power of each GPU model."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from simulation.formats.measured import SMALL_SAMPLE, quantile
from simulation.formats.tables import Table

BRIDGED_GAPS = 3.0
"""Between samples further apart than this many usual gaps nothing is known: the meter was off."""
PEAK = 0.99
JOULES_PER_WH = 3_600.0


@dataclass(frozen=True, slots=True)
class Energy:
    """Energy of one card, J; None where no two samples have a time.

    `between_j`: under straight lines between samples, first to last. `held_j`: each sample stands for one usual gap.
    `counted_j`: what the card's own counter rose by, restarts at 0 counted. `unknown_s`: time that nothing covers.
    """

    gpu: str
    n: int
    span_s: float
    unknown_s: float
    between_j: float | None
    held_j: float | None
    counted_j: float | None


@dataclass(frozen=True, slots=True)
class ModelPower:
    """Power of one card of a model, W; None where it was not seen.

    idle: median of samples without a running kernel on a card that nobody holds; active: median of samples with one;
    peak: 99th percentile (linear interpolation) of the active ones, of all where the file has no utilisation.
    `n_*` are samples, `gpus` cards, `span_s` first to last.
    """

    model: str
    gpus: int
    n: int
    span_s: float
    n_idle: int
    idle_w: float | None
    n_active: int
    active_w: float | None
    n_peak: int
    peak_w: float | None
    max_w: float

    def idle_words(self) -> str:
        return f"median of {_samples(self.n_idle)} without a running kernel, {self._extent()}"

    def peak_words(self) -> str:
        which = "with a running kernel" if self.n_active else "of unknown utilisation"
        return f"99th percentile of {_samples(self.n_peak)} {which}, {self._extent()}"

    def _extent(self) -> str:
        return f"{self.gpus} GPU{'s' if self.gpus != 1 else ''} over {self.span_s:,.0f} s"


def _samples(n: int) -> str:
    return f"{n:,} sample{'s' if n != 1 else ''}" + ("" if n >= SMALL_SAMPLE else " (few)")


def energies(table: Table) -> list[Energy]:
    """One for each card, by name."""
    points: dict[str, list[tuple[float, float | None, float | None]]] = {}
    for gpu, at, watts, counter in zip(table["gpu"], table["at_s"], table["watts"], table["energy_j"], strict=True):
        if at is not None:
            points.setdefault(gpu, []).append((at, watts, counter))
    return [_energy(gpu, sorted(found, key=lambda point: point[0])) for gpu, found in sorted(points.items())]


def _energy(gpu: str, points: list[tuple[float, float | None, float | None]]) -> Energy:
    measured = [(at, watts) for at, watts, _ in points if watts is not None]
    gaps = [b[0] - a[0] for a, b in itertools.pairwise(measured)]
    usual = statistics.median(gaps) if gaps else 0.0
    bridged = [gap <= BRIDGED_GAPS * usual for gap in gaps]
    between = [
        gap * (a[1] + b[1]) / 2
        for gap, a, b, known in zip(gaps, measured, measured[1:], bridged, strict=False)
        if known
    ]
    counters = [counter for _, _, counter in points if counter is not None]
    return Energy(
        gpu,
        len(measured),
        points[-1][0] - points[0][0],
        math.fsum(gap for gap, known in zip(gaps, bridged, strict=True) if not known),
        math.fsum(between) if gaps else None,
        math.fsum(watts * usual for _, watts in measured) if gaps else None,
        _rise(counters) if len(counters) > 1 else None,
    )


def _rise(counters: list[float]) -> float:
    """How much a counter rose; one that fell began again at 0."""
    return math.fsum(b - a if b >= a else b for a, b in itertools.pairwise(counters))


def model_powers(table: Table) -> list[ModelPower]:
    """One for each model that the file names, and for which it has power, by name."""
    rows: dict[str, list[int]] = {}
    for at, (model, watts) in enumerate(zip(table["gpu_model"], table["watts"], strict=True)):
        if model and watts is not None:
            rows.setdefault(model, []).append(at)
    return [_model_power(table, model, found) for model, found in sorted(rows.items())]


def _model_power(table: Table, model: str, rows: list[int]) -> ModelPower:
    watts, share = table["watts"], table["utilisation"]
    idle = sorted(watts[at] for at in rows if share[at] == 0 and not table["held_by"][at])
    active = sorted(watts[at] for at in rows if share[at])
    judged = any(share[at] is not None for at in rows)
    loaded = active if judged else sorted(watts[at] for at in rows)
    times = [table["at_s"][at] for at in rows if table["at_s"][at] is not None]
    return ModelPower(
        model,
        gpus=len({table["gpu"][at] for at in rows}),
        n=len(rows),
        span_s=max(times) - min(times) if times else 0.0,
        n_idle=len(idle),
        idle_w=_quantile(idle, 0.5),
        n_active=len(active),
        active_w=_quantile(active, 0.5),
        n_peak=len(loaded),
        peak_w=_quantile(loaded, PEAK),
        max_w=max(watts[at] for at in rows),
    )


def _quantile(ordered: list[float], q: float) -> float | None:
    return quantile(ordered, q) if ordered else None


def sample_totals(table: Table) -> dict[str, Any]:
    """Figures of a samples table for the preview: cards, time, energy by card and together, power by model."""
    found = energies(table)
    return {
        "samples": len(table),
        "gpus": len(set(table["gpu"])),
        "idle_gpus": _never_used(table),
        "without_power": sum(1 for watts in table["watts"] if watts is None),
        "span_s": max((one.span_s for one in found), default=0.0),
        "energy_between_wh": _together(one.between_j for one in found),
        "energy_held_wh": _together(one.held_j for one in found),
        "by_gpu": [asdict(one) for one in found],
        "by_model": [asdict(one) for one in model_powers(table)],
    }


def _together(joules: Iterable[float | None]) -> float | None:
    """Wh of all cards; None where one of them is not known."""
    known = list(joules)
    return None if not known or None in known else math.fsum(j for j in known if j is not None) / JOULES_PER_WH


def _never_used(table: Table) -> int:
    """Cards that no sample shows in use: no kernel, and held by nobody."""
    used = {
        gpu
        for gpu, share, held in zip(table["gpu"], table["utilisation"], table["held_by"], strict=True)
        if share != 0 or held
    }
    return len(set(table["gpu"]) - used)


def energy_words(table: Table) -> list[str]:
    """Sentences that say which energy is meant, for the preview."""
    totals = sample_totals(table)
    between, held = totals["energy_between_wh"], totals["energy_held_wh"]
    if between is None or held is None:
        return []
    words = [
        f"Energy between the first and the last sample: {between:,.4f} Wh (straight lines between samples).",
        f"Energy if each sample stands for the usual gap: {held:,.4f} Wh.",
    ]
    unknown = math.fsum(one["unknown_s"] for one in totals["by_gpu"])
    if unknown:
        words.append(f"For {unknown:,.0f} s in all nothing was measured; they are in neither figure.")
    return words
