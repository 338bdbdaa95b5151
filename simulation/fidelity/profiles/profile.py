"""What an emulation profile says: where a peer keeps its files, and which settings of the engine a file name means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from simulation.engine.loop import Loop
from simulation.engine.policy import Policy
from simulation.engine.view import Regime
from simulation.fidelity.results import Results
from simulation.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a run of the peer read: a trace, and a cluster (a file, or the folder whose name or files say it)."""

    trace: Path
    cluster: Path
    variant: str = ""  # what else a folder's name says


@dataclass(frozen=True, slots=True)
class Emulation:
    """One run of the engine's loop. `loop` is a loop with another rule of charging, where the peer has one."""

    scenario: Scenario
    policy: Policy
    regime: Regime = Regime.ORACLE
    loop: Callable[..., Loop] = Loop  # with the arguments of Loop


@dataclass(frozen=True, slots=True)
class Agreement:
    """How near a run must come. `each_job_s`: first start and end of every job; `mean_jct`: fraction of their mean.

    None: not asked for (both: the mean is reported). `preemptions`: whether both count the same thing, so that their
    sums must be equal.
    `deadlines`: by how many jobs the number of those that meet theirs may differ.
    """

    each_job_s: float | None = 0.0
    mean_jct: float | None = None
    preemptions: bool = False
    deadlines: int | None = None


Emulate = Callable[[Inputs, str, Results | None], tuple[Emulation, ...]]


@dataclass(frozen=True, slots=True)
class Profile:
    """A peer: a folder of reference runs, and what its names mean.

    inputs: folder of results -> what they were computed from (the files need not exist).
    unrecorded: folder of the peer -> name of a case and inputs of each trace that comes without results.
    emulate: (inputs, policy as the file name says it, recorded results or None) -> runs that together are the case;
    ValueError where the policy is not known. Results are given for what a peer says nowhere else (the order of ties),
    without any start or end.
    agreement: by policy; a policy that is not listed agrees as `exactly` says.
    """

    folder: str
    inputs: Callable[[Path], Inputs]
    unrecorded: Callable[[Path], list[tuple[str, Inputs]]]
    emulate: Emulate
    exactly: Agreement
    agreement: Mapping[str, Agreement] = field(default_factory=dict)
    policies_without_results: tuple[str, ...] = ()
    recorded_only: Mapping[str, str] = field(default_factory=dict)  # policy -> why it is not emulated
