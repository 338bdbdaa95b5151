"""Signatures at work: a system, its baseline and its ablation on the same draws, compared seed by seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulation import ENGINE_VERSION
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Scenario
from simulation.statistics.intervals import Estimate, estimate
from simulation.systems.registry import SYSTEMS
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SEEDS = 10


@dataclass(frozen=True)
class Finding:
    """What became of one effect; `gain` is an interval over paired seeds, `values` are (system, baseline) a seed."""

    effect: Effect
    values: tuple[tuple[float, float], ...]

    @property
    def gain(self) -> Estimate:
        return estimate(self.effect.gain(system, baseline) for system, baseline in self.values)

    @property
    def shown(self) -> bool:
        """The whole interval lies beyond what is asked for."""
        low = self.gain.low
        return low is not None and low > self.effect.least

    def document(self) -> dict[str, Any]:
        gain = self.gain
        return {
            "quantity": self.effect.measure.name,
            "unit": self.effect.measure.unit,
            "direction": self.effect.direction,
            "relative": self.effect.relative,
            "least": self.effect.least,
            "effect": gain.mean,
            "interval": None if gain.low is None else [gain.low, gain.high],
            "n": gain.n,
            "shown": self.shown,
            "values": [list(pair) for pair in self.values],
        }


@dataclass(frozen=True)
class SignatureResult:
    """`ablated`: the family that got the baseline's member, which is `replaced_by`."""

    slug: str
    baseline: str
    changes: Mapping[str, Any]
    seeds: tuple[int, ...]
    found: Finding
    also: tuple[Finding, ...]
    ablated: str
    replaced_by: str
    found_when_ablated: Finding

    @property
    def shown(self) -> bool:
        return all(finding.shown for finding in (self.found, *self.also))

    @property
    def shown_when_ablated(self) -> bool:
        """Of the effect alone: what else must show may well outlive its mechanism."""
        return self.found_when_ablated.shown

    @property
    def holds(self) -> bool:
        return self.shown and not self.shown_when_ablated

    def document(self) -> dict[str, Any]:
        """JSON for pages and the command line."""
        found = self.found.document()
        return {
            "slug": self.slug,
            "baseline": self.baseline,
            "baseline_changes": dict(self.changes),
            "engine": ENGINE_VERSION,
            "seeds": list(self.seeds),
            **found,
            "shown": self.shown,
            "also": [finding.document() for finding in self.also],
            "ablated": self.ablated,
            "replaced_by": self.replaced_by,
            "shown_when_ablated": self.shown_when_ablated,
            "when_ablated": self.found_when_ablated.document(),
        }


def with_signature(systems: Iterable[System] | None = None) -> list[System]:
    """Systems that have one, in the order of the registry."""
    return [system for system in (SYSTEMS.values() if systems is None else systems) if system.signature is not None]


def run_signature(system: System, seeds: Sequence[int], ablate: str | None = None) -> SignatureResult:
    """Run the signature of `system` once a seed, and again with a family ablated (by default the deciding one).

    Raises ValueError for a system without a signature and for a family in which it does as its baseline does.
    """
    signature = system.signature
    if signature is None:
        raise ValueError(f"system {system.slug!r} has no signature: there is nothing that sets it apart")
    family = ablate or signature.deciding
    change = _ablation(system, signature, family)
    draws = [signature.experiment(np.random.default_rng(seed)) for seed in seeds]
    baseline = _runs(draws, seeds, SYSTEMS[signature.baseline], signature.changes)
    full = _runs(draws, seeds, system, {})
    without = _runs(draws, seeds, system, change)
    return SignatureResult(
        slug=system.slug,
        baseline=signature.baseline,
        changes=signature.changes,
        seeds=tuple(seeds),
        found=_finding(signature.effect, full, baseline),
        also=tuple(_finding(effect, full, baseline) for effect in signature.also),
        ablated=family,
        replaced_by=str(change[family]),
        found_when_ablated=_finding(signature.effect, without, baseline),
    )


def _ablation(system: System, signature: Signature, family: str) -> dict[str, Any]:
    """What puts the baseline's member of a family, with its parameters there, into the system's recipe.

    With a program also goes what it takes the place of: those stages come from the baseline too.
    """
    mine = system.recipe.describe()
    theirs = SYSTEMS[signature.baseline].recipe.changed(signature.changes).describe()
    apart = [name for name in mine if name in theirs and mine[name] != theirs[name]]
    if family not in apart:
        raise ValueError(f"{family!r}: expected a family that sets {system.slug!r} apart here ({', '.join(apart)})")
    empty = [name for name in system.recipe.replaceable if name not in mine and name in theirs]
    change: dict[str, Any] = {}
    for name in (family, *empty) if family == "sizing" else (family,):
        change[name] = theirs[name]["member"]
        change |= {f"{name}.{parameter}": value for parameter, value in theirs[name]["parameters"].items()}
    return change


def _runs(
    draws: Sequence[Scenario], seeds: Sequence[int], system: System, changes: Mapping[str, Any]
) -> list[RunRecords]:
    part = "training" if system.workload == "training" else "serving"
    chosen = {part: Choice(system=system.slug, parameters=dict(changes))}
    return [run_records(draw.model_copy(update=chosen), seed) for draw, seed in zip(draws, seeds, strict=True)]


def _finding(effect: Effect, system: Sequence[RunRecords], baseline: Sequence[RunRecords]) -> Finding:
    of = effect.measure.of
    return Finding(effect, tuple((of(mine), of(theirs)) for mine, theirs in zip(system, baseline, strict=True)))
