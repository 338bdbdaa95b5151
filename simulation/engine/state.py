"""The ledger of a run: flat arrays that kernels move and policies read through a view.

Everything is in State but the log of spans, which grows. Work is counted in seconds of the gang asked for at speed 1:
a job that holds h of g GPUs at speed v works at rate v x h / g. A job's numbers are brought up to date only when its
holding changes (lazy segments), so results do not depend on how often the loop stops.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulation.records import Floats, Ints
from simulation.scenario import Overheads
from simulation.world.build import World


class Phase(IntEnum):
    """Where a job stands; kernels compare the plain integers below."""

    PENDING = 0
    WAITING = 1
    RUNNING = 2
    FINISHED = 3
    REJECTED = 4


PENDING, WAITING, RUNNING, FINISHED, REJECTED = (int(p) for p in Phase)

# places in State.tally
NEXT_ARRIVAL, RUNNING_COUNT, DUE_COUNT, FREE_ENTRY, WAITING_COUNT, DONE_COUNT, FREE_GPUS = range(7)
# places in State.overhead_s
START, RESUME, RESIZE = range(3)


class State(NamedTuple):
    """N nodes, D domains, J jobs, P pools; entries are the pieces (node, GPUs) of which holdings are linked lists."""

    # nodes and domains
    free: Ints
    size: Ints
    pool: Ints
    domain: Ints
    domain_nodes: Ints
    domain_start: Ints
    domain_speed: Floats
    sizes_down: Ints
    class_domains: Ints
    # jobs, fixed
    submit_s: Floats
    duration_s: Floats
    gang: Ints
    gang_min: Ints
    gang_max: Ints
    tenant: Ints
    klass: Ints
    preemptible: NDArray[np.bool_]
    # jobs, moving
    phase: Ints
    remaining_s: Floats
    since_s: Floats  # begin of the present segment
    work_from_s: Floats  # end of the overhead of the present segment
    rate: Floats
    held: Ints
    finish_s: Floats
    attained_gpu_s: Floats  # up to the present segment
    stalls: Ints  # preemptions in a row without progress
    # jobs, accounts
    first_start_s: Floats
    end_s: Floats
    held_s: Floats
    useful_gpu_s: Floats
    overhead_gpu_s: Floats
    pool_gpu_s: Floats
    preemptions: Ints
    resizes: Ints
    migrations: Ints
    # holdings
    first_entry: Ints
    entry_node: Ints
    entry_gpus: Ints
    entry_next: Ints
    # running jobs in no particular order and where each stands there; completions as a heap with stale entries
    running: Ints
    running_at: Ints
    due_s: Floats
    due_job: Ints
    # of each tenant: waiting jobs, and GPUs held by the running ones
    waiting_of: Ints
    held_of: Ints
    # scalars
    tally: Ints
    overhead_s: Floats


class Log(NamedTuple):
    """Spans of jobs, closed ones only; `tally[0]` rows are filled."""

    owner: Ints
    node: Ints
    gpus: Ints
    start_s: Floats
    end_s: Floats
    tally: Ints


def make_state(world: World, overheads: Overheads) -> State:
    """The ledger at time 0: nothing has arrived, every GPU is free."""
    nodes, jobs = world.nodes, world.jobs
    n, gpus = len(jobs), nodes.gpus
    entries = max(1, gpus)
    most_running = max(1, min(n, gpus))
    state = State(
        free=nodes.size.copy(), size=nodes.size, pool=nodes.pool, domain=nodes.domain,
        domain_nodes=nodes.domain_nodes, domain_start=nodes.domain_start, domain_speed=nodes.domain_speed,
        sizes_down=nodes.sizes_down, class_domains=jobs.class_domains,
        submit_s=jobs.submit_s, duration_s=jobs.duration_s, gang=jobs.gang, gang_min=jobs.gang_min,
        gang_max=jobs.gang_max, tenant=jobs.tenant, klass=jobs.klass, preemptible=jobs.preemptible,
        phase=np.where(jobs.rejected, REJECTED, PENDING).astype(np.int64), remaining_s=jobs.duration_s.copy(),
        since_s=np.zeros(n), work_from_s=np.zeros(n), rate=np.zeros(n), held=np.zeros(n, np.int64),
        finish_s=np.full(n, np.inf), attained_gpu_s=np.zeros(n), stalls=np.zeros(n, np.int64),
        first_start_s=np.full(n, np.nan), end_s=np.full(n, np.nan), held_s=np.zeros(n), useful_gpu_s=np.zeros(n),
        overhead_gpu_s=np.zeros(n), pool_gpu_s=np.zeros((n, len(nodes.pools))), preemptions=np.zeros(n, np.int64),
        resizes=np.zeros(n, np.int64), migrations=np.zeros(n, np.int64),
        first_entry=np.full(n, -1, np.int64), entry_node=np.zeros(entries, np.int64),
        entry_gpus=np.zeros(entries, np.int64), entry_next=np.arange(1, entries + 1),
        running=np.zeros(most_running, np.int64), running_at=np.zeros(n, np.int64),
        due_s=np.zeros(2 * most_running + 2), due_job=np.zeros(2 * most_running + 2, np.int64),
        tally=np.zeros(7, np.int64), waiting_of=np.zeros(len(jobs.tenants), np.int64),
        held_of=np.zeros(len(jobs.tenants), np.int64),
        overhead_s=np.array([overheads.start_s, overheads.checkpoint_s + overheads.restart_s, overheads.resize_s]),
    )  # fmt: skip
    state.tally[FREE_GPUS] = gpus
    return state


def make_log(rows: int) -> Log:
    whole = [np.zeros(rows, np.int64) for _ in range(3)]
    return Log(whole[0], whole[1], whole[2], np.zeros(rows), np.zeros(rows), np.zeros(1, np.int64))


def with_room(log: Log, rows: int) -> Log:
    """`log` itself, or a copy twice as long, with room for `rows` more."""
    if log.tally[0] + rows <= len(log.owner):
        return log
    longer = make_log(2 * len(log.owner) + rows)
    for old, new in zip(log, longer, strict=True):
        new[: len(old)] = old
    return longer
