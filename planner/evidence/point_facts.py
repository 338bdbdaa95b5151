"""What is stored about a study, or about one of its runs, as far as the reviewer's twelve points ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet
from django.http import Http404

from planner.catalog.models import Kind, Revision
from planner.catalog.selectors import revision_for
from planner.evidence.bundles.bringing_in import Agreement, agreement_of
from planner.evidence.signatures import signature_of
from planner.studies import vocabulary
from planner.studies.models import Run, Scenario, Study
from simulation import ENGINE_VERSION
from simulation.scenario import Choice

MOST_RUNS = 1_000
"""Runs that are looked into; of a larger study the first, seed by seed, so that every scenario is among them."""


@dataclass(frozen=True, slots=True)
class Replication:
    """One finished run: its metrics, and the two accounts of its document that must add up."""

    scenario: int
    engine: str
    compute_s: float
    metrics: Mapping[str, Mapping[str, Any]]
    conservation: Mapping[str, float]
    latency_parts: Mapping[str, list[Mapping[str, float | None]]]
    decisions: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Facts:
    """`of` is what is asked about: a study, or a run of it. Revisions are None where they are gone."""

    of: str
    limits: tuple[Mapping[str, Any], ...]
    asked_at: datetime
    first_started: datetime | None
    workload: Revision | None
    cluster: Revision | None
    sampling: str
    jobs: int
    services: int
    training: tuple[Choice, ...]
    regimes: tuple[str, ...]
    baselines_missing: tuple[str, ...]
    axes: Mapping[str, Any]
    runs: int
    open_runs: int
    replications: tuple[Replication, ...]
    seeds: tuple[int, ...]  # finished seeds of each scenario
    signatures: Mapping[str, bool]  # system -> whether its signature, with its ablation, was run by this engine
    agreement: Agreement | None
    engine: str = ENGINE_VERSION

    @property
    def engines(self) -> tuple[str, ...]:
        return tuple(sorted({r.engine for r in self.replications}))


def facts_of_study(study: Study) -> Facts:
    scenarios = list(Scenario.objects.filter(study=study).order_by("position"))
    return _facts("study", study, scenarios, Run.objects.filter(scenario__study=study), study.axes)


def facts_of_run(run: Run) -> Facts:
    """The same about one run alone: the other runs of its study do not answer for it."""
    return _facts("run", run.scenario.study, [run.scenario], Run.objects.filter(pk=run.pk), {})


def _facts(of: str, study: Study, scenarios: list[Scenario], runs: QuerySet[Run], axes: Mapping[str, Any]) -> Facts:
    base = scenarios[0].spec
    workload = _revision(study, base["workload"], Kind.WORKLOAD)
    summary = workload.summary if workload else {}
    training = _distinct([Choice.model_validate(s.spec["training"]) for s in scenarios])
    replications = _replications(runs, {s.id: place for place, s in enumerate(scenarios)})
    finished = [r.scenario for r in replications]
    return Facts(
        of=of,
        limits=tuple(study.slos),
        asked_at=study.created_at,
        first_started=runs.exclude(started_at=None).order_by("started_at").values_list("started_at", flat=True).first(),
        workload=workload,
        cluster=_revision(study, base["cluster"], Kind.CLUSTER),
        sampling=base["sampling"]["mode"],
        jobs=int(summary.get("jobs", 0)),
        services=len(summary.get("services", ())),
        training=training,
        regimes=tuple(dict.fromkeys(vocabulary.regime(choice) for choice in training)),
        baselines_missing=_missing(training),
        axes=axes,
        runs=runs.count(),
        open_runs=runs.exclude(state__in=Run.FINAL).count(),
        replications=replications,
        seeds=tuple(finished.count(place) for place in range(len(scenarios))),
        signatures={choice.system: signature_of(choice.system) is not None for choice in training},
        agreement=agreement_of(study),
    )


def _revision(study: Study, id: str, kind: Kind) -> Revision | None:
    try:
        return revision_for(study.workspace, id, kind)
    except Http404:
        return None


def _distinct(choices: list[Choice]) -> tuple[Choice, ...]:
    found: list[Choice] = []
    for choice in choices:
        if choice not in found:
            found.append(choice)
    return tuple(found)


def _missing(training: tuple[Choice, ...]) -> tuple[str, ...]:
    there = {words for choice in training for words in vocabulary.baselines_of(choice)}
    return tuple(words for words in vocabulary.BASELINES if words not in there)


def _replications(runs: QuerySet[Run], places: Mapping[Any, int]) -> tuple[Replication, ...]:
    parts = ("conservation", "latency_parts", "decisions")
    rows = (
        runs.filter(result__isnull=False)
        .order_by("seed", "scenario__position")
        .annotate(**{part: F(f"result__document__{part}") for part in parts})
        .values_list("scenario_id", "result__engine_version", "result__compute_s", "result__metrics", *parts)
    )
    return tuple(Replication(places[scenario], *rest) for scenario, *rest in rows[:MOST_RUNS])
