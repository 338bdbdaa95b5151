"""The order of fair shares: GPUs are dealt out tenant by tenant, by what each has for its entitlement."""

from __future__ import annotations

import numpy as np

from simulation.engine.kernels.compiling import allocating
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.mechanisms.sequence import KeyedSequence
from simulation.records import Floats, Ints


class FairSequence(KeyedSequence):
    """Progressive filling: the tenant with the least load for its entitlement deals its next job, again and again.

    Load is in GPUs: what earlier jobs of the same deal take, and with a memory the mean of past GPU-time (half-life
    `memory_s`). When only waiting jobs are ordered, what a tenant holds already counts too.
    """

    def __init__(self, view: View, memory_s: float) -> None:
        super().__init__(view, lambda view, jobs: (view.submit_s[jobs], np.zeros(len(jobs))))
        self._memory_s = memory_s
        self._past, self._past_at_s = np.zeros(view.tenants), 0.0
        self._holding = np.zeros(view.tenants)
        self._order = np.zeros(len(view.submit_s), np.int64)

    def refresh(self, view: View, news: News) -> None:
        if self._memory_s > 0:
            kept = 0.5 ** ((view.now_s - self._past_at_s) / self._memory_s)
            self._past = kept * self._past + (1 - kept) * self._holding
            self._past_at_s = view.now_s
        super().refresh(view, news)

    def waiting(self, view: View) -> Ints:
        return self._deal(view, super().waiting(view), self._past + self._held(view))

    def everyone(self, view: View) -> Ints:
        return self._deal(view, super().everyone(view), self._past)

    def running(self, view: View) -> Ints:
        return self._deal(view, super().running(view).copy(), self._past)

    def wake_s(self, view: View) -> float:
        self._holding = self._held(view)  # from this decision to the next
        return np.inf

    def _held(self, view: View) -> Floats:
        jobs = view.running
        held = np.bincount(view.tenant[jobs], weights=view.held[jobs], minlength=view.tenants)
        return held.astype(np.float64)

    def _deal(self, view: View, jobs: Ints, load: Floats) -> Ints:
        deal(jobs, view.tenant, view.gang, np.maximum(view.entitled, 1e-9), load.copy(), self._order)
        return self._order[: len(jobs)]


@allocating
def deal(jobs: Ints, tenant: Ints, gang: Ints, entitled: Floats, load: Floats, order: Ints) -> None:
    """Write `jobs` (in the order of submission) into `order`, the least loaded tenant's next job first.

    load (tenants,): GPUs that count at the start; it is used up. Ties go to the tenant listed first.
    """
    tenants = len(load)
    ratio = load / entitled
    after = np.full(len(jobs), -1, np.int64)
    head = np.full(tenants, -1, np.int64)
    for i in range(len(jobs) - 1, -1, -1):
        owner = tenant[jobs[i]]
        after[i] = head[owner]
        head[owner] = i
    for n in range(len(jobs)):
        least = -1
        for candidate in range(tenants):
            if head[candidate] >= 0 and (least < 0 or ratio[candidate] < ratio[least]):
                least = candidate
        i = head[least]
        order[n] = jobs[i]
        load[least] += gang[jobs[i]]
        ratio[least] = load[least] / entitled[least]
        head[least] = after[i]
