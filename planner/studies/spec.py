"""A study as it is asked for: the base, the axes along which it is varied, and the caps that hold."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from simulation.scenario import Choice, Overheads, Sampling

MAX_SCENARIOS = 1_000
MAX_SEEDS = 200
MAX_RUNS = 10_000
MAX_JOB_RUNS = 200_000_000  # jobs of the workload x demand x runs


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one field of a study, in a sentence. `field` is a path like "axes.training.0.system"."""

    field: str
    sentence: str


class SpecError(ValueError):
    """A study that cannot be made; every problem names its field."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("; ".join(f"{p.field}: {p.sentence}" for p in problems))


def plain_numbers(value: Any) -> Any:
    """`value` with whole floats as integers, so that 60 and 60.0 are one question and every database keeps it alike."""
    if isinstance(value, dict):
        return {key: plain_numbers(v) for key, v in value.items()}
    if isinstance(value, list):
        return [plain_numbers(v) for v in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("a number must be finite")
        return int(value) if value.is_integer() else value
    if isinstance(value, str) and "\x00" in value:
        raise ValueError("text must not contain a NUL character")
    return value


def _plain_choice(choice: Choice) -> Choice:
    return choice.model_copy(update={"parameters": plain_numbers(choice.parameters)})


def _revision_id(value: str) -> str:
    try:
        return str(uuid.UUID(value))
    except ValueError:
        raise ValueError("expected the id of a revision") from None


RevisionId = Annotated[str, AfterValidator(_revision_id)]
Policy = Annotated[Choice, AfterValidator(_plain_choice)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, coerce_numbers_to_str=False)


class PoolChange(Part):
    """A pool with another number of nodes: absolute, or as a difference to the base."""

    nodes: int | None = Field(default=None, ge=0)
    nodes_delta: int | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.nodes is None) == (self.nodes_delta is None):
            raise ValueError("give either nodes or nodes_delta")
        return self

    def applied(self, nodes: int) -> int:
        return self.nodes if self.nodes is not None else nodes + (self.nodes_delta or 0)


class Base(Part):
    """The scenario that everything is compared with; figures stand in the revisions that it refers to."""

    cluster: RevisionId
    workload: RevisionId
    prices: RevisionId | None = None
    slos: RevisionId | None = None
    training: Policy = Choice(system="fcfs-quota")
    serving: Policy = Choice(system="static-replicas")
    overheads: Overheads = Overheads()
    quotas: dict[str, Annotated[float, Field(gt=0)]] = {}
    sampling: Sampling = Sampling()
    horizon_s: float | None = Field(default=None, gt=0)
    pool_changes: dict[str, PoolChange] = {}


class PolicyVariant(Part):
    system: str = Field(min_length=1, max_length=60)
    parameters: Annotated[dict[str, Any], AfterValidator(plain_numbers)] = {}
    label: str = Field(default="", max_length=60)

    @property
    def choice(self) -> Choice:
        return Choice(system=self.system, parameters=self.parameters)


class ClusterVariant(Part):
    label: str = Field(default="", max_length=60)
    pool_changes: dict[str, PoolChange] = {}


class Axes(Part):
    """Each axis that is not empty is crossed with the others; an empty one keeps what the base says."""

    training: list[PolicyVariant] = Field(default=[], max_length=100)
    serving: list[PolicyVariant] = Field(default=[], max_length=100)
    clusters: list[ClusterVariant] = Field(default=[], max_length=200)
    prices: list[RevisionId] = Field(default=[], max_length=50)
    demand_factors: list[Annotated[float, Field(gt=0, le=100)]] = Field(default=[], max_length=50)
    seeds: int = Field(default=10, ge=1, le=MAX_SEEDS)

    @property
    def combinations(self) -> int:
        axes = (self.training, self.serving, self.clusters, self.prices, self.demand_factors)
        return math.prod(max(1, len(axis)) for axis in axes)

    @property
    def varied(self) -> frozenset[str]:
        """Names of the terms of comparability that this study varies on purpose."""
        named = {"policy": self.training or self.serving, "cluster": self.clusters, "prices": self.prices,
                 "demand": self.demand_factors}  # fmt: skip
        return frozenset(name for name, axis in named.items() if axis)


def read(base: Mapping[str, Any], axes: Mapping[str, Any]) -> tuple[Base, Axes]:
    """Both documents, validated; SpecError names every field that is wrong."""
    problems: list[Problem] = []
    parts: list[Any] = []
    for name, model, document in (("base", Base, base), ("axes", Axes, axes)):
        try:
            parts.append(model.model_validate(document))
        except ValidationError as error:
            problems += [_problem(name, e) for e in error.errors()]
    if problems:
        raise SpecError(problems)
    return parts[0], parts[1]


def _problem(root: str, error: Mapping[str, Any]) -> Problem:
    path = ".".join([root, *(str(p) for p in error["loc"])])
    message = str(error["msg"]).removeprefix("Value error, ")
    shown = error.get("input")
    given = f" (given: {shown!r:.60})" if isinstance(shown, str | int | float) else ""
    return Problem(path, f"{message[:1].upper()}{message[1:]}{given}")


def over_caps(scenarios: int, seeds: int, jobs: int, demand: float = 1.0) -> list[Problem]:
    """The caps that a study of this size would break, each named with its figure."""
    runs = scenarios * seeds
    work = int(jobs * max(1.0, demand) * runs)
    checks = (
        ("axes", scenarios, MAX_SCENARIOS, "scenarios"),
        ("axes.seeds", runs, MAX_RUNS, "runs (scenarios x seeds)"),
        ("axes", work, MAX_JOB_RUNS, "simulated jobs (jobs x runs)"),
    )
    return [
        Problem(field, f"{count:,} {what}; the cap is {cap:,}. Take fewer values or fewer seeds.")
        for field, count, cap, what in checks
        if count > cap
    ]
