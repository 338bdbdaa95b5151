"""The ledger of a finished loop as immutable records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulation.engine.fleet import Fleet
from simulation.engine.kernels.segments import end_segment
from simulation.engine.loop import Loop
from simulation.engine.service import ServiceColumns
from simulation.engine.state import FINISHED, REJECTED, RUNNING
from simulation.records import (
    Absences,
    Floats,
    Ints,
    JobOutcome,
    JobRecords,
    RequestRecords,
    RunRecords,
    ServiceInfo,
    Spans,
)
from simulation.scenario import Service


def records_of(loop: Loop) -> RunRecords:
    """Close what is still open at the end and read everything out. Call once."""
    outcome = _close_jobs(loop)
    services = loop.fleet.services
    # with no horizon every batch that ever began has ended, and the clock of the queues stands beyond the end
    until_s = loop.end_s if loop.horizon_s < np.inf else np.inf
    columns = [running.queue.finish(until_s) for running in services]
    counts = {name: int(count) for name, count in sorted(loop.counts.items())}
    counts["jobs_after_horizon"] = loop.world.jobs.after_horizon
    return RunRecords(
        end_s=loop.end_s,
        pools=loop.world.nodes.pools,
        jobs=_jobs(loop, outcome),
        job_spans=_job_spans(loop),
        services=tuple(_service_info(running.world.service) for running in services),
        requests=_requests(loop.fleet, columns),
        replica_spans=_replica_spans(loop),
        replica_busy_s=np.array([c.busy_s for c in columns], dtype=np.float64),
        absences=_absences(loop),
        decisions=counts,
    )


def _service_info(service: Service) -> ServiceInfo:
    return ServiceInfo(service.name, service.tenant, service.slo_s, service.gpus_per_replica)


def _close_jobs(loop: Loop) -> Ints:
    """Outcome of each job; open segments end with the run, though their jobs do not."""
    phase = loop.ledger.phase
    outcome = np.full(len(phase), int(JobOutcome.WAITING), dtype=np.int64)
    outcome[phase == FINISHED] = loop.world.jobs.fate[phase == FINISHED]
    outcome[phase == RUNNING] = int(JobOutcome.RUNNING)
    outcome[phase == REJECTED] = int(JobOutcome.REJECTED)
    loop.reserve_log()
    for job in np.flatnonzero(phase == RUNNING).tolist():
        end_segment(loop.ledger, loop.log, job, loop.end_s)
    return outcome


def _jobs(loop: Loop, outcome: Ints) -> JobRecords:
    s, jobs = loop.ledger, loop.world.jobs
    return JobRecords(
        id=jobs.id,
        tenants=jobs.tenants,
        tenant=jobs.tenant,
        submit_s=jobs.submit_s,
        first_start_s=s.first_start_s,
        end_s=s.end_s,
        outcome=outcome,
        gpus=jobs.gang,
        isolated_s=jobs.isolated_s,
        held_s=s.held_s,
        useful_gpu_s=s.useful_gpu_s,
        overhead_gpu_s=s.overhead_gpu_s,
        lost_gpu_s=s.lost_gpu_s,
        gpu_s_by_pool=s.pool_gpu_s,
        deadline_s=jobs.deadline_s,
        preemptions=s.preemptions,
        resizes=s.resizes,
        migrations=s.migrations,
        saved_gpu_s=_saved_gpu_s(loop, outcome),
    )


def _saved_gpu_s(loop: Loop, outcome: Ints) -> Floats | None:
    """GPU time of the iterations left out, at that of the iterations done."""
    losses = loop.world.jobs.losses
    if losses is None:
        return None
    return np.where(outcome == JobOutcome.FINISHED, loop.ledger.useful_gpu_s * (1.0 / losses.part - 1.0), 0.0)


def _job_spans(loop: Loop) -> Spans:
    log, rows = loop.log, int(loop.log.tally[0])
    alone = log.share[:rows] == 0.0
    return Spans(
        owner=log.owner[:rows],
        node=log.node[:rows],
        pool=loop.world.nodes.pool[log.node[:rows]],
        gpus=log.gpus[:rows],
        start_s=log.start_s[:rows],
        end_s=log.end_s[:rows],
        share=_unless_one(log.share[:rows], alone),
        activity=_unless_one(log.activity[:rows], alone),
    )


def _unless_one(values: Floats, alone: NDArray[np.bool_]) -> Floats | None:
    """None where nothing was shared, or every GPU was as busy as can be."""
    if alone.all():
        return None
    whole = np.where(alone, 1.0, values)
    return whole if (whole != 1.0).any() else None


def _absences(loop: Loop) -> Absences | None:
    rows = sorted(loop.presence.spans, key=lambda row: (row[2], row[0]))
    if not rows:
        return None
    node, why, start_s, end_s = zip(*rows, strict=True)
    return Absences(np.array(node, np.int64), np.array(why, np.int64), np.array(start_s), np.array(end_s))


def _replica_spans(loop: Loop) -> Spans:
    rows = loop.fleet.spans
    whole = np.array([row[:3] for row in rows], dtype=np.int64).reshape(-1, 3)
    times = np.array([row[3:] for row in rows], dtype=np.float64).reshape(-1, 2)
    node = whole[:, 1].copy()
    return Spans(
        owner=whole[:, 0].copy(),
        node=node,
        pool=loop.world.nodes.pool[node],
        gpus=whole[:, 2].copy(),
        start_s=times[:, 0].copy(),
        end_s=times[:, 1].copy(),
    )


def _requests(fleet: Fleet, columns: list[ServiceColumns]) -> RequestRecords:
    arrivals = [running.world.arrivals_s for running in fleet.services]

    def joined(name: str) -> Floats:
        return np.concatenate([np.empty(0), *(getattr(c, name) for c in columns)])

    return RequestRecords(
        service=np.repeat(np.arange(len(arrivals)), [len(a) for a in arrivals]).astype(np.int64),
        arrival_s=np.concatenate([np.empty(0), *arrivals]),
        queue_s=joined("queue_s"),
        batch_wait_s=joined("batch_wait_s"),
        load_s=joined("load_s"),
        execute_s=joined("execute_s"),
        outcome=joined("outcome").astype(np.int64),
    )
