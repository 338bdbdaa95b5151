"""GPUs leased by auction: those furthest behind their fair finish bid for what is free, with where it lies."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.finish_ratio import FinishRatios
from simulation.mechanisms.holding import level_of, pieces_of
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.planning import Target
from simulation.mechanisms.programs.auction import Bidder, Value, auction
from simulation.mechanisms.programs.subsets import Subset, Supply, size_of
from simulation.mechanisms.sizing import Sizing


@dataclass(frozen=True)
class LeaseAuction(Sizing):
    """Jobs hold GPUs for a lease; what is free is auctioned among those whose finish-time ratio is worst."""

    member: ClassVar[str] = "lease-auction"
    plans: ClassVar[bool] = True
    fairness: float = parameter(
        0.8, "f: only the worst-off 1 - f of the jobs that want GPUs may bid", unit="fraction", low=0.0, high=1.0,
        source="reading notes of Themis, NSDI 2020: 0.8 trades well",
    )  # fmt: skip
    lease_s: float = parameter(
        600.0, "length of a lease: shorter is fairer, with more preemptions", unit="s", low=1.0, high=86_400.0,
        source="Themis, recalled; a later simulator takes 300 s",
    )  # fmt: skip
    payment: bool = parameter(
        True, "winners pay with GPUs what they cost the other bidders", source="Themis, NSDI 2020, formula recalled",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def program(self, view: View, rng: np.random.Generator) -> LeasedGpus:
        return LeasedGpus(self, view, rng)


class LeasedGpus:
    """The leases of one run. One that ends while nobody wants anything is renewed."""

    def __init__(self, rule: LeaseAuction, view: View, rng: np.random.Generator) -> None:
        self._rule, self._rng, self._ratios = rule, rng, FinishRatios(view)
        self._from_s: dict[int, float] = {}  # since when a job has leased what it holds

    def refresh(self, view: View, news: News) -> None:
        self._ratios.refresh(view, news)
        held = set(view.running.tolist())
        self._from_s = {job: from_s for job, from_s in self._from_s.items() if job in held}

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        held = {job: pieces_of(view, job) for job in sorted(view.running.tolist())}
        back = [job for job in held if view.preemptible[job] and self._end_s(job, view.now_s) == view.now_s]
        wanting = [*back, *view.waiting.tolist()]
        free = draft.free.copy()
        for job in back:
            for node, gpus in held[job]:
                free[node] += gpus
        if not wanting or not free.any():
            return None
        offer = _Offer(view, free, self._ratios, self._rule, {job: held[job] for job in back})
        leased = offer.share_out(sorted(wanting), self._rng)
        kept = {job: pieces for job, pieces in held.items() if job not in back}
        if not leased and not kept:
            leased = offer.first_gang(sorted(wanting))
        self._from_s |= dict.fromkeys(leased, view.now_s)
        return [Target(job, size_of(pieces), pieces=pieces) for job, pieces in (kept | leased).items()]

    def wake_s(self, view: View) -> float:
        """The next end of a lease, if anyone could have more GPUs."""
        running = view.running
        if view.waiting_count or (view.free_gpus and (view.held[running] < view.gang_max[running]).any()):
            later_s = np.nextafter(view.now_s, np.inf)
            return min((self._end_s(job, later_s) for job in self._from_s), default=math.inf)
        return math.inf

    def _end_s(self, job: int, now_s: float) -> float:
        """The first end of its lease, or of a renewed one, from now on."""
        from_s, lease_s = self._from_s[job], self._rule.lease_s
        leases = max(1, math.floor((now_s - from_s) / lease_s))
        while from_s + leases * lease_s < now_s:
            leases += 1
        return from_s + leases * lease_s


class _Offer:
    """What is free at one decision, and what it is worth to whom."""

    def __init__(
        self, view: View, free: np.ndarray, ratios: FinishRatios, rule: LeaseAuction, held: dict[int, Subset]
    ) -> None:
        self._view, self._ratios, self._rule, self._held = view, ratios, rule, held
        self._bidders: dict[int, Bidder] = {}
        self._nodes = np.flatnonzero(free)
        nodes, at = view.nodes, self._nodes
        self._supply = Supply(tuple(free[at].tolist()), nodes.domain[at].tolist(), nodes.rack[at].tolist())
        self._place = {node: place for place, node in enumerate(self._nodes.tolist())}

    def share_out(self, wanting: list[int], rng: np.random.Generator) -> dict[int, Subset]:
        """Job -> pieces: an auction among the worst-off, then what is left to the others and to the bidders."""
        ratio = self._ratios.now(self._view, np.array(wanting), self._rule.lease_s)
        worst_first = [wanting[i] for i in np.argsort(-ratio, kind="stable")]
        invited = worst_first[: max(1, math.ceil((1 - self._rule.fairness) * len(wanting) - 1e-9))]
        outcome = auction(self._supply, [self._bidder(job) for job in invited], self._rule.payment)
        won = dict(zip(invited, outcome.kept, strict=True))
        left = self._supply
        for subset in won.values():
            left = left.less(subset)
        others = worst_first[len(invited) :]
        self._hand_out(left, [*rng.permutation(others).tolist(), *rng.permutation(invited).tolist()], won)
        return {job: self._back(subset) for job, subset in sorted(won.items()) if subset}

    def first_gang(self, wanting: list[int]) -> dict[int, Subset]:
        """The first job that can run takes what suits it best: nobody waits for better GPUs than those of an idle
        cluster, though a wide gang may expect more of an equal part, which it could never use."""
        for job in wanting:
            bidder = self._bidder(job)
            subset = bidder.first(self._supply, bidder.sizes[0]) if bidder.sizes else ()
            if subset and bidder.value(subset) > -math.inf:
                return {job: self._back(subset)}
        return {}

    def _hand_out(self, left: Supply, turns: list[int], won: dict[int, Subset]) -> None:
        """In turns, a gang for those that have nothing, one GPU more for the others, while that speeds them up."""
        while turns and left.gpus:
            again = []
            for job in turns:
                has = won.get(job, ())
                grown = self._step_up(left, job, has) if left.gpus else ()
                if grown:
                    left, won[job] = left.plus(has).less(grown), grown
                    again.append(job)
            turns = again

    def _step_up(self, left: Supply, job: int, has: Subset) -> Subset:
        """The next larger subset that it can use, or nothing."""
        bidder = self._bidder(job)
        size = next((size for size in bidder.sizes if size > size_of(has)), None)
        if size is None or size - size_of(has) > left.gpus:
            return ()
        grown = left.grown(has, size) if has else bidder.first(left, size)
        return grown if grown and bidder.value(grown) > bidder.value(has) else ()

    def _bidder(self, job: int) -> Bidder:
        if job not in self._bidders:
            self._bidders[job] = self._new_bidder(job)
        return self._bidders[job]

    def _new_bidder(self, job: int) -> Bidder:
        view = self._view
        rates = view.rates(job)
        low, high = int(view.gang_min[job]), min(int(view.gang_max[job]), self._supply.gpus)
        reachable = rates.max(axis=(0, 1)) > 0
        sizes = [size for size in range(low, high + 1) if reachable[size]]
        return Bidder(sizes, self._value(job, rates), self._own(job))

    def _own(self, job: int) -> Subset:
        return tuple((self._place[node], gpus) for node, gpus in self._held.get(job, ()))

    def _back(self, subset: Iterable[tuple[int, int]]) -> Subset:
        return tuple((int(self._nodes[place]), gpus) for place, gpus in subset)

    def _value(self, job: int, rates: np.ndarray) -> Value:
        """Logarithm of one over the finish-time ratio with a subset."""
        view, alone_s = self._view, self._ratios.alone_s(self._view, job)

        @cache
        def value(subset: Subset) -> float:
            pieces, rate = self._back(subset), 0.0
            if pieces:
                domain = view.nodes.domain[pieces[0][0]]
                rate = float(rates[domain, level_of(view, pieces), size_of(pieces)])
                if rate <= 0:
                    return -math.inf  # worse than nothing: others could use them
            if not math.isfinite(alone_s):
                return 0.0  # on an equal part it cannot run at all
            return math.log(alone_s / self._ratios.shared_s(view, job, rate, alone_s, self._rule.lease_s))

        return value
