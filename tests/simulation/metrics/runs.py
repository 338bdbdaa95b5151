"""Records of runs written down by hand: a few jobs, who held what when, and what the metrics of them must be."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from simulation.records import (
    JobOutcome,
    JobRecords,
    PoolInfo,
    RequestOutcome,
    RequestRecords,
    RunRecords,
    ServiceInfo,
    Spans,
)
from simulation.scenario import Cluster, Pool, Prices, Scenario, Workload

NAN = float("nan")


@dataclass
class Job:
    """`holds` are (start, end, node, gpus); the job ended when its last hold did, unless another outcome is given."""

    submit: float
    holds: list[tuple[float, float, int, int]] = field(default_factory=list)
    gpus: int = 1
    isolated: float | None = None
    tenant: str = "a"
    outcome: JobOutcome = JobOutcome.FINISHED
    deadline: float = NAN
    overhead: float = 0.0
    lost: float = 0.0
    preemptions: int = 0


def pool(name="p", nodes=1, gpus_per_node=8, **more) -> PoolInfo:
    given = {"gpu_model": "A100", "purchase": "owned", "idle_w": None, "peak_w": None, "node_overhead_w": 0.0} | more
    return PoolInfo(name=name, nodes=nodes, gpus_per_node=gpus_per_node, **given)


def spans(rows: list[tuple[int, int, int, int, float, float]]) -> Spans:
    """Rows of (owner, node, pool, gpus, start, end)."""
    table = np.array(rows, dtype=np.float64).reshape(-1, 6)
    owner, node, where, gpus = (table[:, i].astype(np.int64) for i in range(4))
    return Spans(owner, node, where, gpus, table[:, 4], table[:, 5])


def run(jobs=(), pools=None, end_s=None, services=(), requests=None, replicas=(), busy=()) -> RunRecords:
    """A run of `jobs` on `pools`; `replicas` as rows of spans, `requests` as from `served`."""
    pools = pools or [pool()]
    pool_of_node = np.repeat(np.arange(len(pools)), [p.nodes for p in pools])
    held = [
        (i, node, int(pool_of_node[node]), gpus, start, end)
        for i, job in enumerate(jobs)
        for start, end, node, gpus in job.holds
    ]
    ends = [h[5] for h in held] + [r[5] for r in replicas]
    return RunRecords(
        end_s=end_s if end_s is not None else max(ends, default=0.0),
        pools=tuple(pools),
        jobs=job_records(list(jobs), held, len(pools)),
        job_spans=spans(held),
        services=tuple(services),
        requests=requests or served([]),
        replica_spans=spans(list(replicas)),
        replica_busy_s=np.array(list(busy) or [0.0] * len(services)),
        decisions={"decisions": 3},
    )


def job_records(jobs: list[Job], held: list[tuple[int, int, int, int, float, float]], pools: int) -> JobRecords:
    by_pool = np.zeros((len(jobs), pools))
    for i, _, where, gpus, start, end in held:
        by_pool[i, where] += gpus * (end - start)
    overhead, lost = np.array([j.overhead for j in jobs]), np.array([j.lost for j in jobs])
    tenants = tuple(sorted({j.tenant for j in jobs}))
    finished = [j.outcome == JobOutcome.FINISHED for j in jobs]
    return JobRecords(
        id=tuple(f"j{i}" for i in range(len(jobs))),
        tenants=tenants,
        tenant=np.array([tenants.index(j.tenant) for j in jobs], dtype=np.int64),
        submit_s=np.array([j.submit for j in jobs]),
        first_start_s=np.array([min((h[0] for h in j.holds), default=NAN) for j in jobs]),
        end_s=np.array([max(h[1] for h in j.holds) if f else NAN for j, f in zip(jobs, finished, strict=True)]),
        outcome=np.array([j.outcome for j in jobs], dtype=np.int64),
        gpus=np.array([j.gpus for j in jobs], dtype=np.int64),
        isolated_s=np.array([j.isolated if j.isolated is not None else held_s(j) for j in jobs]),
        held_s=np.array([held_s(j) for j in jobs]),
        useful_gpu_s=by_pool.sum(axis=1) - overhead - lost,
        overhead_gpu_s=overhead,
        lost_gpu_s=lost,
        gpu_s_by_pool=by_pool,
        deadline_s=np.array([j.deadline for j in jobs]),
        preemptions=np.array([j.preemptions for j in jobs], dtype=np.int64),
        resizes=np.zeros(len(jobs), dtype=np.int64),
        migrations=np.zeros(len(jobs), dtype=np.int64),
    )


def held_s(job: Job) -> float:
    """Length of the union of the job's holds."""
    total, until = 0.0, -np.inf
    for start, end, _, _ in sorted(job.holds):
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total


def served(rows: list[tuple[float, ...]], outcomes: list[RequestOutcome] | None = None) -> RequestRecords:
    """Requests as rows of (service, arrival, queue, batch wait, load, execute)."""
    table = np.array(rows, dtype=np.float64).reshape(-1, 6)
    kinds = outcomes or [RequestOutcome.SERVED] * len(table)
    return RequestRecords(table[:, 0].astype(np.int64), *table.T[1:], outcome=np.array(kinds, dtype=np.int64))


def service(name="s", tenant="serving", slo_s=None, gpus_per_replica=1) -> ServiceInfo:
    return ServiceInfo(name, tenant, slo_s, gpus_per_replica)


def scenario(**more) -> Scenario:
    """A scenario to read prices, quotas, PUE and origins from; its cluster and workload are not looked at."""
    cluster = Cluster(pools=[Pool(name="p", gpu_model="A100", nodes=1, gpus_per_node=8)], pue=more.pop("pue", 1.0))
    return Scenario(cluster=cluster, workload=Workload(), prices=more.pop("prices", Prices()), **more)
