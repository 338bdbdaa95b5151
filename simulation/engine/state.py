"""The ledger of a run: flat arrays that kernels move and policies read through a view.

Everything is in State but the log of spans, which grows. Work is counted in seconds of the gang asked for on the
reference model: a job without a profile that holds h of g GPUs at speed v works at rate v x h / g; with one, at the
rate of its profile. A job's numbers are brought up to date only when something about it changes (lazy segments), so
results do not depend on how often the loop stops.

Jobs may share GPUs: a group is a ring of jobs that ride on the holding of one of them, the host.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulation.by_address import ByAddress
from simulation.columns import side_by_side
from simulation.engine.ports import EQUAL, PortLaw, port_law
from simulation.engine.sharing import ALONE, SharingLaw
from simulation.records import Floats, Ints
from simulation.scenario import Overheads
from simulation.world.build import World
from simulation.world.jobs import Jobs
from simulation.world.rates import Rates


class Phase(IntEnum):
    """Where a job stands; kernels compare the plain integers below."""

    PENDING = 0
    WAITING = 1
    RUNNING = 2
    FINISHED = 3
    REJECTED = 4


PENDING, WAITING, RUNNING, FINISHED, REJECTED = (int(p) for p in Phase)

# places in State.tally; BEYOND_COUNT: segments at an extrapolated rate; LOG_ROOM: rows that one instant may need
NEXT_ARRIVAL, RUNNING_COUNT, DUE_COUNT, FREE_ENTRY, WAITING_COUNT, DONE_COUNT, FREE_GPUS = range(7)
BEYOND_COUNT, LOG_ROOM = 7, 8
# places in State.overhead_s; SAVE_EVERY: interval of checkpoints while running (inf: none), DUTY: share of time that
# they leave; KILLS: 1 where a preempted job is killed, and loses what it has not saved; STAKES: 1 where that or an
# interruption can happen; RESTART: what resuming costs a job that was cut off, and has saved nothing on its way out
START, RESUME, RESIZE, SAVE_EVERY, DUTY, KILLS, STAKES, RESTART = range(8)
# columns of State.setting
CLOCK, CORES, MEMORY = range(3)
UNSET = (1.0, np.nan, np.nan)  # what holds where nobody has: full clock, its proportional share
# columns of State.risk: work since the last save, the time and GPU-seconds that it took; 1 where the job was cut off
AT_RISK_S, AT_RISK_TIME_S, AT_RISK_GPU_S, CUT_OFF = range(4)


class State(ByAddress):
    """N nodes, D domains, J jobs, P pools; entries are the pieces (node, GPUs) of which holdings are linked lists."""

    # nodes and domains
    free: Ints
    draft: Ints  # (nodes,) working copy of `free`
    size: Ints
    pool: Ints
    domain: Ints
    domain_nodes: Ints
    domain_start: Ints
    domain_speed: Floats
    sizes_down: Ints
    class_domains: Ints
    rack: Ints
    island: Ints
    away: Ints  # 0: usable; else 1 + Absence
    port_load: Ints  # summed duties of those who cross the network ports of a node
    # jobs, fixed
    submit_s: Floats
    duration_s: Floats
    gang: Ints
    gang_min: Ints
    gang_max: Ints
    tenant: Ints
    klass: Ints
    preemptible: NDArray[np.bool_]
    rates: Rates
    law: SharingLaw
    ports: PortLaw
    # jobs, moving
    phase: Ints
    remaining_s: Floats
    since_s: Floats  # begin of the present segment
    began_s: Floats  # since when it holds its present GPUs
    work_from_s: Floats  # end of the overhead of the present segment
    rate: Floats
    held: Ints
    finish_s: Floats
    attained_gpu_s: Floats  # up to the present segment
    stalls: Ints  # preemptions in a row without progress
    plain: NDArray[np.bool_]  # no profile, no mate, full clock: its rate is linear, and all it holds is its own
    host: Ints  # whose holding the job rides on: itself, unless it shares
    mate: Ints  # next job of its group; itself where it is alone
    share: Floats  # of each of its GPUs
    duty: Ints  # part of its time in which it crosses network ports (see kernels.network)
    setting: Floats  # (jobs, 3) relative clock; CPU cores and host memory for each GPU; 0: nobody has set it
    risk: Floats  # (jobs, 4)
    apart: NDArray[np.bool_]  # has run out of memory beside others, and shares with nobody; empty where nobody may
    rule: Ints  # placement rule of each job, where the rule of the recipe is PER_JOB
    # jobs, accounts
    first_start_s: Floats
    end_s: Floats
    held_s: Floats
    useful_gpu_s: Floats
    overhead_gpu_s: Floats
    lost_gpu_s: Floats
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
    # of one instant: who arrives, who ends, whom a plan has stopped
    arrived: Ints
    ended: Ints
    stopped: Ints
    # of each tenant: waiting jobs, and GPUs held by the running ones
    waiting_of: Ints
    held_of: Ints
    # scalars
    tally: Ints
    overhead_s: Floats


class Log(ByAddress):
    """Spans of jobs, closed ones only; `tally[0]` rows are filled.

    Nothing is written where a job has its GPUs to itself and keeps them as busy as can be: `share` is 0 there, and
    memory that no run of millions of such jobs ever touches stays unused.
    """

    owner: Ints
    node: Ints
    gpus: Ints
    start_s: Floats
    end_s: Floats
    share: Floats
    activity: Floats
    tally: Ints


def make_state(
    world: World, overheads: Overheads, law: SharingLaw = ALONE, kills: bool = False, ports: int = EQUAL
) -> State:
    """The ledger at time 0: nothing has arrived, every GPU of a node that is there is free."""
    nodes, jobs = world.nodes, world.jobs
    n, gpus = len(jobs), nodes.gpus
    shares = law.most > 1
    stakes = kills or bool(world.happenings.nodes) or (shares and bool(jobs.memory.any()))
    entries = max(1, gpus)
    most_running = max(1, min(n, gpus * law.most))
    state = State(
        free=nodes.size.copy(), draft=nodes.size.copy(), size=nodes.size, pool=nodes.pool, domain=nodes.domain,
        domain_nodes=nodes.domain_nodes, domain_start=nodes.domain_start, domain_speed=nodes.domain_speed,
        sizes_down=nodes.sizes_down, class_domains=jobs.class_domains, rack=nodes.rack, island=nodes.island,
        away=nodes.starts_down.copy(), port_load=np.zeros(len(nodes.size), np.int64),
        submit_s=jobs.submit_s, duration_s=jobs.duration_s, gang=jobs.gang, gang_min=jobs.gang_min,
        gang_max=jobs.gang_max, tenant=jobs.tenant, klass=jobs.klass, preemptible=jobs.preemptible,
        rates=jobs.rates, law=law, ports=port_law(ports, n),
        **_of_jobs(jobs),
        plain=jobs.rates.profile < 0, share=np.ones(n), setting=np.zeros((n, 3)),
        apart=np.zeros(n if shares else 0, np.bool_),
        risk=np.zeros((n if stakes else 0, 4)), rule=np.zeros(n, np.int64), pool_gpu_s=np.zeros((n, len(nodes.pools))),
        entry_node=np.zeros(entries, np.int64),
        entry_gpus=np.zeros(entries, np.int64), entry_next=np.arange(1, entries + 1),
        running=np.zeros(most_running, np.int64),
        due_s=np.zeros(2 * most_running + 2), due_job=np.zeros(2 * most_running + 2, np.int64),
        arrived=np.zeros(n + 1, np.int64), ended=np.zeros(most_running, np.int64),
        stopped=np.zeros(most_running, np.int64),
        tally=np.zeros(9, np.int64), waiting_of=np.zeros(len(jobs.tenants), np.int64),
        held_of=np.zeros(len(jobs.tenants), np.int64),
        overhead_s=_overhead_s(overheads, kills, stakes),
    )  # fmt: skip
    state.free[state.away > 0] = 0
    state.tally[FREE_GPUS] = state.free.sum()
    state.tally[LOG_ROOM] = 2 * entries * law.most
    return state


def _of_jobs(jobs: Jobs) -> dict[str, Any]:
    """What an event of a job reads and writes."""
    number, never, none = np.arange(len(jobs)), np.nan, np.int32(0)
    return side_by_side(
        len(jobs),
        finish_s=np.inf, since_s=0.0, work_from_s=0.0, rate=0.0, remaining_s=jobs.duration_s, attained_gpu_s=0.0,
        held_s=0.0, useful_gpu_s=0.0, overhead_gpu_s=0.0, began_s=0.0, first_start_s=never, end_s=never,
        host=number, mate=number, lost_gpu_s=0.0, duty=0, preemptions=0, resizes=0, migrations=0,
        phase=np.where(jobs.rejected, REJECTED, PENDING).astype(np.int32), held=none, first_entry=np.int32(-1),
        running_at=none, stalls=none,
    )  # fmt: skip


def _overhead_s(overheads: Overheads, kills: bool, stakes: bool) -> Floats:
    every_s = overheads.checkpoint_interval_s or np.inf
    duty = 1.0 if every_s == np.inf else every_s / (every_s + overheads.checkpoint_s)
    resume_s = overheads.restart_s if kills else overheads.checkpoint_s + overheads.restart_s
    return np.array(
        [overheads.start_s, resume_s, overheads.resize_s, every_s, duty, kills, stakes, overheads.restart_s],
        dtype=np.float64,
    )


def setting_of(s: State, job: int, column: int) -> float:
    """Clock, cores or memory of a job; nan: its proportional share."""
    return float(s.setting[job, column]) or UNSET[column]


def make_log(rows: int) -> Log:
    owner, node, gpus = (np.zeros(rows, np.int64) for _ in range(3))
    start_s, end_s, share, activity = (np.zeros(rows) for _ in range(4))
    return Log(owner, node, gpus, start_s, end_s, share, activity, np.zeros(1, np.int64))


def with_room(log: Log, rows: int) -> Log:
    """`log` itself, or a copy twice as long, with room for `rows` more."""
    if log.tally[0] + rows <= len(log.owner):
        return log
    longer = make_log(2 * len(log.owner) + rows)
    for old, new in zip(log.as_tuple(), longer.as_tuple(), strict=True):
        new[: len(old)] = old
    return longer
