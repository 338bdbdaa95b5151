"""Where the GPU time of each pool went: capacity, allocated, busy. Cost, energy and utilisation all start from here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulation.metrics.occupancy import integral_at
from simulation.records import Absence, Floats, RunRecords


@dataclass(frozen=True, slots=True)
class PoolUse:
    """GPU-seconds of each pool (pools,), while its nodes are there. Busy: jobs without their overhead, and replicas
    while they execute. Dynamic: busy, weighted by how much of a GPU's dynamic power is drawn. Off: switched off."""

    capacity_s: Floats
    jobs_s: Floats
    replicas_s: Floats
    busy_s: Floats
    dynamic_s: Floats
    off_s: Floats

    @property
    def allocated_s(self) -> Floats:
        total: Floats = self.jobs_s + self.replicas_s
        return total


def replica_gpu_s(records: RunRecords) -> Floats:
    """GPU-seconds that replicas held, (services, pools)."""
    spans, shape = records.replica_spans, (len(records.services), len(records.pools))
    cell = spans.owner * shape[1] + spans.pool
    held = np.bincount(cell, weights=spans.held * (spans.end_s - spans.start_s), minlength=shape[0] * shape[1])
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
    by_pool = jobs.gpu_s_by_pool.reshape(-1, pools)
    replicas_busy_s = executing_s @ spread
    gone_s, off_s = (_absent_gpu_s(records, why) for why in (Absence.DOWN, Absence.OFF))
    return PoolUse(
        capacity_s=np.array([p.gpus * records.end_s for p in records.pools], dtype=np.float64) - gone_s,
        jobs_s=by_pool.sum(axis=0),
        replicas_s=replicas_s.sum(axis=0),
        busy_s=computing @ by_pool + replicas_busy_s,
        dynamic_s=_dynamic_s(records, computing, by_pool) + replicas_busy_s,
        off_s=off_s,
    )


def _dynamic_s(records: RunRecords, computing: Floats, by_pool: Floats) -> Floats:
    spans = records.job_spans
    if spans.activity is None:
        whole: Floats = computing @ by_pool
        return whole
    drawn = spans.held * (spans.end_s - spans.start_s) * spans.activity * computing[spans.owner]
    return np.bincount(spans.pool, weights=drawn, minlength=len(records.pools)).astype(np.float64)


def _absent_gpu_s(records: RunRecords, why: Absence) -> Floats:
    """GPU-seconds of each pool whose nodes were away for one reason."""
    lost, absent = np.zeros(len(records.pools)), records.absences
    if absent is None:
        return lost
    pool = np.repeat(np.arange(len(records.pools)), [p.nodes for p in records.pools])
    gpus = np.array([p.gpus_per_node for p in records.pools])
    mine = absent.why == why
    where = pool[absent.node[mine]]
    np.add.at(lost, where, gpus[where] * (absent.end_s[mine] - absent.start_s[mine]))
    return lost


def held_between(records: RunRecords, pool: int, edges_s: Floats) -> Floats:
    """GPU-seconds of a pool that jobs and replicas held between each two of `edges_s` (m,): (m - 1,)."""
    total = np.zeros(len(edges_s) - 1)
    for spans in (records.job_spans, records.replica_spans):
        mine = spans.pool == pool
        area = integral_at(edges_s, spans.start_s[mine], spans.end_s[mine], spans.held[mine])
        total += np.diff(area)
    return total


def there_between(records: RunRecords, pool: int, edges_s: Floats) -> Floats:
    """GPU-seconds of the nodes of a pool while they were there, between each two of `edges_s` (m,): (m - 1,)."""
    info, absent = records.pools[pool], records.absences
    total: Floats = info.gpus * np.diff(edges_s)
    if absent is not None:
        where = np.repeat(np.arange(len(records.pools)), [p.nodes for p in records.pools])[absent.node]
        mine = (where == pool) & (absent.why == Absence.DOWN)
        gone = np.full(int(mine.sum()), float(info.gpus_per_node))
        total = total - np.diff(integral_at(edges_s, absent.start_s[mine], absent.end_s[mine], gone))
    return total
