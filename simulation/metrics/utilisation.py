"""Utilisation of GPU time (allocated, busy, useful) and fragmentation of what is idle."""

from __future__ import annotations

import numpy as np

from simulation.metrics.capacity import PoolUse
from simulation.metrics.definitions import Value
from simulation.metrics.occupancy import segments
from simulation.records import RunRecords


def utilisation_metrics(records: RunRecords, use: PoolUse) -> dict[str, Value]:
    """Shares of capacity (GPUs x length of the run), and the share of idle GPU time on partly used nodes."""
    capacity_s = float(use.capacity_s.sum())
    if capacity_s == 0:
        none = Value(None, None, "no capacity or a run of no length")
        names = ("utilisation_allocated", "utilisation_busy", "utilisation_useful", "fragmentation")
        return dict.fromkeys(names, none)
    allocated_s, busy_s = float(use.allocated_s.sum()), float(use.busy_s.sum())
    return {
        "utilisation_allocated": Value(allocated_s / capacity_s),
        "utilisation_busy": Value(busy_s / capacity_s),
        "utilisation_useful": Value((busy_s - float(records.jobs.lost_gpu_s.sum())) / capacity_s),
        "fragmentation": _fragmentation(records, capacity_s - allocated_s),
    }


def _fragmentation(records: RunRecords, idle_s: float) -> Value:
    if idle_s <= 1e-9 * records.end_s:
        return Value(None, None, "no GPU was ever idle")
    spans = (records.job_spans, records.replica_spans)
    used = segments(
        np.concatenate([s.node for s in spans]),
        np.concatenate([s.start_s for s in spans]),
        np.concatenate([s.end_s for s in spans]),
        np.concatenate([s.held for s in spans]),
    )
    size = np.repeat([p.gpus_per_node for p in records.pools], [p.nodes for p in records.pools])
    stranded = (size[used.key] - used.gpus) * (used.end_s - used.start_s)
    return Value(float(stranded[used.gpus > 1e-9].sum()) / idle_s)
