"""Taking a study or a run away as a bundle. Whoever may read it may take it away; the audit log tells who did."""

from __future__ import annotations

from dataclasses import replace

from planner.accounts.models import User
from planner.accounts.selectors import require
from planner.accounts.services import audit
from planner.evidence.bundles.contents import run_experiment, study_experiment, without_names
from planner.studies.models import Run, Study
from simulation.bundles.errors import BundleError
from simulation.bundles.experiment import Experiment, Publication

RECOMPUTED_S = 20.0
"""A run that took longer is not run again in order to write down its jobs."""


def study_bundle(*, study: Study, user: User, axes: tuple[str, str], licence: str, anonymised: bool) -> bytes:
    """The zip. `axes`: the two metrics of its front. BundleError where a run is open, or it would be too large."""
    require(user, study.workspace)
    experiment = study_experiment(study, axes)
    if anonymised:
        experiment = without_names(experiment)
    return _packed(experiment, study, user, licence)


def run_bundle(*, run: Run, user: User, axes: tuple[str, str], licence: str, anonymised: bool) -> bytes:
    """The zip of one run, with the records of its jobs where they are quickly made again."""
    study = run.scenario.study
    require(user, study.workspace)
    experiment = run_experiment(run, axes)
    if anonymised:
        experiment = without_names(experiment)
    return _packed(_with_jobs(experiment), study, user, licence)


def _with_jobs(experiment: Experiment) -> Experiment:
    """Results are stored without records of jobs: they are made again, and must be those of the stored result."""
    from simulation import ENGINE_VERSION
    from simulation.run import simulate  # the engine is loaded for this, not by every page

    run = experiment.runs[0]
    if experiment.engine != ENGINE_VERSION:
        return replace(experiment, without_jobs=f"none: the result is of engine {experiment.engine}, no longer here")
    if (run.facts.wall_time_s or 0.0) > RECOMPUTED_S:
        taken = f"{run.facts.wall_time_s:.0f} s"
        return replace(experiment, without_jobs=f"none: the run took {taken}; `simulation run` writes them")
    outcome = simulate(experiment.scenarios[0], run.seed)
    if outcome.document != run.document:
        raise BundleError("The engine gives another result than the stored one; this run cannot be taken away")
    return replace(experiment, records=outcome.records)


def _packed(experiment: Experiment, study: Study, user: User, licence: str) -> bytes:
    from simulation.bundles.write import write_bundle  # likewise

    content = write_bundle(experiment, _publication(experiment, study, licence))
    hidden = experiment.anonymised is not None
    audit(
        workspace=study.workspace, user=user, action=f"{experiment.kind}.bundle", target=study.question,
        anonymised=hidden, licence=licence, bytes=len(content),
    )  # fmt: skip
    return content


def _publication(experiment: Experiment, study: Study, licence: str) -> Publication:
    finished = [run.facts.finished for run in experiment.runs if run.facts.finished]
    date = max(finished, default=study.created_at.isoformat())
    if experiment.anonymised:
        return Publication(date=date, licence=licence)
    return Publication(date, _name(study.created_by), study.workspace.name, licence)


def _name(person: User | None) -> str:
    """A name, never an address."""
    if person is None:
        return "not named"
    return person.get_full_name() or person.get_username().partition("@")[0] or "not named"
