"""The reviewer's twelve points: each met, not met or not applicable, and why, worked out from stored facts alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from planner.evidence.accounts import accounts_add_up
from planner.evidence.point_facts import Facts


class Answer(StrEnum):
    MET = "met"
    NOT_MET = "not met"
    NOT_APPLICABLE = "does not apply"


@dataclass(frozen=True, slots=True)
class Finding:
    """An answer with its reason in a sentence or two. `beyond`: this version of the planner cannot answer the rest."""

    answer: Answer
    why: str
    beyond: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    number: int
    title: str
    asks: str
    finding: Finding


def points(facts: Facts) -> list[Point]:
    """The twelve points about a study or a run, in order."""
    return [Point(number, title, asks, find(facts)) for number, (title, asks, find) in enumerate(_POINTS, start=1)]


def _met(why: str) -> Finding:
    return Finding(Answer.MET, why)


def _not_met(why: str, beyond: str = "") -> Finding:
    return Finding(Answer.NOT_MET, why, beyond)


def _question(f: Facts) -> Finding:
    if not f.limits:
        return _not_met("No limit was stored before the first run, so nothing says what would have been good enough.")
    hard = sum(bool(limit.get("hard", True)) for limit in f.limits)
    asked = f"{len(f.limits)} limits, {hard} of them hard, were stored on {f.asked_at:%Y-%m-%d %H:%M} UTC"
    if f.first_started is not None and f.first_started < f.asked_at:
        return _met(f"{asked}. Some results had been computed before, for the same question of another study.")
    return _met(f"{asked}, before any run. They cannot be changed: another question is another study.")


def _workload(f: Facts) -> Finding:
    if f.workload is None:
        return _not_met("The revision of the workload is gone.")
    source, detail = f.workload.source, f.workload.source.detail
    said = f"{f.workload}, sha256 {f.workload.digest[:12]}, {f.workload.origin}, {f.sampling}"
    if not source.file_name:
        return _met(f"{said}; not a log: {source.title}.")
    if "version" not in detail or "counts" not in detail:
        return _not_met(
            f"{said}, from {source.file_name}: which reader read it, and what it rejected, is not recorded."
        )
    rejected = detail["counts"].get("rejected", 0)
    reader = f"reader {detail.get('format', '?')} version {detail['version']}"
    return _met(f"{said}, from {source.file_name} (sha256 {source.sha256[:12]}) by {reader}; {rejected} rows rejected.")


def _environment(f: Facts) -> Finding:
    if f.cluster is None:
        return _not_met("The revision of the cluster is gone.")
    engines = ", ".join(f.engines) or "none yet"
    return _not_met(
        f"Recorded: {f.cluster}, sha256 {f.cluster.digest[:12]}, engine {engines}.",
        "CPU, libraries and command of the worker are not kept with a result; a bundle tells those of the installation "
        "that makes it. Driver, framework, precision and power cap of measured data are not recorded.",
    )


def _baselines(f: Facts) -> Finding:
    if not f.jobs:
        return Finding(Answer.NOT_APPLICABLE, "There are no training jobs, and the baselines are policies for them.")
    if f.baselines_missing:
        return _not_met(f"Missing: {'; '.join(f.baselines_missing)}.")
    if len(f.regimes) > 1:
        return _not_met(f"All baselines are there, but policies know different things: {', '.join(f.regimes)}.")
    return _met(f"All three baselines are there, under the same overheads and the regime {f.regimes[0]}.")


def _predictions(f: Facts) -> Finding:
    predicting = sorted({"estimate", "history", "profile"} & set(f.regimes))
    if not predicting:
        return Finding(Answer.NOT_APPLICABLE, f"No policy predicts anything (regimes: {', '.join(f.regimes)}).")
    return _not_met(
        f"Policies rely on predictions ({', '.join(predicting)}).",
        "Errors of predictions by quantile, a split in time and a drift test are not computed.",
    )


def _end_to_end(f: Facts) -> Finding:
    if not f.replications:
        return _not_met("No run has finished.")
    worst = accounts_add_up(f.replications)
    if worst is not None:
        return _not_met(worst)
    return _not_met(
        f"In {len(f.replications)} runs GPU time is useful, overhead or lost, and latency is queue, batch wait, load "
        "or execution; both add up.",
        "Overhead is not split into decision, checkpoint, migration, recovery and retry.",
    )


def _semantics(f: Facts) -> Finding:
    resizes = sum(_value(r.metrics, "resizes") or 0 for r in f.replications)
    if not f.replications:
        return _not_met("No run has finished.")
    if not resizes:
        return Finding(
            Answer.NOT_APPLICABLE, "No job was resized in any run, and neither variants nor caches are simulated."
        )
    return _not_met(
        f"Jobs were resized {resizes:,.0f} times.", "Final metric, steps and their spread are not simulated."
    )


SWEEPS = {"load": "demand_factors", "heterogeneity": "clusters"}
NEVER_SWEPT = ("job size", "SLO tightness", "prediction error", "reconfiguration cost")


def _ablation(f: Facts) -> Finding:
    swept = [words for words, axis in SWEEPS.items() if len(f.axes.get(axis, [])) > 1]
    ablated = sorted(system for system, was in f.signatures.items() if was)
    said = [f"swept here: {', '.join(swept) or 'nothing'}", f"ablated: {', '.join(ablated) or 'no policy'}"]
    return _not_met(
        f"{'; '.join(said).capitalize()}.",
        f"One action for all ablations and sweeps, and sweeps of {', '.join(NEVER_SWEPT)}, are not there.",
    )


def _distributions(f: Facts) -> Finding:
    if not f.replications:
        return _not_met("No run has finished.")
    fewest = min(f.seeds)
    if fewest < 2:
        return _not_met(f"{'A scenario has' if f.of == 'study' else 'There is'} {fewest} finished seed: no interval.")
    unknown = sorted(
        {n for n in ("cost_usd", "utilisation_allocated") for r in f.replications if _value(r.metrics, n) is None}
    )
    if unknown:
        return _not_met(f"Mean, median, P95, P99 and tenants are there; unknown: {', '.join(unknown)}.")
    return _met(
        f"Mean, median, P95, P99, miss rate and tenants, with intervals over {fewest} seeds or more, utilisation and "
        "cost beside them."
    )


def _value(metrics: Mapping[str, Mapping[str, Any]], name: str) -> float | None:
    """None where it is unknown, or where the engine of that time did not report it."""
    return metrics[name]["value"] if name in metrics else None


def _scale(f: Facts) -> Finding:
    decisions = sum(r.decisions.get("decisions", 0) for r in f.replications)
    spent = sum(r.compute_s for r in f.replications)
    return _not_met(
        f"Recorded: {decisions:,} decisions in {spent:,.0f} s of computing.",
        "Candidates, decision time and memory of each round, late decisions and fallbacks are not recorded.",
    )


def _origins(f: Facts) -> Finding:
    if not f.replications:
        return _not_met("No run has finished.")
    kinds = Counter(entry["origin"] for r in f.replications for entry in r.metrics.values())
    total = kinds.total()
    shares = ", ".join(f"{kind} {100 * count / total:.0f} %" for kind, count in kinds.most_common())
    if "measured" in kinds or "cited" in kinds:
        return _not_met(f"A result claims to be measured or cited: {shares}.")
    return _met(f"Each of {total:,} values carries the weakest origin of its inputs: {shares}.")


def _materials(f: Facts) -> Finding:
    if f.open_runs or not f.replications:
        return _not_met(f"{f.open_runs} of {f.runs} runs have not ended; a bundle is made of ended runs.")
    if f.engines != (f.engine,):
        return _not_met(f"Computed by engine {', '.join(f.engines)}; this installation has {f.engine}.")
    if f.agreement is not None and f.agreement.different:
        return _not_met(f"{len(f.agreement.different)} results differ from the bundle that this came from.")
    again = f" {f.agreement.equal} results equal those of the bundle it came from." if f.agreement else ""
    return _met(f"Inputs, results and environment go into a bundle, and one command runs it again.{again}")


_POINTS: tuple[tuple[str, str, Callable[[Facts], Finding]], ...] = (
    ("Question fixed", "Objectives and hard limits are stored before the first run.", _question),
    ("Workload fixed", "Digest, generator or reader, rejected rows; replay, resampled or synthetic.", _workload),
    ("Environment recorded", "Cluster, versions, CPU, command; for measured data the machine.", _environment),
    ("Baselines", "FCFS with quotas, short jobs first, resource-aware; under the same conditions.", _baselines),
    ("Predictions calibrated", "Errors with quantiles, a split in time, a drift test.", _predictions),
    ("End to end", "The parts of completion time and latency are kept and add up.", _end_to_end),
    ("Semantics", "What resizing, variants, caches and sharing do to what is computed.", _semantics),
    ("Ablation and sensitivity", "Each mechanism turned off in turn; six sweeps.", _ablation),
    (
        "Distributions",
        "Mean, median, tails, misses, tenants, intervals; utilisation, cost and quality.",
        _distributions,
    ),
    ("Scale", "Candidates, time and memory of decisions, event rate, late decisions, fallback.", _scale),
    ("Origins kept apart", "No value is stronger than its weakest input.", _origins),
    ("Materials kept", "Configuration, inputs, results and one command that runs it again.", _materials),
)
