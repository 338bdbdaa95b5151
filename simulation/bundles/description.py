"""run.json: which scenarios were run with which seeds by which engine, and how each run went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError

from simulation.bundles.errors import BundleError
from simulation.bundles.experiment import Experiment, RunFacts
from simulation.bundles.inputs import parts_of
from simulation.bundles.layout import RUN
from simulation.bundles.outputs import sampling_step
from simulation.scenario import Choice, Document, canonical_bytes

SEED_ROOT = "each run has a root of its own: numpy.random.SeedSequence(seed)"


class DescribedScenario(Document):
    """A scenario by its files, joined; `digest` is that of the engine, `family` tells which may share a front."""

    name: str
    parts: list[str] = Field(min_length=1)
    digest: str
    family: str
    training: Choice
    serving: Choice


class DescribedRun(RunFacts):
    """`events` are the engine's counts; `sha256` is of the canonical JSON of the result document."""

    scenario: int = Field(ge=0)
    seed: int = Field(ge=0)
    events: dict[str, int]
    sha256: str | None


class JobRows(Document):
    """Which records of jobs the bundle holds."""

    run: int | None = Field(description="place of the run that they are of; None: there are none")
    rows: int = 0
    of: int = 0
    rule: str


class Description(Document):
    version: Literal[1] = 1
    kind: Literal["run", "study"]
    title: str
    engine: str
    command: str = "python -m simulation verify BUNDLE.zip"
    seed_root: str = SEED_ROOT
    seeds: list[int]
    axes: tuple[str, str] = Field(description="metrics of the front, x and y")
    anonymised: str | None
    jobs: JobRows
    scenarios: list[DescribedScenario] = Field(min_length=1)
    runs: list[DescribedRun]


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


def description_file(description: Description) -> bytes:
    return canonical_bytes(description.model_dump(mode="json")) + b"\n"


def description_in(files: Mapping[str, bytes]) -> Description:
    """What run.json says; BundleError names the place of what is wrong in it."""
    if RUN not in files:
        raise BundleError(f"{RUN} is missing")
    try:
        return Description.model_validate_json(files[RUN])
    except ValidationError as error:
        fault: Any = error.errors()[0]
        place = ".".join(map(str, fault["loc"])) or "the whole"
        raise BundleError(f"{RUN}: {place}: {fault['msg']}") from None


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
