"""Cloud instance types: GPUs, CPUs, memory, and a list price where one was found, with its day, region and source."""

from __future__ import annotations

import csv
import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from simulation.catalogues.gpu_models import gpu_models
from simulation.provenance import Origin

TABLE = Path(__file__).with_name("instance_types.csv")


class InstanceType(BaseModel):
    """One instance type. `memory_gib` is that of the machine; the price is of the whole machine, on demand."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    cloud: str = Field(min_length=1)
    name: str = Field(min_length=1)
    gpu_model: str
    gpus: int = Field(ge=1, le=64)
    vcpus: int = Field(ge=1)
    memory_gib: float = Field(gt=0)
    on_demand_usd_per_h: Decimal | None = Field(gt=0)
    price_region: str
    price_day: datetime.date | None
    origin: Origin
    confidence: Literal["read", "recalled"]
    source: str = Field(min_length=1)
    price_source: str

    @field_validator("on_demand_usd_per_h", "price_day", mode="before")
    @classmethod
    def _empty_is_unknown(cls, value: object) -> object:
        return None if value == "" else value

    @model_validator(mode="after")
    def _known_and_sourced(self) -> Self:
        if self.gpu_model not in gpu_models():
            raise ValueError(f"GPU model {self.gpu_model} is not in the catalogue")
        if (self.on_demand_usd_per_h is None) != (self.price_source == ""):
            raise ValueError("a price has a source, and a source of a price has a price")
        return self

    @property
    def usd_per_gpu_h(self) -> Decimal | None:
        """List price of the machine by its GPUs; None where unknown."""
        price = self.on_demand_usd_per_h
        return None if price is None else price / self.gpus


@cache
def instance_types() -> dict[str, InstanceType]:
    """The catalogue by name; ValueError names file, row and what was expected."""
    found: dict[str, InstanceType] = {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(csv.DictReader(file), start=2):
            try:
                instance = InstanceType.model_validate(line)
            except ValidationError as error:
                raise ValueError(f"{TABLE.name}, row {number}: {error.errors()[0]['msg']}") from error
            if instance.name in found:
                raise ValueError(f"{TABLE.name}, row {number}: {instance.name} a second time")
            found[instance.name] = instance
    return found
