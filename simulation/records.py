"""What a run leaves behind: immutable columns. Metrics are pure functions of these records.

All arrays of one record have one length. Times are float64 seconds from the start of the horizon, GPU work is in
GPU-seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class JobOutcome(IntEnum):
    """How a job stands at the end; every submitted job is exactly one of them."""

    FINISHED = 0
    RUNNING = 1  # holds GPUs at the horizon: its JCT is a lower bound
    WAITING = 2  # holds nothing at the horizon
    REJECTED = 3  # can never run on this cluster, or was refused by the policy
    FAILED = 4  # ended by its own failure, whatever the policy
    KILLED = 5  # ended by its user


class RequestOutcome(IntEnum):
    SERVED = 0
    UNFINISHED = 1
    DROPPED = 2


@dataclass(frozen=True, slots=True)
class JobRecords:
    """One row a job, ordered by (submit time, input row)."""

    id: tuple[str, ...]
    tenants: tuple[str, ...]
    tenant: Ints  # index into tenants
    submit_s: Floats
    first_start_s: Floats  # nan: never started
    end_s: Floats  # nan: not finished
    outcome: Ints  # JobOutcome
    gpus: Ints  # gang asked for
    isolated_s: Floats  # run time alone, with the gang it asked for, on the fastest permitted GPUs
    held_s: Floats  # time during which it held at least one GPU
    useful_gpu_s: Floats
    overhead_gpu_s: Floats  # held, but starting, checkpointing, restoring or resizing
    lost_gpu_s: Floats  # work done and thrown away
    gpu_s_by_pool: Floats  # (jobs, pools): allocated GPU-seconds
    deadline_s: Floats  # nan: none
    preemptions: Ints
    resizes: Ints
    migrations: Ints
    saved_gpu_s: Floats | None = None  # what jobs that their loss ended would have held on for; None: no loss curves

    def __len__(self) -> int:
        return len(self.id)

    @property
    def gpu_s(self) -> Floats:
        """Allocated GPU-seconds of each job."""
        total: Floats = self.gpu_s_by_pool.sum(axis=1)
        return total


@dataclass(frozen=True, slots=True)
class Spans:
    """Who held how many GPUs of which node, when: one row for each node of each uninterrupted holding."""

    owner: Ints  # row in JobRecords, or index of the service
    node: Ints  # index over all nodes, pool after pool
    pool: Ints
    gpus: Ints
    start_s: Floats
    end_s: Floats
    share: Floats | None = None  # of each GPU, where owners share GPUs; None: all of it
    activity: Floats | None = None  # of the dynamic power of a GPU, before sharing; None: all of it

    def __len__(self) -> int:
        return len(self.owner)

    @property
    def held(self) -> Floats:
        """GPUs charged to the owner: those it holds, by its share of them."""
        gpus: Floats = self.gpus.astype(np.float64)
        return gpus if self.share is None else gpus * self.share


class Absence(IntEnum):
    """Why a node could not be used."""

    DOWN = 0  # failed, reclaimed, or not there yet
    OFF = 1  # switched off by the policy
    BOOTING = 2


@dataclass(frozen=True, slots=True)
class Absences:
    """Spans during which a node held nothing because it could not, and why."""

    node: Ints
    why: Ints  # Absence
    start_s: Floats
    end_s: Floats

    def __len__(self) -> int:
        return len(self.node)


@dataclass(frozen=True, slots=True)
class RequestRecords:
    """One row a request, ordered by (service, arrival). Latency = queue + batch_wait + load + execute."""

    service: Ints
    arrival_s: Floats
    queue_s: Floats  # waited because every replica was busy
    batch_wait_s: Floats  # waited for its batch to fill
    load_s: Floats  # waited for a replica that was still booting or loading
    execute_s: Floats
    outcome: Ints  # RequestOutcome; the four parts are nan where not served

    @property
    def latency_s(self) -> Floats:
        total: Floats = self.queue_s + self.batch_wait_s + self.load_s + self.execute_s
        return total

    def __len__(self) -> int:
        return len(self.service)


@dataclass(frozen=True, slots=True)
class ServiceInfo:
    name: str
    tenant: str
    slo_s: float | None
    gpus_per_replica: int


@dataclass(frozen=True, slots=True)
class PoolInfo:
    """What metrics need to know of a pool; None is unknown."""

    name: str
    gpu_model: str
    nodes: int
    gpus_per_node: int
    purchase: str
    idle_w: float | None
    peak_w: float | None
    node_overhead_w: float
    off_w: float = 0.0

    @property
    def gpus(self) -> int:
        return self.nodes * self.gpus_per_node


@dataclass(frozen=True, slots=True)
class RunRecords:
    """Everything that a finished run says. `end_s` is the horizon, or the instant when everything had ended."""

    end_s: float
    pools: tuple[PoolInfo, ...]
    jobs: JobRecords
    job_spans: Spans
    services: tuple[ServiceInfo, ...]
    requests: RequestRecords
    replica_spans: Spans
    replica_busy_s: Floats  # (services,): seconds in which a replica executed a batch, summed over replicas
    absences: Absences | None = None  # None: every node was there all the time
    decisions: dict[str, int] = field(default_factory=dict)  # counts by name, e.g. decisions, starts, preemptions
