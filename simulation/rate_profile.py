"""How fast a job works: measured where it was measured, else by a model of its iteration.

Rates are in any one unit of work a second (iterations, samples): only their ratios count. The work of a job is its
duration at the rate of the gang that it asked for, on the reference model, as close together as it can be.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from simulation.document import Document

Level = Literal["island", "node", "rack", "cluster"]
LEVELS: tuple[Level, ...] = ("island", "node", "rack", "cluster")


class RatePoint(Document):
    """A measured rate, at the worst link that the GPUs cross."""

    gpu_model: str
    gpus: int = Field(ge=1)
    level: Level = "node"
    rate: float = Field(ge=0, description="0: does not run there (out of memory)")


class Iteration(Document):
    """Iteration time ((compute)^g + (all-reduce)^g)^(1/g); the global batch is split over the GPUs."""

    compute_s: float = Field(gt=0, description="one iteration on one GPU of speed 1")
    gradient_bytes: float = Field(default=0.0, ge=0, description="reduced over the GPUs in each iteration")
    overlap: float = Field(default=3.0, ge=1, le=10, description="g: 1 none, 10 about all of the all-reduce is hidden")


class NoiseStep(Document):
    """From this progress on (0 to 1, in work done) the gradient noise scale is `phi`, in units of the base batch."""

    progress: float = Field(ge=0, lt=1)
    phi: float = Field(ge=0)


class Goodput(Document):
    """Throughput x statistical efficiency (phi + 1) / (phi + M / M0), at the best batch M for the GPUs held.

    Iteration time (T_grad^gamma + T_sync^gamma)^(1/gamma), T_grad = alpha_c + beta_c x batch of a GPU;
    T_sync = alpha + beta x (GPUs - 2), with one pair inside a node and one across nodes. Form: Pollux (OSDI 2021).
    """

    alpha_c_s: float = Field(ge=0)
    beta_c_s: float = Field(gt=0, description="a sample of the batch of one GPU of speed 1")
    alpha_node_s: float = Field(default=0.0, ge=0)
    beta_node_s: float = Field(default=0.0, ge=0)
    alpha_network_s: float = Field(default=0.0, ge=0)
    beta_network_s: float = Field(default=0.0, ge=0)
    gamma: float = Field(default=1.0, ge=1, le=10)
    batch: int = Field(ge=1, description="M0")
    batch_max: int = Field(ge=1)
    batch_gpu_max: int = Field(ge=1, description="what one GPU holds; more is accumulated over steps")
    noise: list[NoiseStep] = Field(min_length=1, max_length=16)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        starts = [step.progress for step in self.noise]
        if starts[0] != 0 or starts != sorted(set(starts)):
            raise ValueError("noise must begin at progress 0 and go up")
        if self.batch_max < self.batch:
            raise ValueError(f"batch_max {self.batch_max} is below the base batch {self.batch}")
        return self


class InputPoint(Document):
    """Rate with so many CPU cores and so much host memory for each GPU, relative to the GPU-proportional share."""

    cores: float = Field(ge=0)
    memory_bytes: float = Field(default=0.0, ge=0)
    factor: float = Field(ge=0)


class RateProfile(Document):
    """Give `points`, or `iteration` (or both: the model is used outside of what was measured), or `goodput`."""

    name: str = Field(min_length=1, max_length=100)
    reference_model: str | None = Field(default=None, description="that durations refer to; None: any GPU of speed 1")
    points: list[RatePoint] = []
    iteration: Iteration | None = None
    goodput: Goodput | None = None
    clock_sensitivity: float = Field(default=1.0, ge=0, le=1, description="a: compute time goes by clock^-a")
    utilisation: float | None = Field(default=None, gt=0, le=1, description="of the GPU, when alone on it")
    memory_bytes: float | None = Field(default=None, gt=0, description="peak of one GPU")
    skew: float | None = Field(default=None, ge=0, le=1, description="largest tensor of the model over all parameters")
    stages_s: tuple[float, float, float, float] | None = Field(
        default=None, description="seconds of an iteration on storage, CPU, GPU and network"
    )
    inputs: list[InputPoint] = []

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.goodput is not None and (self.points or self.iteration):
            raise ValueError(f"profile {self.name}: goodput comes with its own times; leave points and iteration out")
        if self.points and self.reference_model is None:
            raise ValueError(f"profile {self.name}: measured points need a reference_model")
        models = {point.gpu_model for point in self.points}
        if self.points and self.reference_model not in models:
            raise ValueError(f"profile {self.name}: no point of its reference_model {self.reference_model}")
        return self
