"""What a policy may see of the world: an information regime is a promise kept by code."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from simulation.engine.kernels.pace import phase_of, work_in_s
from simulation.engine.state import FINISHED, FREE_GPUS, RUNNING, RUNNING_COUNT, WAITING, WAITING_COUNT, State
from simulation.loss_curve import EarlyStop
from simulation.records import Floats, Ints
from simulation.world.build import World
from simulation.world.links import RACK
from simulation.world.rates import COMPUTE, RATE, SKEW

STAGES = ("storage_s", "cpu_s", "gpu_s", "network_s")
TRAITS = ("utilisation", "memory_bytes", *STAGES, "skew", "compute_s", "clock_sensitivity")


class Regime(IntEnum):
    """How much a policy knows; each regime includes those before it."""

    BLIND = 0  # nothing of the future
    HISTORY = 1  # jobs that have finished
    ESTIMATE = 2  # the user's own estimate or time limit
    PROFILE = 3  # rates of the job on other GPUs, and how many iterations it has left
    ORACLE = 4  # true durations


class InformationError(RuntimeError):
    """A policy asked for what its regime hides."""


class View:
    """The cluster and the jobs that have arrived, through the eyes of one policy.

    Job arguments are arrays of job rows; results have their length. Fixed facts (`submit_s`, `gang`, `gang_min`,
    `gang_max`, `tenant`, `user`, `name`, `deadline_s`) and the present holding are open to all; the rest raises
    InformationError unless permitted. `nodes` are those of the world, `tariffs` its prices.
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
        self.deadline_s = world.jobs.deadline_s
        self.nodes, self.tariffs = world.nodes, world.tariffs
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
    def away(self) -> Ints:
        """Of each node 0 where it can be used, else 1 + Absence: down, switched off, booting."""
        return self._state.away

    @property
    def usable_gpus(self) -> int:
        """GPUs of the nodes that can be used now, held or free."""
        return int(self._state.size[self._state.away == 0].sum())

    def mates(self, job: int) -> list[int]:
        """All who share GPUs with a running job, itself included, the host first."""
        host = int(self._state.host[job])
        found, other = [host], int(self._state.mate[host])
        while other != host:
            found.append(other)
            other = int(self._state.mate[other])
        return found

    @property
    def ledger(self) -> State:
        """For kernels that place gangs; policies read jobs through the methods of this class."""
        return self._state

    def permitted(self, job: int) -> list[int]:
        """Domains whose GPUs a job may use, the fastest first."""
        return [int(domain) for domain in self._state.class_domains[self._state.klass[job]] if domain >= 0]

    def runs(self, jobs: Ints) -> np.ndarray:
        mask: np.ndarray = self._state.phase[jobs] == RUNNING
        return mask

    def began_s(self, jobs: Ints) -> Floats:
        """Since when each running job holds its present GPUs."""
        return self._state.began_s[jobs]

    def attained_gpu_s(self, jobs: Ints) -> Floats:
        """GPU-seconds held so far."""
        s = self._state
        now: Floats = s.attained_gpu_s[jobs] + s.held[jobs] * s.share[jobs] * (self.now_s - s.since_s[jobs])
        return now

    def has_run(self, jobs: Ints) -> np.ndarray:
        mask: np.ndarray = ~np.isnan(self._state.first_start_s[jobs])
        return mask

    def losses(self, job: int) -> Floats:
        """(iterations done,) loss observed after each; empty of a job without a loss curve."""
        losses, s = self._jobs.losses, self._state
        if losses is None:
            return np.empty(0)
        done_s = float(s.duration_s[job]) - self._left_s(job)
        return losses.seen(job, done_s / max(float(self._jobs.asked_s[job]), 1e-300))

    def stop_rule(self, job: int) -> EarlyStop | None:
        """At what loss its user lets a job end before its last iteration."""
        losses = self._jobs.losses
        return None if losses is None or losses.curve[job] < 0 else losses.curves[losses.curve[job]].stop

    def iterations(self, job: int) -> int:
        """How many its user asked for; 0 of a job without a loss curve."""
        self._need(Regime.PROFILE, "iterations of a job")
        losses = self._jobs.losses
        return 0 if losses is None or losses.curve[job] < 0 else losses.curves[losses.curve[job]].iterations

    def is_apart(self, job: int) -> bool:
        """Whether a job has run out of memory beside others, and may share with nobody any more."""
        return bool(len(self._state.apart) and self._state.apart[job])

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

    def rates(self, job: int) -> Floats:
        """(domains, 4 levels, GPUs + 1) rate of a job alone on so many GPUs, at its present progress and full clock.

        In seconds of its reference work a second: 1 for the gang asked for, on the reference model, close together. 0
        where it may not or cannot run. Levels as in `world.links`; GPUs up to the most that it accepts.
        """
        return self._rates_in(job, self.phase(job))

    def phase_rates(self, job: int) -> Floats:
        """(phases, domains, 4 levels, GPUs + 1) as `rates`, in every phase of training, whenever it comes."""
        self._need(Regime.PROFILE, "rates in other phases")
        s, profile = self._state, int(self._state.rates.profile[job])
        phases = 1 if profile < 0 else 1 + int((s.rates.phase_end[profile] < s.rates.phase_end[profile, -1]).sum())
        return np.stack([self._rates_in(job, phase) for phase in range(phases)])

    def phase(self, job: int) -> int:
        """The phase in which a job's training is."""
        self._need(Regime.PROFILE, "rates on other GPUs")
        s = self._state
        if s.rates.profile[job] < 0:
            return 0
        return int(phase_of(s, job, 1.0 - self._left_s(job) / max(float(s.duration_s[job]), 1e-300)))

    def _rates_in(self, job: int, phase: int) -> Floats:
        s, profile = self._state, int(self._state.rates.profile[job])
        most = int(self.gang_max[job])
        permitted = self.permitted(job)
        rates = np.zeros((len(s.domain_speed), 4, most + 1))
        if profile < 0:
            rates[permitted] = s.domain_speed[permitted, None, None] * np.arange(most + 1) / s.gang[job]
            return rates
        known = s.rates.table[profile, phase, ..., RATE] * s.rates.per_unit_s[job]
        count = min(most + 1, known.shape[2])
        rates[permitted, :, :count] = known[permitted, :, :count]
        rates[permitted, :, count:] = known[permitted, :, -1:]
        return rates

    @property
    def skew(self) -> Floats:
        """Of each job, the largest tensor of its model over all parameters; nan: unknown. The model alone tells it."""
        rates = self._state.rates
        if not len(rates.traits):
            return np.full(len(rates.profile), np.nan)
        return np.where(rates.profile >= 0, rates.traits[rates.profile, SKEW], np.nan)

    def compute_for_communication(self) -> Floats:
        """Of each job, GPU-seconds of an iteration for a second that it waits for the network, in nodes of one rack.

        With the gang asked for on the fastest GPUs that it may use, alone; inf where it never waits.
        """
        self._need(Regime.PROFILE, "measurements of a job")
        s = self._state
        compute = np.ones(len(s.gang))
        known = np.flatnonzero(s.rates.profile >= 0)
        domain = np.maximum(0, s.class_domains[s.klass[known], 0])
        gang = np.minimum(s.gang[known], s.rates.table.shape[4] - 1)
        compute[known] = s.rates.table[s.rates.profile[known], 0, domain, RACK, gang, COMPUTE]
        with np.errstate(divide="ignore"):
            found: Floats = s.gang * compute / (1.0 - compute)
        return found

    def traits(self, job: int) -> dict[str, float]:
        """Measured by running the job: GPU utilisation, bytes of memory, seconds of an iteration by resource.

        Keys `utilisation`, `memory_bytes`, `storage_s`, `cpu_s`, `gpu_s`, `network_s`, `skew`, `compute_s` (of an
        iteration, on one GPU of speed 1), `clock_sensitivity`; those that nobody measured are absent.
        """
        self._need(Regime.PROFILE, "measurements of a job")
        s, profile = self._state, int(self._state.rates.profile[job])
        if profile < 0:
            return {}
        row = (*s.rates.traits[profile].tolist(), float(s.rates.clock[profile]))
        return {name: value for name, value in zip(TRAITS, row, strict=True) if not np.isnan(value)}

    def compute_share(self, job: int) -> Floats:
        """(domains, 4 levels, GPUs + 1) share of compute in the time of an iteration, at full clock."""
        self._need(Regime.PROFILE, "measurements of a job")
        s, profile, most = self._state, int(self._state.rates.profile[job]), int(self.gang_max[job])
        shape = (len(s.domain_speed), 4, most + 1)
        if profile < 0:
            return np.ones(shape)
        known = s.rates.table[profile, 0, ..., COMPUTE]
        return known[..., np.minimum(np.arange(most + 1), known.shape[2] - 1)]

    def input_points(self, job: int) -> Floats:
        """(points, 3) cores and bytes of host memory for a GPU, and the rate with them over that of a fair share."""
        self._need(Regime.PROFILE, "measurements of a job")
        profile = int(self._state.rates.profile[job])
        points = self._state.rates.inputs[profile] if profile >= 0 else np.empty((0, 3))
        return points[points[:, 0] >= 0]

    def work_s(self, jobs: Ints) -> Floats:
        """Work left, in seconds of the gang asked for on the reference model: iterations that are known to be left.

        Nobody knows of a loss that will end the job before.
        """
        self._need(Regime.PROFILE, "iterations left")
        left_s = np.array([self._left_s(int(job)) for job in jobs], dtype=np.float64)
        return left_s + (self._jobs.asked_s[jobs] - self._state.duration_s[jobs])

    def total_work_s(self, jobs: Ints) -> Floats:
        """Work of the whole job, as `work_s`."""
        self._need(Regime.PROFILE, "iterations of a job")
        return self._jobs.asked_s[jobs]

    def _left_s(self, job: int) -> float:
        s = self._state
        worked_s = max(0.0, self.now_s - float(s.work_from_s[job])) if s.phase[job] == RUNNING else 0.0
        return (
            max(0.0, float(s.remaining_s[job]) - float(work_in_s(s, job, worked_s)))
            if worked_s
            else float(s.remaining_s[job])
        )

    def duration_s(self, jobs: Ints) -> Floats:
        """True run time with the gang asked for, at speed 1."""
        self._need(Regime.ORACLE, "true durations")
        return self._state.duration_s[jobs]

    def remaining_s(self, jobs: Ints) -> Floats:
        """True run time left with the gang asked for, at speed 1."""
        self._need(Regime.ORACLE, "true remaining times")
        s = self._state
        done_s = np.maximum(0.0, self.now_s - s.work_from_s[jobs]) * s.rate[jobs]
        for i in np.flatnonzero((s.phase[jobs] == RUNNING) & ~s.plain[jobs]).tolist():
            done_s[i] = work_in_s(s, int(jobs[i]), max(0.0, self.now_s - float(s.work_from_s[jobs[i]])))
        left: Floats = np.maximum(0.0, s.remaining_s[jobs] - done_s)
        return left

    def _need(self, regime: Regime, what: str) -> None:
        if self.regime < regime:
            raise InformationError(f"{what} are hidden from a policy that is {self.regime.name.lower()}")
