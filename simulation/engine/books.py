"""The books of a run: they must add up, in every run. Independent of the kernels: from the finished records alone."""

from __future__ import annotations

import numpy as np

from simulation.engine.errors import ConservationError
from simulation.records import Floats, JobOutcome, RunRecords, Spans
from simulation.world.cluster import Nodes

RELATIVE = 1e-9  # of the GPU-seconds of a job: sums of floats


def balance(records: RunRecords, nodes: Nodes, submitted: int) -> None:
    """Raise ConservationError, naming the node or job, where capacity, GPU-time or the count of jobs is violated."""
    _capacity(records, nodes)
    _nobody_on_absent_nodes(records, nodes)
    _gpu_time(records)
    counted = sum(int((records.jobs.outcome == outcome).sum()) for outcome in JobOutcome)
    if counted != submitted or len(records.jobs) != submitted:
        raise ConservationError(f"{submitted} jobs were submitted, {counted} are accounted for")
    if len(records.requests) and (records.requests.outcome < 0).any():
        raise ConservationError("a request has no outcome")


def _capacity(records: RunRecords, nodes: Nodes) -> None:
    """At every instant every node holds at most its GPUs: a sweep over the begins and ends of all spans."""
    spans = [records.job_spans, records.replica_spans]
    node = _both(spans, "node")
    gpus = _both(spans, "held")
    time_s = np.concatenate([_both(spans, "start_s"), _both(spans, "end_s")])
    where = np.concatenate([node, node]).astype(np.int64)
    change = np.concatenate([gpus, -gpus])
    order = np.lexsort((change, time_s, where))  # at one instant GPUs are given back first
    held = np.cumsum(change[order])  # ends at 0 on every node, so that sums do not leak into the next
    over = np.flatnonzero(held > nodes.size[where[order]] * (1 + RELATIVE))
    if len(over):
        at = order[over[0]]
        raise ConservationError(
            f"node {nodes.names[where[at]]} has {nodes.size[where[at]]} GPUs, "
            f"{held[over[0]]:g} are held at {time_s[at]} s"
        )


def _nobody_on_absent_nodes(records: RunRecords, nodes: Nodes) -> None:
    """No span of a job or replica reaches into a span in which its node could not be used."""
    absent = records.absences
    if absent is None:
        return
    spans = [records.job_spans, records.replica_spans]
    node, start_s, end_s = _both(spans, "node"), _both(spans, "start_s"), _both(spans, "end_s")
    for where in np.unique(absent.node).tolist():
        mine, away = node == where, absent.node == where
        begun, gone = np.sort(start_s[mine]), np.sort(end_s[mine])
        # jobs that began before the absence ended, less those that had ended when it began
        inside = np.searchsorted(begun, absent.end_s[away], "left") - np.searchsorted(
            gone, absent.start_s[away], "right"
        )
        if (inside > 0).any():
            raise ConservationError(f"node {nodes.names[where]} is held while it is away")


def _both(spans: list[Spans], column: str) -> Floats:
    joined: Floats = np.concatenate([getattr(s, column) for s in spans])
    return joined


def _gpu_time(records: RunRecords) -> None:
    """GPU-seconds of each job: by spans = by pools = useful + overhead + lost; and a finished job did all its work."""
    jobs = records.jobs
    spans = records.job_spans
    by_spans = np.bincount(spans.owner, weights=spans.held * (spans.end_s - spans.start_s), minlength=len(jobs))
    parts = jobs.useful_gpu_s + jobs.overhead_gpu_s + jobs.lost_gpu_s
    for name, other in (("the spans", by_spans), ("useful, overhead and lost time", parts)):
        wrong = np.flatnonzero(np.abs(other - jobs.gpu_s) > RELATIVE * np.maximum(1.0, jobs.gpu_s) * 100)
        if len(wrong):
            job = int(wrong[0])
            raise ConservationError(
                f"job {jobs.id[job]} was given {jobs.gpu_s[job]} GPU-seconds, {name} add up to {other[job]}"
            )
