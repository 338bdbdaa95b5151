"""The whole input of a run: typed, validated, canonical, with a digest.

A scenario is self-contained: figures of hardware and prices are resolved into it, so a run needs no catalogue,
no database and no network. Times are seconds from the start of the horizon; money is a decimal string.
"""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import Any, Final, Literal, Self

from pydantic import Field, model_validator

from simulation.document import Document
from simulation.hardware import Cluster, Pool, Purchase
from simulation.loss_curve import LossCurve
from simulation.provenance import Origin
from simulation.rate_profile import RateProfile

SCHEMA_VERSION: Final = 1
MAX_JOBS = 5_000_000

__all__ = [
    "Choice", "Cluster", "Document", "JobTable", "Origins", "Overheads", "Phase", "Pool", "PriceLine", "PriceStep",
    "Prices", "Purchase", "Requests", "Sampling", "Scenario", "Service", "Slo", "Workload", "canonical_bytes",
    "digest_of", "scenario_digest", "workload_digest",
]  # fmt: skip

Fate = Literal["completed", "failed", "killed"]


class PriceStep(Document):
    """From `start_s` on the price is another one, until the next step."""

    start_s: float = Field(gt=0)
    usd_per_gpu_h: Decimal = Field(ge=0)


class PriceLine(Document):
    """Unit price of one pool (by name) or of all pools of a GPU model; the pool's own line wins."""

    pool: str | None = None
    gpu_model: str | None = None
    purchase: Purchase | None = None
    usd_per_gpu_h: Decimal = Field(ge=0, description="at the start")
    steps: list[PriceStep] = Field(default=[], description="later prices, in order of time")

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        starts = [step.start_s for step in self.steps]
        if starts != sorted(set(starts)):
            raise ValueError("steps must be in ascending order of start_s")
        return self


class Prices(Document):
    lines: list[PriceLine] = []
    charge_idle: bool = Field(default=True, description="owned and reserved capacity costs money while idle")
    electricity_usd_per_kwh: Decimal | None = Field(default=None, ge=0)
    carbon_g_per_kwh: float | None = Field(default=None, ge=0)


def _is_none(column: object) -> bool:
    """Columns that came later stay out where they are not given, so that a table without them keeps its digest."""
    return column is None


class JobTable(Document):
    """Training jobs, column by column; all columns given have one length, in any order of submission.

    `duration_s` is the run time with `gpus` GPUs of the reference model, as close together as they can be. A job
    without a `profile` scales linearly; one with a profile does work at the rates of that profile. The duration of a
    job with a `loss` curve is that of all its iterations: its loss may end it sooner.
    """

    id: list[str]
    submit_s: list[float]
    duration_s: list[float]
    gpus: list[int]
    gpus_min: list[int] | None = None
    gpus_max: list[int] | None = None
    tenant: list[str] | None = None
    user: list[str] | None = None
    name: list[str] | None = Field(
        default=None,
        description="what the user called it; the same name again is more of the same work",
        exclude_if=_is_none,
    )
    gpu_models: list[list[str]] | None = Field(default=None, description="permitted models; an empty list permits all")
    estimate_s: list[float | None] | None = Field(default=None, description="user's own estimate or time limit")
    deadline_s: list[float | None] | None = Field(default=None, description="instant, not a span")
    preemptible: list[bool] | None = None
    profile: list[str | None] | None = Field(
        default=None, description="name of a rate profile of the workload", exclude_if=_is_none
    )
    fate: list[Fate] | None = Field(
        default=None, description="how it ends after its duration, whatever the policy", exclude_if=_is_none
    )
    memory_bytes: list[int | None] | None = Field(
        default=None, description="peak memory of one GPU; models with less are not permitted", exclude_if=_is_none
    )
    loss: list[str | None] | None = Field(
        default=None, description="name of a loss curve of the workload", exclude_if=_is_none
    )

    @model_validator(mode="after")
    def _equal_lengths(self) -> Self:
        n = len(self.id)
        if n > MAX_JOBS:
            raise ValueError(f"more than {MAX_JOBS} jobs")
        for name in type(self).model_fields:
            column = getattr(self, name)
            if column is not None and len(column) != n:
                raise ValueError(f"column {name} has {len(column)} rows, id has {n}")
        _refuse_first(self.id, self.submit_s, "submit_s", "0 or more", lambda v: v < 0)
        _refuse_first(self.id, self.duration_s, "duration_s", "0 or more", lambda v: v < 0)
        _refuse_first(self.id, self.gpus, "gpus", "1 or more", lambda v: v < 1)
        return self

    def __len__(self) -> int:
        return len(self.id)


def _refuse_first(ids: list[str], column: list[Any], name: str, expected: str, bad: Any) -> None:
    for job, value in zip(ids, column, strict=True):
        if bad(value):
            raise ValueError(f"job {job}: {name} is {value}, expected {expected}")


class Phase(Document):
    """Requests at a rate from `start_s` until the next phase or the end of the service."""

    start_s: float = Field(ge=0)
    rate_per_s: float = Field(ge=0)


class Requests(Document):
    """Arrival times of requests: recorded (`times_s`), or generated from phases by a named process."""

    times_s: list[float] | None = None
    prompt_tokens: list[int] | None = None
    output_tokens: list[int] | None = None
    phases: list[Phase] | None = None
    process: Literal["constant", "poisson"] = "poisson"
    end_s: float | None = Field(default=None, ge=0, description="no generated request after this instant")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.times_s is None) == (self.phases is None):
            raise ValueError("give either times_s or phases")
        if self.phases is not None and self.end_s is None:
            raise ValueError("generated requests need end_s")
        return self


