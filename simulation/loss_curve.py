"""How the loss of a training job falls, and when that ends the job before its iterations do.

A loss is observed after each iteration (an epoch, or an evaluation), 1 and above. Families are in the form for losses:
smaller is better. Parameters are 0 or more.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from simulation.document import Document

Family = Literal["inverse", "power", "exponential", "weibull", "mmf", "inverse-log"]
MAX_ITERATIONS = 100_000

PARAMETERS: dict[Family, tuple[str, ...]] = {
    "inverse": ("a", "b", "c"),  # 1 / (a x + b) + c; Optimus, EuroSys 2018
    "power": ("a", "alpha", "c"),  # a x^-alpha + c; this and those below: Domhan et al., IJCAI 2015
    "exponential": ("a", "b", "c"),  # a exp(-b x) + c
    "weibull": ("a", "kappa", "delta", "c"),  # a exp(-(kappa x)^delta) + c
    "mmf": ("a", "kappa", "delta", "c"),  # a / (1 + (kappa x)^delta) + c
    "inverse-log": ("a", "c"),  # a / ln(x + 1) + c
}


class EarlyStop(Document):
    """A job ends after the first iteration that reaches the target, or is the last of so many without a gain."""

    target: float | None = Field(default=None, ge=0, description="a loss this low ends the job")
    patience: int | None = Field(default=None, ge=1, description="iterations without a new best loss that end the job")
    least_gain: float = Field(default=0.0, ge=0, description="a new best loss beats the old one by more than so")

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.target is None and self.patience is None:
            raise ValueError("early stop needs a target or a patience")
        return self


class LossCurve(Document):
    """Loss after each of `iterations`, the ones that the duration of a job is for.

    Jobs of one curve differ by their noise alone, which goes by the seed and the job's row in its table.
    """

    name: str = Field(min_length=1, max_length=100)
    family: Family
    parameters: dict[str, float]
    iterations: int = Field(ge=1, le=MAX_ITERATIONS)
    noise: float = Field(default=0.0, ge=0, description="standard deviation of what is observed")
    seed: int = Field(default=0, ge=0)
    stop: EarlyStop | None = None

    @model_validator(mode="after")
    def _parameters_of_the_family(self) -> Self:
        expected = PARAMETERS[self.family]
        if set(self.parameters) != set(expected):
            raise ValueError(f"curve {self.name}: {self.family} has the parameters {', '.join(expected)}")
        for name, value in self.parameters.items():
            if value < 0:
                raise ValueError(f"curve {self.name}: {name} is {value}, expected 0 or more")
        if self.family == "inverse" and self.parameters["a"] + self.parameters["b"] == 0:
            raise ValueError(f"curve {self.name}: a and b are both 0")
        return self
