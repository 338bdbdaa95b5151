"""What a policy may see of the world: an information regime is a promise kept by code."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from simulation.engine.state import FINISHED, FREE_GPUS, RUNNING, RUNNING_COUNT, WAITING, WAITING_COUNT, State
from simulation.records import Floats, Ints
from simulation.world.build import World


class Regime(IntEnum):
    """How much a policy knows; each regime includes those before it."""

    BLIND = 0  # nothing of the future
    HISTORY = 1  # jobs that have finished
    ESTIMATE = 2  # the user's own estimate or time limit
    PROFILE = 3  # speed of the job on each GPU model
    ORACLE = 4  # true durations


class InformationError(RuntimeError):
    """A policy asked for what its regime hides."""


class View:
    """The cluster and the jobs that have arrived, through the eyes of one policy.

    Job arguments are arrays of job rows; results have their length. Fixed facts (`submit_s`, `gang`, `gang_min`,
    `gang_max`, `tenant`, `user`, `name`) and the present holding are open to all; the rest raises InformationError
    unless permitted.
    """

    def __init__(self, world: World, state: State, regime: Regime, entitled: Floats) -> None:
        self.now_s = 0.0
        self.regime = regime
        self.entitled = entitled  # (tenants,) share of the cluster, sums to at most 1
        self.cluster_gpus = world.nodes.gpus
        self.elastic = world.jobs.elastic
        self.submit_s = state.submit_s
        self.gang, self.gang_min, self.gang_max = state.gang, state.gang_min, state.gang_max
        self.tenant, self.tenants = state.tenant, len(world.jobs.tenants)
        self.user, self.name = world.jobs.user, world.jobs.name
        self.preemptible, self.held = state.preemptible, state.held
        self._state, self._jobs = state, world.jobs

    @property
    def running(self) -> Ints:
        """Jobs that hold GPUs."""
        return self._state.running[: self._state.tally[RUNNING_COUNT]]

    @property
    def waiting(self) -> Ints:
        """Jobs that have arrived and hold nothing, in the order of submission; a scan of all jobs."""
        return np.flatnonzero(self._state.phase == WAITING)

    @property
    def waiting_count(self) -> int:
        return int(self._state.tally[WAITING_COUNT])

    @property
    def free_gpus(self) -> int:
        return int(self._state.tally[FREE_GPUS])

    @property
    def free(self) -> Ints:
        """Free GPUs of each node."""
        return self._state.free

    @property
    def ledger(self) -> State:
        """For kernels that place gangs; policies read jobs through the methods of this class."""
        return self._state

    def runs(self, jobs: Ints) -> np.ndarray:
        mask: np.ndarray = self._state.phase[jobs] == RUNNING
        return mask

    def began_s(self, jobs: Ints) -> Floats:
        """Since when each running job holds its present GPUs."""
        return self._state.since_s[jobs]

    def attained_gpu_s(self, jobs: Ints) -> Floats:
        """GPU-seconds held so far."""
        s = self._state
        now: Floats = s.attained_gpu_s[jobs] + s.held[jobs] * (self.now_s - s.since_s[jobs])
        return now

    def has_run(self, jobs: Ints) -> np.ndarray:
        mask: np.ndarray = ~np.isnan(self._state.first_start_s[jobs])
        return mask

    def finished_s(self, jobs: Ints) -> Floats:
        """Run time, with the gang asked for at speed 1, of jobs that have finished; of others it is hidden."""
        self._need(Regime.HISTORY, "run times of finished jobs")
        if (self._state.phase[jobs] != FINISHED).any():
            raise InformationError("history ends with the jobs that have finished")
        return self._state.duration_s[jobs]

    def estimate_s(self, jobs: Ints) -> Floats:
        """The user's estimate of the run time with the gang asked for; nan where there is none."""
        self._need(Regime.ESTIMATE, "estimates of run time")
        return self._jobs.estimate_s[jobs]

    def duration_s(self, jobs: Ints) -> Floats:
        """True run time with the gang asked for, at speed 1."""
        self._need(Regime.ORACLE, "true durations")
        return self._state.duration_s[jobs]

    def remaining_s(self, jobs: Ints) -> Floats:
        """True run time left with the gang asked for, at speed 1."""
        self._need(Regime.ORACLE, "true remaining times")
        s = self._state
        worked_s = np.maximum(0.0, self.now_s - s.work_from_s[jobs]) * s.rate[jobs]
        left: Floats = np.maximum(0.0, s.remaining_s[jobs] - worked_s)
        return left

    def _need(self, regime: Regime, what: str) -> None:
        if self.regime < regime:
            raise InformationError(f"{what} are hidden from a policy that is {self.regime.name.lower()}")
