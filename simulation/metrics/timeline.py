"""The run over time, in equal bins: means of the exact step functions, not samples of them.

Allocated GPUs and waiting jobs are exact in each bin. A job's overhead and lost work are recorded as totals, so busy
and useful spread them evenly over the time that it held GPUs; replicas are busy when their batches were executed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulation.metrics.jobs import until_s
from simulation.metrics.occupancy import integral_at, segments
from simulation.metrics.requests import executions
from simulation.records import Absences, Floats, RunRecords, Spans

BINS = 300


def timeline(records: RunRecords) -> dict[str, Any]:
    """Shares of capacity by bin, and the mean number of jobs that waited. Empty for a run of no length.

    `away`, the share whose nodes could not be used, is there where nodes ever were.
    """
    capacity = sum(pool.gpus for pool in records.pools)
    width_s = records.end_s / BINS
    if width_s <= 0:
        empty: list[float] = []
        return {"t_s": empty, "bin_s": 0.0, "capacity_gpus": capacity} | dict.fromkeys(SERIES, empty)
    edges = np.linspace(0.0, records.end_s, BINS + 1)
    jobs, spans = records.jobs, records.job_spans
    held = jobs.gpu_s
    computing = 1.0 - np.divide(jobs.overhead_gpu_s, held, out=np.zeros(len(jobs)), where=held > 0)
    kept = np.divide(jobs.useful_gpu_s, held, out=np.zeros(len(jobs)), where=held > 0)
    executing = _executing(records, edges)
    series = {
        "allocated": _held(spans, edges, np.ones(len(spans))) + _held(records.replica_spans, edges, None),
        "busy": _held(spans, edges, computing[spans.owner]) + executing,
        "useful": _held(spans, edges, kept[spans.owner]) + executing,
    }
    if records.absences is not None and len(records.absences):
        series["away"] = _away(records, records.absences, edges)
    shares = {name: _plain(area / (width_s * max(1, capacity))) for name, area in series.items()}
    waiting = _plain(_waiting(records, edges) / width_s)
    starts = [float(t) for t in edges[:-1]]
    return {"t_s": starts, "bin_s": width_s, "capacity_gpus": capacity, **shares, "waiting": waiting}


SERIES = ("allocated", "busy", "useful", "waiting")


def _plain(values: Floats) -> list[float]:
    return [round(max(0.0, float(v)), 6) for v in values]


def _held(spans: Spans, edges: Floats, weight: Floats | None) -> Floats:
    gpus = spans.held if weight is None else spans.held * weight
    return np.diff(integral_at(edges, spans.start_s, spans.end_s, gpus))


def _away(records: RunRecords, absences: Absences, edges: Floats) -> Floats:
    """GPU-seconds of nodes that were down, switched off or booting."""
    gpus = np.repeat([pool.gpus_per_node for pool in records.pools], [pool.nodes for pool in records.pools])
    return np.diff(integral_at(edges, absences.start_s, absences.end_s, gpus[absences.node].astype(np.float64)))


def _executing(records: RunRecords, edges: Floats) -> Floats:
    total = np.zeros(len(edges) - 1)
    for service in range(len(records.services)):
        total += np.diff(integral_at(edges, *executions(records, service)))
    return total


def _waiting(records: RunRecords, edges: Floats) -> Floats:
    jobs, spans = records.jobs, records.job_spans
    present = integral_at(edges, jobs.submit_s, until_s(jobs, records.end_s), np.ones(len(jobs)))
    held = segments(spans.owner, spans.start_s, spans.end_s, spans.held)
    some = held.gpus > 1e-9
    holding = integral_at(edges, held.start_s[some], held.end_s[some], np.ones(int(some.sum())))
    return np.diff(present - holding)
