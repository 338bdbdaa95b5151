"""What can go wrong inside a run, by name."""

from __future__ import annotations

from simulation.engine.kernels import apply as kernel


class EngineError(RuntimeError):
    """A run that cannot go on."""


class ConservationError(EngineError):
    """The books do not add up; says which job or node."""


class StuckError(EngineError):
    """Nothing runs, a job waits that would fit, and the policy has asked for no later decision."""


class ThrashingError(EngineError):
    """A job was preempted again and again without any progress."""


class Cancelled(Exception):
    """The caller asked to stop; raised at a decision point."""


REFUSALS = {
    kernel.NOT_RUNNING: "is to be stopped but does not run",
    kernel.NOT_PREEMPTIBLE: "may not be preempted",
    kernel.NODE_FULL: "is placed on a node without enough free GPUs",
    kernel.NODE_NOT_PERMITTED: "is placed on a GPU model that it does not permit",
    kernel.GANG: "gets a number of GPUs outside its gang range",
    kernel.NOT_WAITING: "is placed but does not wait",
    kernel.SPLIT: "has its pieces in two places of the plan",
    kernel.UNKNOWN_NODE: "is placed on a node that does not exist, or with no GPU",
    kernel.NODE_AWAY: "is placed on a node that is down, off or booting",
}
