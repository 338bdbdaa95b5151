"""What run.json says of an experiment."""

from __future__ import annotations

from simulation.bundles.description import DescribedRun, DescribedScenario, Description, JobRows
from simulation.bundles.experiment import Experiment
from simulation.bundles.inputs import parts_of
from simulation.bundles.outputs import sampling_step


def describe(experiment: Experiment) -> Description:
    return Description(
        kind=experiment.kind,
        title=experiment.title,
        engine=experiment.engine,
        seeds=sorted({run.seed for run in experiment.runs}),
        axes=experiment.axes,
        anonymised=experiment.anonymised,
        jobs=_job_rows(experiment),
        scenarios=_scenarios(experiment),
        runs=_runs(experiment),
    )


def _scenarios(experiment: Experiment) -> list[DescribedScenario]:
    rows = zip(experiment.scenarios, parts_of(experiment), experiment.digests, experiment.families, strict=True)
    return [
        DescribedScenario(
            name=scenario.name,
            parts=parts,
            digest=digest,
            family=family,
            training=scenario.training,
            serving=scenario.serving,
        )
        for scenario, parts, digest, family in rows
    ]


def _runs(experiment: Experiment) -> list[DescribedRun]:
    return [
        DescribedRun(
            **run.facts.model_dump(),
            scenario=run.scenario,
            seed=run.seed,
            events=run.document["decisions"] if run.document else {},
            sha256=run.sha256,
        )
        for run in experiment.runs
    ]


def _job_rows(experiment: Experiment) -> JobRows:
    if experiment.records is None:
        return JobRows(run=None, rule=experiment.without_jobs or "there are no records of jobs in this bundle")
    jobs = len(experiment.records.jobs)
    step = sampling_step(jobs)
    rule = "every job" if step == 1 else f"every {step}th job in the order of submission, from the first"
    return JobRows(run=0, rows=-(-jobs // step), of=jobs, rule=rule)
