"""Where the GPU time of each pool went: capacity, allocated, busy. Cost, energy and utilisation all start from here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulation.records import Floats, RunRecords


@dataclass(frozen=True, slots=True)
class PoolUse:
    """GPU-seconds of each pool (pools,). Busy: jobs without their overhead, and replicas while they execute."""

    capacity_s: Floats
    jobs_s: Floats
    replicas_s: Floats
    busy_s: Floats

    @property
    def allocated_s(self) -> Floats:
        total: Floats = self.jobs_s + self.replicas_s
        return total


def replica_gpu_s(records: RunRecords) -> Floats:
    """GPU-seconds that replicas held, (services, pools)."""
    spans, shape = records.replica_spans, (len(records.services), len(records.pools))
    cell = spans.owner * shape[1] + spans.pool
    held = np.bincount(cell, weights=spans.gpus * (spans.end_s - spans.start_s), minlength=shape[0] * shape[1])
    return held.astype(np.float64).reshape(shape)


def pool_use(records: RunRecords) -> PoolUse:
    """Jobs' overhead is spread over the pools that they used, and replicas' execution over theirs, by GPU time."""
    jobs, pools = records.jobs, len(records.pools)
    allocated_s = jobs.gpu_s
    computing = 1.0 - np.divide(jobs.overhead_gpu_s, allocated_s, out=np.zeros(len(jobs)), where=allocated_s > 0)
    replicas_s = replica_gpu_s(records)
    held_s = replicas_s.sum(axis=1, keepdims=True)
    spread = np.divide(replicas_s, held_s, out=np.zeros_like(replicas_s), where=held_s > 0)
    executing_s = records.replica_busy_s * np.array([s.gpus_per_replica for s in records.services], dtype=np.float64)
    return PoolUse(
        capacity_s=np.array([p.gpus * records.end_s for p in records.pools], dtype=np.float64),
        jobs_s=jobs.gpu_s_by_pool.reshape(-1, pools).sum(axis=0),
        replicas_s=replicas_s.sum(axis=0),
        busy_s=computing @ jobs.gpu_s_by_pool.reshape(-1, pools) + executing_s @ spread,
    )