class Service(Document):
    """A model that answers requests: replicas with a batch queue; a batch of b takes alpha_s + beta_s x b."""

    name: str
    tenant: str = "serving"
    gpus_per_replica: int = Field(default=1, ge=1)
    replicas: int = Field(default=1, ge=0, description="at the start; the policy may change it")
    replicas_min: int = Field(default=1, ge=0)
    replicas_max: int | None = Field(default=None, ge=1)
    batch_max: int = Field(default=1, ge=1, le=4096)
    timeout_s: float | None = Field(default=0.0, ge=0, description="longest wait for a full batch; None waits for ever")
    alpha_s: float = Field(ge=0)
    beta_s: float = Field(default=0.0, ge=0)
    slo_s: float | None = Field(default=None, gt=0)
    load_s: float = Field(default=0.0, ge=0, description="boot and weight load of a new replica")
    gpu_models: list[str] = []
    requests: Requests


class Workload(Document):
    jobs: JobTable | None = None
    services: list[Service] = []
    profiles: list[RateProfile] = Field(default=[], exclude_if=lambda profiles: not profiles)
    losses: list[LossCurve] = Field(default=[], exclude_if=lambda losses: not losses)

    @model_validator(mode="after")
    def _named_ones_exist(self) -> Self:
        profile, loss = (self.jobs.profile, self.jobs.loss) if self.jobs else (None, None)
        _refuse_unknown("profile", "rate profiles", profile, [given.name for given in self.profiles])
        _refuse_unknown("loss", "loss curves", loss, [given.name for given in self.losses])
        return self


def _refuse_unknown(column: str, kind: str, named: list[str | None] | None, known: list[str]) -> None:
    if len(set(known)) != len(known):
        raise ValueError(f"names of {kind} must differ")
    for name in dict.fromkeys(named or []):
        if name is not None and name not in known:
            raise ValueError(f"{column} {name!r} of a job: expected one of {', '.join(known) or 'none given'}")


class Choice(Document):
    """A system by its slug, with parameters that differ from its defaults ("ordering.promote": 2.0)."""

    system: str
    parameters: dict[str, Any] = {}


class Overheads(Document):
    """What every policy of a study pays alike; seconds of held GPUs in which no work is done."""

    start_s: float = Field(default=0.0, ge=0)
    checkpoint_s: float = Field(default=0.0, ge=0)
    restart_s: float = Field(default=0.0, ge=0)
    resize_s: float = Field(default=0.0, ge=0)
    checkpoint_interval_s: float | None = Field(
        default=None, gt=0, description="a running job saves its progress so often, for checkpoint_s each; None: never"
    )


class Sampling(Document):
    """How a seed turns the workload into one replication.

    replay: as recorded (every seed gives the same jobs when `demand_factor` is 1).
    resampled: submit times kept, bodies of jobs drawn with replacement among jobs submitted on the same day.
    `demand_factor` f thins (f < 1) or repeats with jitter (f > 1) jobs and requests, by the seed.
    """

    mode: Literal["replay", "resampled"] = "replay"
    demand_factor: float = Field(default=1.0, gt=0, le=100)


class Slo(Document):
    """A limit on a metric of `simulation.metrics`; hard limits decide feasibility, soft ones are preferences."""

    metric: str
    limit: float
    hard: bool = True


class Origins(Document):
    """Origin of each group of inputs; results take the weakest of the groups that they use."""

    workload: Origin = Origin.ASSUMED
    cluster: Origin = Origin.ASSUMED
    prices: Origin = Origin.ASSUMED
    power: Origin = Origin.ASSUMED
    carbon: Origin = Origin.ASSUMED


class Scenario(Document):
    schema_version: Literal[1] = SCHEMA_VERSION
    name: str = ""
    cluster: Cluster
    prices: Prices = Prices()
    workload: Workload
    training: Choice = Choice(system="fcfs-quota")
    serving: Choice = Choice(system="static-replicas")
    quotas: dict[str, float] = Field(default={}, description="entitled share by tenant; absent means equal shares")
    overheads: Overheads = Overheads()
    sampling: Sampling = Sampling()
    slos: list[Slo] = []
    horizon_s: float | None = Field(default=None, gt=0, description="None: until everything has ended")
    origins: Origins = Origins()
    sources: dict[str, str] = Field(default={}, description="group of inputs -> where it comes from, in words")


def canonical_bytes(value: Any) -> bytes:
    """Canonical JSON: sorted keys, UTF-8, no spaces, no NaN. Equal content gives equal bytes."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def digest_of(value: Any) -> str:
    """sha256 of the canonical JSON of `value`, in hex."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def workload_digest(workload: Workload) -> str:
    return digest_of(workload.model_dump(mode="json"))


def scenario_digest(scenario: Scenario, known_workload_digest: str | None = None) -> str:
    """Digest of a scenario. The (large) workload enters by its own digest, which may be passed when known.

    Names, words about sources and SLOs (limits read from finished results) do not change a run and stay out.
    """
    document = scenario.model_dump(mode="json", exclude={"workload", "name", "sources", "slos"})
    document["workload"] = known_workload_digest or workload_digest(scenario.workload)
    return digest_of(document)
