"""The decision loop: what happens at an instant, and the one decision that follows.

Events of one instant: completions, nodes that go or come back, service ticks, arrivals, wake-ups that the policy asked
for; of one kind by job or node. Kernels move the jobs, the fleet moves the services, the policy
is asked for a plan, and the plan is applied as a whole or refused as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby
from math import inf, nextafter

import numpy as np

from simulation.engine.beside import fault_beside
from simulation.engine.errors import REFUSALS, Cancelled, ThrashingError
from simulation.engine.fleet import Fleet
from simulation.engine.holding import held_pieces
from simulation.engine.kernels.advance import advance, next_arrival_s
from simulation.engine.kernels.apply import OK, apply_whole, check
from simulation.engine.kernels.loss import entry_s, fail
from simulation.engine.kernels.segments import change_settings, join, next_due_s
from simulation.engine.memory import SharedMemory
from simulation.engine.plan import NOTHING, Beside, Decision, Plan
from simulation.engine.policy import News, Policy
from simulation.engine.presence import Presence
from simulation.engine.scaling import Scaling
from simulation.engine.state import (
    BEYOND_COUNT,
    DONE_COUNT,
    LOG_ROOM,
    NEXT_ARRIVAL,
    REJECTED,
    RUNNING_COUNT,
    WAITING,
    WAITING_COUNT,
    make_log,
    make_state,
    with_room,
)
from simulation.engine.stride import CompiledStride
from simulation.engine.stuck import stranded
from simulation.engine.view import Regime, View
from simulation.records import Floats, Ints
from simulation.scenario import Overheads
from simulation.world.build import World

LOOK_EVERY = 512  # decisions between two looks at progress and cancellation
MOST_STALLS = 1000  # preemptions in a row without progress
MOST_IDLE = 1000  # wake-ups in a row with nothing running and nothing to come
LOG_ROWS = 1 << 14


class Loop:
    """One run of one policy. After `run`, `ledger`, `log`, `fleet`, `counts` and `end_s` say what happened."""

    def __init__(
        self, world: World, overheads: Overheads, policy: Policy, regime: Regime, entitled: Floats, scaling: Scaling,
        horizon_s: float = np.inf,
    ) -> None:  # fmt: skip
        """entitled (tenants,): shares of the cluster. horizon_s inf: until everything has ended."""
        self.world, self.policy, self.horizon_s = world, policy, horizon_s
        conduct = policy.conduct
        self.ledger = make_state(world, overheads, conduct.sharing, conduct.kills, conduct.ports)
        # a span for each job and some more: a log that need not grow is never there twice
        self.log = make_log(LOG_ROWS + world.nodes.gpus + len(world.jobs) * 5 // 4)
        self.counts: Counter[str] = Counter(decisions=0, starts=0)
        self.fleet = Fleet(world, scaling, self.ledger, self.counts)
        self.presence = Presence(world, self.ledger, self.counts)
        self.memory = SharedMemory(world, self.ledger, self.counts)
        self.view = View(world, self.ledger, regime, entitled)
        self.end_s = 0.0
        self.preempted: list[int] = []  # since the last decision
        self.refusal = ""  # what was wrong with the last plan that was refused
        self._compiled: CompiledStride | None = None
        self._wake_s = np.inf
        self._setbacks: dict[int, tuple[float, int]] = {}  # job -> least work left, times without gain
        self._idle = 0  # wake-ups in a row with nothing running and nothing to come

    def run(self, progress: Callable[[float], None] | None = None, cancelled: Callable[[], bool] | None = None) -> None:
        """Run to the horizon, or to the end of all events.

        Raises StuckError, ThrashingError or, at a decision point after `cancelled()` is true, Cancelled.
        """
        self.open()
        while self._stride(LOOK_EVERY):
            if cancelled is not None and cancelled():
                raise Cancelled
            if progress is not None:
                progress(self._done())
        self.close()

    def open(self) -> None:
        """Before the first event: services stand, and the policy makes its working space."""
        self.fleet.open()
        self.policy.begin(self.view)
        form = self.policy.compiled()
        self._compiled = None if form is None else CompiledStride(self, form, MOST_STALLS)

    def go_on(self, until_s: float) -> bool:
        """Between `open` and `close`: all that happens up to `until_s`, instant by instant; False at the end."""
        while self._next_s() <= until_s:
            if not self._stride(1):
                return False
        return True

    def _next_s(self) -> float:
        own_s = np.inf if self._compiled is None else self._compiled.due_s
        return min(own_s, self.limit_s(), float(next_due_s(self.ledger)), float(next_arrival_s(self.ledger)))

    def _stride(self, turns: int) -> bool:
        """So many decisions, or as many more as cost no more when they are compiled; False at the end of the run."""
        return self._decide_many(turns) if self._compiled is None else self._compiled(turns)

    def limit_s(self) -> float:
        """The next instant at which something other than a job's arrival or end happens."""
        wake_s = self._wake_s if self._idle <= MOST_IDLE else np.inf
        return min(self.horizon_s, wake_s, self.fleet.next_s, self.presence.next_s, self.memory.next_s)

    def _decide_many(self, turns: int) -> bool:
        for _ in range(turns):
            self.reserve_log()
            t, came, ended = advance(self.ledger, self.log, self.limit_s())
            if t >= self.horizon_s or t == np.inf or self.idle_too_long(came + ended):
                return False
            self.arrive_at(t)
            self._decide(came, ended)
        return True

    def idle_too_long(self, events: int) -> bool:
        """Whether nothing is left to happen, or a policy goes on asking to be woken for nothing.

        Before a horizon nodes still come and go, and may be switched off; a policy is woken only so often for nothing.
        """
        tally = self.ledger.tally
        idle = events == 0 and tally[NEXT_ARRIVAL] == len(self.ledger.phase) and not self._progresses()
        idle = idle and not self.fleet.gets_on(self.view.now_s)
        waited_for = idle and self.fleet.waited_for(self.view.now_s)
        self._idle = self._idle + 1 if idle and (waited_for or self.fleet.next_s == np.inf) else 0
        most = MOST_IDLE if waited_for or tally[WAITING_COUNT] or tally[RUNNING_COUNT] else 0
        return self.horizon_s == np.inf and self._idle > most

    def _progresses(self) -> bool:
        """Whether any job runs and will end."""
        s = self.ledger
        return bool((s.finish_s[s.running[: s.tally[RUNNING_COUNT]]] < np.inf).any())

    def arrive_at(self, now_s: float) -> None:
        """The clock stands at `now_s`: job events have happened, now those of nodes and services."""
        self.view.now_s = now_s
        for job in self.memory.at(now_s):
            self._fail(job, False, now_s)
        if self.presence.next_s <= now_s:
            for node, told in self.presence.at(now_s):
                self._evict(node, told, now_s)
                self.fleet.lose(node, now_s)
            self.fleet.nodes_changed(now_s)
        if self.fleet.next_s <= now_s:
            self.fleet.at(now_s, self.policy, self.view, self.apply)

    def _evict(self, node: int, told: bool, now_s: float) -> None:
        """Every job with a GPU on a node that is gone waits again."""
        s = self.ledger
        for job in sorted(s.running[: s.tally[RUNNING_COUNT]].tolist()):
            if any(held == node for held, _ in held_pieces(s, job)):
                self._fail(job, told, now_s)
                self._refuse_sisyphus(job)
                self.counts["jobs_interrupted"] += 1

    def _fail(self, job: int, told: bool, now_s: float) -> None:
        self.reserve_log()
        fail(self.ledger, self.log, job, now_s, told)
        self.preempted.append(job)

    def _refuse_sisyphus(self, job: int) -> None:
        """Raise ThrashingError where a job falls back to where it was, interruption after interruption."""
        left_s = float(self.ledger.remaining_s[job])
        least_s, times = self._setbacks.get(job, (np.inf, 0))
        self._setbacks[job] = (left_s, 0) if left_s < least_s else (least_s, times + 1)
        if times > MOST_STALLS:
            raise ThrashingError(
                f"job {self.world.jobs.id[job]} has lost its progress {times} times in a row: nodes go more often than "
                "it saves; give it a checkpoint interval"
            )

    def _decide(self, came: int, ended: int) -> None:
        waiting = self.ledger.arrived[:came]
        if self.preempted:
            waiting = np.concatenate([np.array(self.preempted, np.int64), waiting])
            self.preempted = []
        made = self.policy.decide(self.view, News(waiting, self.ledger.ended[:ended]))
        self.counts["decisions"] += 1
        plan, beside = made if isinstance(made, Decision) else (made, NOTHING)
        if plan is not None and not (plan.empty and beside.empty):
            self.apply(plan, beside)
        self._wake_s = max(self.policy.wake_s(self.view), nextafter(self.view.now_s, inf))

    def apply(self, plan: Plan, beside: Beside = NOTHING) -> bool:
        """Put a plan into effect as a whole; one that does not fit changes nothing and is counted."""
        fault = "" if beside.empty else self._fault(plan, beside)
        if not fault:
            self._set(beside)
            self.reserve_log()
            code, lost, begun = apply_whole(self.ledger, self.log, plan, self.view.now_s)
            fault = "" if code == OK else REFUSALS[code]
        if fault:
            self.counts["plans_refused"] += 1
            self.refusal = fault
            return False
        self.counts["starts"] += begun
        if not beside.empty:
            self._beside(beside)
        if lost:
            self._wait_again(self.ledger.stopped[:lost])
        return True

    def _wait_again(self, lost: Ints) -> None:
        """Of the jobs that a plan has stopped: one that was stopped in order to share runs again already."""
        again = lost[self.ledger.phase[lost] == WAITING]
        self.preempted.extend(again.tolist())
        self.refuse_thrashing(again)

    def _fault(self, plan: Plan, beside: Beside) -> str:
        code, _ = check(self.ledger, plan)
        return REFUSALS[code] if code != OK else fault_beside(self.world, self.ledger, plan, beside) or ""

    def _set(self, beside: Beside) -> None:
        for job, settings in groupby(beside.settings, key=lambda setting: setting[0]):
            columns, values = zip(*(setting[1:] for setting in settings), strict=True)
            self.reserve_log()
            change_settings(self.ledger, self.log, job, np.array(columns, np.int64), np.array(values), self.view.now_s)

    def _beside(self, beside: Beside) -> None:
        """What follows once the plan is in effect."""
        s, now_s = self.ledger, self.view.now_s
        for job, host in beside.joins:
            self.reserve_log()
            join(s, self.log, job, host, now_s, entry_s(s, job))
            self.memory.joined(job)
            self.counts["starts"] += 1
        for job in beside.refused:
            s.phase[job] = REJECTED
            s.tally[WAITING_COUNT] -= 1
            s.waiting_of[s.tenant[job]] -= 1
            self.counts["jobs_refused"] += 1
        for node, on in beside.power:
            self.presence.switch(node, on, now_s)
        self.counts.update(dict(beside.counts))

    def refuse_thrashing(self, jobs: Ints) -> None:
        """Raise ThrashingError where one of the jobs just preempted makes no progress any more."""
        stalls = self.ledger.stalls[jobs]
        if stalls.max(initial=0) > MOST_STALLS:
            raise ThrashingError(
                f"job {self.world.jobs.id[jobs[stalls.argmax()]]} was preempted {stalls.max()} times in a row without "
                "progress: it is given GPUs for less time than a start or restart takes"
            )

    def reserve_log(self) -> None:
        """Room in the log for all holdings to end at one instant: of themselves, or by the plan that follows."""
        self.log = with_room(self.log, int(self.ledger.tally[LOG_ROOM]))

    def _done(self) -> float:
        """Fraction of the run that is behind: of the horizon, or of the arrivals and ends of jobs."""
        if self.horizon_s < np.inf:
            return min(1.0, self.view.now_s / self.horizon_s)
        events = int(self.ledger.tally[NEXT_ARRIVAL] + self.ledger.tally[DONE_COUNT])
        return events / max(1, 2 * len(self.world.jobs))

    def close(self) -> None:
        """The end of the run: its instant, and whatever still holds GPUs."""
        if self.horizon_s == np.inf and self._idle > MOST_IDLE and self.fleet.waited_for(self.view.now_s):
            self.horizon_s = self.view.now_s  # nobody will ever answer
        if self.horizon_s < np.inf:
            self.end_s = self.horizon_s
        else:
            self.counts["jobs_stranded"] = stranded(self.world, self.ledger)
            ends_s = self.ledger.end_s[~np.isnan(self.ledger.end_s)]
            self.end_s = max(float(ends_s.max(initial=0.0)), self.fleet.last_end_s())
        self.fleet.close(self.end_s)
        self.presence.close(self.end_s)
        if beyond := int(self.ledger.tally[BEYOND_COUNT]):
            self.counts["rates_extrapolated"] = beyond
