"""What goes into the bundle of a study or of a run: its scenarios, its ended runs and their results, as stored."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from planner.evidence.bundles.study_file import ExceptionTold, StudyTold, study_told, without_names_told
from planner.evidence.comparability import refusals
from planner.evidence.exceptions import Excepted, excepted
from planner.studies import assembly
from planner.studies.models import Run, Scenario, Study
from simulation import ENGINE_VERSION
from simulation.bundles import experiment as bundled
from simulation.bundles.anonymise import RULE, Anonymiser
from simulation.bundles.errors import BundleError


def study_experiment(study: Study, axes: tuple[str, str]) -> bundled.Experiment:
    """All scenarios and runs of a study; BundleError while some have not ended."""
    rows = list(Scenario.objects.filter(study=study).select_related("study__workspace").order_by("position"))
    told = study_told(study.workspace, study.question, study.base, study.axes, is_example=study.is_example)
    exceptions = excepted(study, refusals(study, rows))
    told = told.model_copy(update={"exceptions": [_exception(one) for one in exceptions]})
    admitted = {one.scenario_id for one in exceptions}
    for row in rows:
        row.family = rows[0].family if row.id in admitted else row.family  # on the front of the bundle as on the page
    return _experiment("study", study.question, rows, _ended(study), axes, told)


def _exception(one: Excepted) -> ExceptionTold:
    return ExceptionTold(
        scenario=one.label, refusal=one.refusal, justification=one.justification, by=one.by.partition("@")[0], at=one.at
    )


def run_experiment(run: Run, axes: tuple[str, str]) -> bundled.Experiment:
    """One run; asked again elsewhere it is a study of one scenario with the seeds up to its own."""
    study, scenario = run.scenario.study, run.scenario
    if run.result is None:
        raise BundleError("This run has no result, so there is nothing to take away")
    told = study_told(
        study.workspace, study.question, scenario.spec, {"seeds": run.seed + 1}, is_example=study.is_example
    )
    return _experiment("run", f"{study.question} {scenario.label}"[:200], [scenario], [run], axes, told)


def _ended(study: Study) -> list[Run]:
    runs = Run.objects.filter(scenario__study=study).select_related("result").order_by("scenario__position", "seed")
    open_ = runs.exclude(state__in=Run.FINAL).count()
    if open_:
        raise BundleError(f"{open_} of {len(runs)} runs have not ended; wait for them, or cancel them")
    if not any(run.result for run in runs):
        raise BundleError("No run of this study has a result, so there is nothing to take away")
    return list(runs)


def _experiment(
    kind: str, title: str, rows: list[Scenario], runs: list[Run], axes: tuple[str, str], told: StudyTold
) -> bundled.Experiment:
    engine = _engine(runs)
    places = {row.id: place for place, row in enumerate(rows)}
    return bundled.Experiment(
        kind="study" if kind == "study" else "run",
        title=title,
        engine=engine,
        scenarios=tuple(assembly.scenario_build(row) for row in rows),
        families=tuple(row.family for row in rows),
        runs=tuple(_run(run, places[run.scenario_id], engine) for run in runs),
        axes=axes,
        without_jobs="none: the records of a run's jobs are in the bundle of that run",
        study=told.model_dump(mode="json"),
    )


def _engine(runs: Iterable[Run]) -> str:
    """The version that computed most of the results: those of two versions do not go into one bundle."""
    versions = Counter(run.result.engine_version for run in runs if run.result)
    return max(versions, key=lambda v: (versions[v], v), default=ENGINE_VERSION)


def _run(run: Run, place: int, engine: str) -> bundled.Run:
    result, reason = run.result, run.reason
    if result is not None and result.engine_version != engine:
        result, reason = None, f"left out: computed by engine {run.result.engine_version}, the others by {engine}"
    facts = bundled.RunFacts(
        id=str(run.id),
        attempt=run.attempt,
        state=run.state,
        reason=reason,
        started=_instant(run.started_at),
        finished=_instant(run.finished_at),
        wall_time_s=result.compute_s if result else None,
        worker=_pseudonym(run.worker),
    )
    return bundled.Run(place, run.seed, result.document if result else None, facts)


def _instant(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _pseudonym(worker: str) -> str | None:
    """Tells workers apart without the name of a machine."""
    return hashlib.sha256(worker.encode()).hexdigest()[:8] if worker else None


def without_names(experiment: bundled.Experiment) -> bundled.Experiment:
    """The same under names that are numbers: inputs, results and catalogue."""
    anonymiser = Anonymiser.of(experiment.scenarios)
    pairs = zip(experiment.workload_digests, experiment.scenarios, strict=True)
    workloads = {digest: anonymiser.workload(scenario.workload) for digest, scenario in pairs}
    told = without_names_told(StudyTold.model_validate(experiment.study), anonymiser, workloads)
    runs = (
        replace(run, document=anonymiser.document(run.document) if run.document else None) for run in experiment.runs
    )
    return replace(
        experiment,
        scenarios=tuple(map(anonymiser.scenario, experiment.scenarios)),
        runs=tuple(runs),
        study=told.model_dump(mode="json"),
        anonymised=RULE,
    )
