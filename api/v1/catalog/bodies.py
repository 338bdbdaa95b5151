"""Clusters, price sheets and SLO sets as they are sent; numbers that are typed in are assumed, and `why` is kept."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from api.bodies import Given, Name, Why
from planner.catalog.money import UNITS, PriceEntry
from planner.catalog.services_entry import Tariff
from simulation.hardware import NodeChange, Pool, Purchase
from simulation.scenario import Slo

Money = Annotated[Decimal, Field(ge=0, le=10**9, max_digits=16, decimal_places=6)]
Rate = Annotated[Decimal, Field(ge=Decimal("0.000001"), le=10**6, max_digits=13, decimal_places=6)]
Text = Annotated[str, Field(max_length=100)]


class NewCluster(Given):
    name: Name
    pools: Annotated[list[Pool], Field(min_length=1, max_length=90)]
    pue: Annotated[float, Field(ge=1, le=5)] = 1.0
    changes: Annotated[list[NodeChange], Field(max_length=10_000)] | None = Field(
        default=None, description="recorded changes of nodes; left out, those of the revision before stay"
    )
    why: Why = ""


class Price(Given):
    """A price of whole nodes needs `gpus_per_node`."""

    amount: Money
    unit: Literal[tuple(UNITS)] = "gpu-hour"
    pool: Text = ""
    gpu_model: Text = ""
    purchase: Purchase | Literal[""] = ""
    gpus_per_node: Annotated[int, Field(ge=1, le=64)] | None = None

    def entry(self) -> PriceEntry:
        return PriceEntry(**self.model_dump())


class NewPrices(Given):
    """Costs are counted in USD: another currency needs its rate, and the rate its date."""

    name: Name
    lines: Annotated[list[Price], Field(min_length=1, max_length=120)]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"
    rate_usd: Rate | None = None
    rate_date: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    charge_idle: bool = True
    electricity_per_kwh: Money | None = None
    carbon_g_per_kwh: Annotated[float, Field(ge=0, le=10**6)] | None = None
    why: Why = ""

    def tariff(self) -> Tariff:
        return Tariff(**self.model_dump(exclude={"name", "lines", "why", "based_on"}))


class NewSlos(Given):
    name: Name
    limits: Annotated[list[Slo], Field(min_length=1, max_length=50)]
    why: Why = ""


SameName = Name | Literal[""]
"""Of something that is there already: empty leaves its name as it is."""


class EditedCluster(NewCluster):
    """`based_on` is the revision that you started from: 409 where it is no longer the newest."""

    name: SameName = ""
    based_on: UUID


class EditedPrices(NewPrices):
    """`based_on` is the revision that you started from: 409 where it is no longer the newest."""

    name: SameName = ""
    based_on: UUID


class EditedSlos(NewSlos):
    """`based_on` is the revision that you started from: 409 where it is no longer the newest."""

    name: SameName = ""
    based_on: UUID


class ChangedItem(Given):
    """Another name, or into the archive and back; what was computed from it stays."""

    name: Name | None = None
    archived: bool | None = None


class JoinedWorkload(Given):
    """The jobs of one workload with the services of another, each at its newest revision."""

    name: Name
    jobs: UUID
    services: UUID


class LastAnswers(Given):
    """Answers by the keys of the questions; `name` or `item` among them say where the content goes."""

    answers: dict[Text, Annotated[str, Field(max_length=2_000)]] = {}


class Answers(LastAnswers):
    format: Text | None = None
