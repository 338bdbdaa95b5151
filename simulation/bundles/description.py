"""run.json: which scenarios were run with which seeds by which engine, and how each run went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError

from simulation.bundles.errors import BundleError
from simulation.bundles.experiment import RunFacts
from simulation.bundles.layout import RUN
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
