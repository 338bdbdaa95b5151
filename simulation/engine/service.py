"""One service's requests: a FIFO batch queue over replicas that come and go. The policy is elsewhere.

A batch leaves when a replica is free and either `batch_max` requests wait or the oldest has waited `timeout_s`
(None: only full batches leave; 0: whatever waits leaves at once). A batch of requests with work w_i takes
alpha_s + beta_s x sum(w_i) seconds; without multipliers every w_i is 1, so a batch of b takes alpha_s + beta_s x b.

The wait of a request is split by the replica that ran it, which was asked for, then ready, then free (it had ended its
last batch) and then began:
  load        from arrival (or from when the replica was asked for) until the replica was ready
  queue       until the replica was free: it was busy, or not yet asked for
  batch wait  from then on: the replica was free, but the batch not yet due
Of several free replicas the one that is free for longest takes the batch, so batch wait is the time during which any
replica was free. Latency is the sum of these three and the execution, by definition.

A replica may vanish with a node under it. The requests that it was answering go back to the head of the queue, in order
of arrival; what they had waited and been executed by then is queue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulation.engine.kernels.serve import busy_between, serve
from simulation.records import Floats, Ints, RequestOutcome
from simulation.scenario import Service


@dataclass(frozen=True, slots=True)
class Release:
    """A replica that was taken away: its number (in order of creation) and when it lets its GPUs go."""

    slot: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Observation:
    """What an autoscaler may see of the last `window_s`; None where nothing was there to measure."""

    arrival_rate_per_s: float | None
    utilisation: float | None  # executing time over the time that loaded replicas were there
    queue: int  # requests that wait now
    replicas: int  # asked for, loading ones included
    replicas_ready: int


@dataclass(frozen=True, slots=True)
class ServiceColumns:
    """Columns of RequestRecords for one service, ordered by arrival, and the seconds that replicas executed."""

    queue_s: Floats
    batch_wait_s: Floats
    load_s: Floats
    execute_s: Floats
    outcome: Ints
    busy_s: float


class ServiceQueue:
    """The queue of one service; time only moves forward, in steps of any size with the same result to the bit."""

    def __init__(self, service: Service, arrivals_s: Floats, work: Floats | None = None) -> None:
        """arrivals_s (n,): ascending, s; work (n,): multipliers of beta_s. Starts with no replica: set them at 0.

        Raises ValueError where arrivals are not finite and ascending or `work` does not match.
        """
        self._arrivals = np.ascontiguousarray(arrivals_s, dtype=np.float64)
        n = len(self._arrivals)
        if not np.isfinite(self._arrivals).all() or (np.diff(self._arrivals) < 0).any():
            raise ValueError(f"service {service.name}: arrivals must be finite and ascending")
        if work is not None and (len(work) != n or not (np.asarray(work) >= 0).all()):
            raise ValueError(f"service {service.name}: work needs {n} multipliers of 0 or more")
        self._service = service
        self._work = np.empty(0) if work is None else np.ascontiguousarray(work, dtype=np.float64)
        self._timeout_s = np.inf if service.timeout_s is None else service.timeout_s
        self._now_s, self._head, self._busy_s = 0.0, 0, 0.0
        # columns in the order of service, which is that of arrival until a batch is cut off; `_row` leads back to it
        self._row: Ints | None = None
        self._arrived_s = self._since_s = self._arrivals
        self._start_s, self._execute_s, self._waits = np.full(n, np.nan), np.full(n, np.nan), np.full((3, n), np.nan)
        self._batch = np.zeros(n, dtype=np.int64)
        self._returned = 0  # before this place stand all requests that came back to the queue
        self._cut_off: list[tuple[float, float]] = []  # begin and end of batches that were
        self._free_s, self._slots = np.empty(0), np.empty(0, dtype=np.int64)  # heap of the replicas wanted
        self._asked_s, self._ready_s, self._gone_s = np.empty(0), np.empty(0), np.empty(0)  # by slot; gone inf: wanted
        self._latest = np.empty(0, dtype=np.int64)  # by slot: place of the first member of its latest batch; -1: none
        self._longest_s = self._longest_batch_s()

    def _longest_batch_s(self) -> float:
        heaviest = float(self._work.max()) if len(self._work) else 1.0
        return self._service.alpha_s + self._service.beta_s * self._service.batch_max * heaviest

    @property
    def replicas(self) -> int:
        """Replicas asked for, loading ones included, retiring ones not."""
        return len(self._slots)

    @property
    def waiting(self) -> int:
        """Requests not yet begun, those that have not yet arrived included."""
        return len(self._arrivals) - self._head

    @property
    def last_end_s(self) -> float:
        """End of the last batch begun so far; 0 where there was none."""
        served = slice(0, self._head)
        return float(np.max(self._start_s[served] + self._execute_s[served], initial=0.0))

    def answered(self, now_s: float) -> int:
        """Requests whose batch has ended by now."""
        self.advance(now_s)
        return int(np.count_nonzero(self._start_s[: self._head] + self._execute_s[: self._head] <= now_s))

    def advance(self, until_s: float) -> None:
        """Begin every batch that begins at or before `until_s` (inf: all that the present replicas will ever begin)."""
        if until_s < self._now_s:
            raise ValueError(f"service {self._service.name}: time cannot go back from {self._now_s} to {until_s}")
        s = self._service
        self._head, self._busy_s = serve(
            until_s, self._cut_off[-1][1] if self._cut_off else 0.0, self._head, self._busy_s, self._arrived_s,
            self._since_s, self._work, s.batch_max, self._timeout_s, s.alpha_s, s.beta_s, self._free_s, self._slots,
            self._ready_s, self._asked_s, self._latest, self._start_s, self._waits, self._execute_s, self._batch,
        )  # fmt: skip
        self._now_s = until_s

    def set_replicas(self, now_s: float, n: int, ready_at_s: float) -> tuple[Release, ...]:
        """Have `n` replicas from `now_s` on, after the batches that begin at this instant.

        New ones may begin batches from `ready_at_s`. Of those taken away, the ones that are free soonest go first
        (among them loading before idle, newest first); a busy one ends its batch and is released then.
        """
        self.advance(now_s)
        if n < 0:
            raise ValueError(f"service {self._service.name}: {n} replicas")
        surplus = len(self._slots) - n
        return self._retire(now_s, surplus) if surplus > 0 else self._add(now_s, -surplus, ready_at_s)

    def _add(self, now_s: float, more: int, ready_at_s: float) -> tuple[Release, ...]:
        ready_s = max(now_s, ready_at_s)
        fresh = np.arange(len(self._ready_s), len(self._ready_s) + more)
        self._asked_s = np.append(self._asked_s, np.full(more, now_s))
        self._ready_s = np.append(self._ready_s, np.full(more, ready_s))
        self._gone_s = np.append(self._gone_s, np.full(more, np.inf))
        self._latest = np.append(self._latest, np.full(more, -1))
        self._order(np.append(self._free_s, np.full(more, ready_s)), np.append(self._slots, fresh))
        return ()

    def _retire(self, now_s: float, surplus: int) -> tuple[Release, ...]:
        loading = self._ready_s[self._slots] > now_s
        at_s = np.where(loading, now_s, np.maximum(now_s, self._free_s))
        order = np.lexsort((-self._slots, ~loading, at_s))
        gone, kept = order[:surplus], order[surplus:]
        released = tuple(Release(int(self._slots[i]), float(at_s[i])) for i in gone)
        self._gone_s[self._slots[gone]] = at_s[gone]
        self._order(self._free_s[kept], self._slots[kept])
        return released

    def lose(self, now_s: float, slots: Sequence[int]) -> int:
        """The replicas `slots` vanish at `now_s`, retiring ones among them; how many requests return to the queue.

        A batch that ends at this very instant has ended.
        """
        self.advance(now_s)
        cut: list[int] = []
        for slot in slots:
            self._gone_s[slot] = min(self._gone_s[slot], now_s)
            first = int(self._latest[slot])
            if first >= 0 and (end_s := float(self._start_s[first] + self._execute_s[first])) > now_s:
                cut += range(first, first + int(self._batch[first]))
                self._busy_s -= end_s - now_s
                self._cut_off.append((float(self._start_s[first]), now_s))
        kept = ~np.isin(self._slots, slots)
        self._order(self._free_s[kept], self._slots[kept])
        if cut:
            self._put_back(np.array(sorted(cut), dtype=np.int64), now_s)
        return len(cut)

    def _put_back(self, cut: Ints, now_s: float) -> None:
        """The requests at places `cut` wait again from `now_s` on, with those that came back before, by arrival."""
        if self._row is None:
            self._row = np.arange(len(self._arrivals))
            self._arrived_s, self._since_s = self._arrivals.copy(), self._arrivals.copy()
            self._work = self._work.copy()
        self._since_s[cut] = now_s
        self._returned = max(self._head, self._returned)
        places = np.arange(cut[0], self._returned)
        waits = np.isin(places, cut) | (places >= self._head)
        again = places[waits]
        order = np.concatenate([places[~waits], again[np.argsort(self._row[again])]])
        for column in (self._row, self._arrived_s, self._since_s, self._start_s, self._execute_s, self._batch):
            column[places] = column[order]
        self._waits[:, places] = self._waits[:, order]
        if len(self._work):
            self._work[places] = self._work[order]
        self._latest -= np.searchsorted(cut, self._latest)  # of a slot that vanished it means nothing any more
        self._head -= len(cut)
        self._start_s[self._head : self._returned] = np.nan
        self._batch[self._head : self._returned] = 0

    def _order(self, free_s: Floats, slots: Ints) -> None:
        order = np.lexsort((slots, free_s))  # a sorted array is a heap
        self._free_s, self._slots = free_s[order], slots[order]

    def observed(self, now_s: float, window_s: float) -> Observation:
        """Arrival rate, utilisation and queue over the last `window_s` (or since 0) up to `now_s`, the present."""
        self.advance(now_s)
        from_s = max(0.0, now_s - window_s)
        before, arrived = np.searchsorted(self._arrivals, [from_s, now_s], side="right")
        first = int(np.searchsorted(self._start_s[: self._head], from_s - self._longest_s))
        busy_s = busy_between(from_s, now_s, first, self._head, self._start_s, self._execute_s, self._batch)
        busy_s += sum(max(0.0, end_s - max(from_s, begin_s)) for begin_s, end_s in self._cut_off)
        there_s = np.maximum(0.0, np.minimum(self._gone_s, now_s) - np.maximum(self._ready_s, from_s)).sum()
        return Observation(
            arrival_rate_per_s=float(arrived - before) / (now_s - from_s) if now_s > from_s else None,
            utilisation=float(busy_s / there_s) if there_s > 0 else None,
            queue=int(arrived) - self._head,
            replicas=len(self._slots),
            replicas_ready=int((self._ready_s[self._slots] <= now_s).sum()),
        )

    def finish(self, end_s: float) -> ServiceColumns:
        """Close the books at `end_s`: a request whose batch has not ended by then is unfinished, its parts nan."""
        self.advance(end_s)
        served = self._start_s + self._execute_s <= end_s
        beyond_s = np.where(self._batch > 0, self._start_s + self._execute_s - end_s, 0.0)
        parts = np.where(served, np.vstack([self._waits, self._execute_s]), np.nan)
        outcome = np.where(served, int(RequestOutcome.SERVED), int(RequestOutcome.UNFINISHED)).astype(np.int64)
        busy_s = self._busy_s - float(np.maximum(0.0, beyond_s).sum())
        if self._row is not None:
            parts[0] += self._since_s - self._arrived_s
            back = np.argsort(self._row)
            parts, outcome = parts[:, back], outcome[back]
        return ServiceColumns(parts[0], parts[1], parts[2], parts[3], outcome, busy_s)
