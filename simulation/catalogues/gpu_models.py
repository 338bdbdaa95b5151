"""GPU models: memory, power and relative speed, each figure with unit, origin and source. Unknown is absent, never 0.

`gpu_models.csv` is the data, one row a figure. Speeds are relative to a named model, and only those with one
reference can be compared: nothing in the table ties the training references to the inference ones.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from simulation.provenance import Figure, Origin, derive

TABLE = Path(__file__).with_name("gpu_models.csv")
BYTES_PER_GB = 10**9


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a column of the catalogue means."""

    name: str
    unit: str
    at_most: float
    description: str


ATTRIBUTES: dict[str, Attribute] = {
    a.name: a
    for a in (
        Attribute("memory", "GB", 1024, "GPU memory as the vendor prints it"),
        Attribute("idle_power", "W", 500, "power of one GPU without work"),
        Attribute("peak_power", "W", 3000, "thermal design power of one GPU: the most that it takes under load"),
        Attribute("relative_speed", "1", 100, "rate of work over that of the reference model"),
        Attribute("nvlinks", "1", 36, "NVLinks of one GPU"),
        Attribute("nvlink_rate", "GB/s", 200, "what collectives get out of one NVLink in one direction"),
    )
}


class Row(BaseModel):
    """One line of the table."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    model: str = Field(min_length=1)
    attribute: str
    unit: str
    value: float = Field(gt=0)
    reference: str
    origin: Origin
    confidence: Literal["read", "recalled"]
    source: str = Field(min_length=1)

    @model_validator(mode="after")
    def _fits_its_attribute(self) -> Self:
        known = ATTRIBUTES.get(self.attribute)
        if known is None:
            raise ValueError(f"attribute {self.attribute}, expected one of {', '.join(ATTRIBUTES)}")
        if self.unit != known.unit:
            raise ValueError(f"{self.attribute} in {self.unit}, expected {known.unit}")
        if self.value > known.at_most:
            raise ValueError(f"{self.attribute} is {self.value}, expected at most {known.at_most:g}")
        if (self.attribute == "relative_speed") != bool(self.reference):
            raise ValueError("a relative speed names its reference, and nothing else does")
        return self


@dataclass(frozen=True, slots=True)
class GpuModel:
    """One model with the figures that are known of it, by attribute."""

    name: str
    figures: Mapping[str, Figure]
    speed_reference: str | None = None

    def value(self, attribute: str) -> float | None:
        """The figure's value; None where it is unknown."""
        figure = self.figures.get(attribute)
        return None if figure is None else figure.value

    @property
    def memory_bytes(self) -> int | None:
        """Printed GB as 10^9 bytes: no card has less than that."""
        memory_gb = self.value("memory")
        return None if memory_gb is None else int(memory_gb * BYTES_PER_GB)

    @property
    def idle_w(self) -> float | None:
        return self.value("idle_power")

    @property
    def peak_w(self) -> float | None:
        return self.value("peak_power")


@cache
def gpu_models() -> dict[str, GpuModel]:
    """The catalogue by model name, in the order of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return parse(csv.DictReader(file), TABLE.name)


def parse(lines: Iterable[Mapping[str, str]], file: str) -> dict[str, GpuModel]:
    """Validated models of a table; ValueError names file, row and what was expected."""
    rows = [_row(number, line, file) for number, line in enumerate(lines, start=2)]
    figures: dict[str, dict[str, Figure]] = {}
    reference: dict[str, str] = {}
    for number, row in enumerate(rows, start=2):
        mine = figures.setdefault(row.model, {})
        if row.attribute in mine:
            raise ValueError(f"{file}, row {number}: a second {row.attribute} of {row.model}")
        source = row.source if row.confidence == "read" else f"{row.source} (recalled)"
        mine[row.attribute] = Figure(row.value, row.unit, row.origin, source)
        if row.reference:
            reference[row.model] = row.reference
    strangers = sorted(set(reference.values()) - set(figures))
    if strangers:
        raise ValueError(f"{file}: speed reference {', '.join(strangers)} is not in the table")
    return {name: GpuModel(name, known, reference.get(name)) for name, known in figures.items()}


def _row(number: int, line: Mapping[str, str], file: str) -> Row:
    try:
        return Row.model_validate(line)
    except ValidationError as error:
        first = error.errors()[0]
        column = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{file}, row {number}{', column ' + column if column else ''}: {first['msg']}") from error


def speed_ratio(model: str, reference: str) -> Figure | None:
    """How much faster `model` works than `reference`; None where the table does not tell (never a guess)."""
    table = gpu_models()
    one, other = table.get(model), table.get(reference)
    if one is None or other is None or one.speed_reference is None or one.speed_reference != other.speed_reference:
        return None
    formula = f"speed of {model} / speed of {reference}, both relative to {one.speed_reference}"
    fast, slow = one.figures["relative_speed"], other.figures["relative_speed"]
    return derive(formula, "1", lambda a, b: a / b, fast, slow)
