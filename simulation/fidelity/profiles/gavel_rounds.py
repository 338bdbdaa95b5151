"""Gavel's rounds: who runs where is decided at the end of the one before, and holds for whole steps.

In a round a job runs the steps that fit into it; its GPUs are idle until the round ends. Priorities, deficits and
promises are those of `mechanisms.programs.rounds`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulation.by_address import ByAddress
from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.state import FINISHED, State
from simulation.mechanisms.programs.rounds import Promises, charge, choose
from simulation.records import Floats, Ints

LENGTH_S = 360.0
RENEWAL_S = 1920.0  # the least between two renewals of promises
MOST_FAILURES = 5  # rounds in a row
ORDERS = 256  # of types, drawn at once

# places in Rounds.tally: jobs that live, have come, run in the round, are given up but not yet in the ledger; whether
# promises should be renewed, who runs next is to be decided, and the ledger does not know the round; orders used up
LIVE, COME, SERVED, DROPPED, STALE, DUE, NEW, TURN = range(8)
# places in Rounds.clock; CHARGED_S: run time has been charged up to here
BEGIN_S, END_S, CHARGED_S = range(3)


class Rounds(ByAddress):
    """J jobs in the order of arrival, T types. `left` and `steps` are whole numbers."""

    rate: Floats  # (J, T) steps/s of the whole gang
    gpus: Ints  # (T,)
    may: NDArray[np.bool_]  # (J, T)
    left: Floats  # (J,) steps
    failures: Ints  # (J,) rounds in a row
    live: Ints  # (J,) in the order of arrival
    dropped: Ints  # (J,)
    # the round
    job: Ints  # (J,) who runs
    kind: Ints  # (J,) type on which a job runs, -1: none
    held: Ints  # (J,) type on which the ledger has it
    steps: Floats  # (J,) that it does
    finish_s: Floats  # (J,)
    failed: NDArray[np.bool_]  # (J,) a GPU of the gang has no step to run, so nobody's count
    # working space
    kinds: Ints  # (J,)
    free: Ints  # (nodes,)
    order: Ints  # (ORDERS, T) types in the order in which they are served, a row a round
    clock: Floats
    tally: Ints


def make_rounds(rate: Floats, gpus: Ints, may: NDArray[np.bool_], steps: Floats, nodes: int) -> Rounds:
    """Before the first arrival. `rate`, `gpus` and `may` as in Rounds; steps (J,) of each job."""
    jobs, types = rate.shape
    failures, live, dropped, job, kinds = (np.zeros(jobs, np.int64) for _ in range(5))
    return Rounds(
        rate=rate, gpus=gpus, may=may, left=steps.copy(), failures=failures, live=live, dropped=dropped, job=job,
        kind=np.full(jobs, -1, np.int64), held=np.full(jobs, -1, np.int64), steps=np.zeros(jobs),
        finish_s=np.zeros(jobs), failed=np.zeros(jobs, np.bool_), kinds=kinds, free=np.zeros(nodes, np.int64),
        order=np.zeros((ORDERS, types), np.int64), clock=np.array([0.0, -np.inf, 0.0]), tally=np.zeros(8, np.int64),
    )  # fmt: skip


@kernel
def must_renew(r: Rounds, b: Promises, now_s: float) -> bool:
    """Whether promises are no longer right, and not too fresh."""
    since_s = now_s - b.renewed_s[0]
    return bool(r.tally[STALE] and (since_s >= RENEWAL_S or b.renewed_s[0] == 0.0))


@kernel
def end_round(s: State, r: Rounds, b: Promises, now_s: float) -> None:
    """Take in what the round did, and who has come; who runs next is to be decided."""
    by_finish(r)
    for i in range(r.tally[SERVED]):
        account(s, r, b, r.job[i])
    if r.tally[SERVED] > 0:
        r.clock[CHARGED_S] = r.clock[END_S]
    if r.tally[STALE]:
        forget(r)
    admit(s, r, b, now_s)
    r.tally[SERVED], r.tally[DUE] = 0, 1


@inner
def by_finish(r: Rounds) -> None:
    """The last to finish first, for sums depend on the order; stable."""
    for i in range(1, r.tally[SERVED]):
        job, at = r.job[i], i
        while at > 0 and r.finish_s[r.job[at - 1]] < r.finish_s[job]:
            r.job[at] = r.job[at - 1]
            at -= 1
        r.job[at] = job


@inner
def account(s: State, r: Rounds, b: Promises, job: int) -> None:
    """The steps and the run time of a job. After its last step its GPUs did nothing until the end of the round."""
    if s.phase[job] != FINISHED:
        idle_s = r.clock[END_S] - (r.clock[BEGIN_S] if r.failed[job] else r.finish_s[job])
        s.useful_gpu_s[job] -= idle_s * s.gang[job]
        s.overhead_gpu_s[job] += idle_s * s.gang[job]
    if r.failed[job]:
        r.failures[job] += 1
    else:
        r.failures[job] = 0
        r.left[job] -= r.steps[job]
        charge(b, job, r.kind[job], r.finish_s[job] - r.clock[CHARGED_S])
    if r.failures[job] == MOST_FAILURES:
        r.dropped[r.tally[DROPPED]] = job
        r.tally[DROPPED] += 1
    if r.left[job] == 0.0 or r.failures[job] == MOST_FAILURES:
        r.tally[STALE] = 1


@inner
def forget(r: Rounds) -> None:
    """Those who have ended or were given up live no longer."""
    kept = 0
    for i in range(r.tally[LIVE]):
        job = r.live[i]
        if r.left[job] > 0.0 and r.failures[job] < MOST_FAILURES:
            r.live[kept] = job
            kept += 1
        else:
            r.kind[job] = -1
    r.tally[LIVE] = kept


@inner
def admit(s: State, r: Rounds, b: Promises, now_s: float) -> None:
    """Jobs that have arrived by now."""
    first = r.tally[COME]
    while r.tally[COME] < len(r.left) and s.submit_s[r.tally[COME]] <= now_s:
        r.live[r.tally[LIVE]] = r.tally[COME]
        r.tally[LIVE] += 1
        r.tally[COME] += 1
    for kind in range(len(r.gpus)):
        b.total_s[kind] += b.credit_s * (r.tally[COME] - first)
        for job in range(first, r.tally[COME]):
            b.ran_s[job, kind] = b.credit_s
    if r.tally[COME] > first:
        r.tally[STALE] = 1


@kernel
def open_round(s: State, r: Rounds, b: Promises, now_s: float) -> bool:
    """Decide who runs; False where promises are to be renewed first.

    Nobody runs, all have come, and promises are not right: they are renewed at once, however fresh they are.
    """
    choose(b, r.live, r.tally[LIVE], s.gang, r.may, r.order[r.tally[TURN]], r.gpus, r.kinds)
    r.tally[TURN] += 1
    r.clock[END_S] = -np.inf
    for i in range(r.tally[LIVE]):
        job = r.live[i]
        r.kind[job] = r.kinds[i] if b.promised[job] else -1
        if r.kind[job] >= 0:
            deal_steps(s, r, job, now_s)
    if r.tally[SERVED] == 0 and r.tally[LIVE] > 0 and r.tally[COME] == len(r.left) and r.tally[STALE]:
        b.renewed_s[0] = 0.0
        return False
    r.clock[BEGIN_S] = now_s
    r.tally[DUE], r.tally[NEW] = 0, 1
    return True


@inner
def deal_steps(s: State, r: Rounds, job: int, now_s: float) -> None:
    """Whole steps that fit into the round, or what is left; dealt out evenly, so that each GPU must get one.

    The last to finish ends the round.
    """
    rate = r.rate[job, r.kind[job]]
    r.steps[job] = min(np.floor(rate * LENGTH_S), r.left[job])
    r.finish_s[job] = now_s + r.steps[job] / rate
    r.failed[job] = r.steps[job] < s.gang[job]
    r.clock[END_S] = max(r.clock[END_S], r.finish_s[job])
    r.job[r.tally[SERVED]] = job
    r.tally[SERVED] += 1


@kernel
def wake_s(r: Rounds) -> float:
    """The end of the round, later than its begin; inf where nobody runs."""
    if r.tally[SERVED] == 0:
        return np.inf
    end_s: float = max(r.clock[END_S], np.nextafter(r.clock[BEGIN_S], np.inf))
    return end_s
