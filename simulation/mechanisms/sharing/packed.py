"""Sharing by pairs: jobs are profiled for a short while, and then those that hardly disturb each other share GPUs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.sharing import CROWDING, SharingLaw, sharing_law
from simulation.engine.view import Regime, View
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.placer import TenantUse
from simulation.mechanisms.predicted import PredictedSizes
from simulation.mechanisms.prediction.arrivals import ArrivalForecast
from simulation.mechanisms.sequence import Sequence
from simulation.mechanisms.sharing.partner import PartnerRule, Profiled
from simulation.mechanisms.sharing.profiler import Profiler
from simulation.mechanisms.sharing.scores import JUMBO, sharing_scores
from simulation.mechanisms.sharing.sharing import Sharing
from simulation.records import Floats

REPOSITORY = "Lucid repository, simulation"
UTILISATIONS = np.arange(0.1, 1.01, 0.1)  # of the partners that scores are averaged over
FORECAST_PERIODS = 5


@dataclass(frozen=True)
class PairPacking(Sharing):
    """A waiting job joins the first running one of its gang that has memory to spare, disturbs little and is not about
    to end; else it gets GPUs of its own. No pairs form while few jobs are expected.

    Every job of few GPUs runs first on nodes set aside, for a short while; one that has not ended by then begins anew.
    """

    member: ClassVar[str] = "pair-packing"
    profile_s: float = parameter(
        200.0, "longest stay in the profiler", unit="s", low=0.0, high=86_400.0, source=f"{REPOSITORY}, utils module"
    )
    profiler_nodes: int = parameter(2, "nodes set aside; 0: nobody is profiled", low=0, high=1000, source=REPOSITORY)
    profile_factor: int = parameter(
        4, "profiled are gangs of at most so many GPUs a node set aside", unit="GPUs", low=1, high=64, source=REPOSITORY
    )
    score_budget: int = parameter(2, "largest sum of two scores (0 tiny, 1 medium, 2 jumbo)", low=0, high=4,
                                  source=f"{REPOSITORY}, policy module")  # fmt: skip
    partner_ratio: float = parameter(
        2.0, "a newcomer is expected to be at most so many times as large as its partner", low=0.0, high=1000.0,
        source=f"{REPOSITORY}, policy module",
    )  # fmt: skip
    widest: int = parameter(8, "gangs that share are no wider", unit="GPUs", low=1, high=1024, source=REPOSITORY)
    pack_off_below: float = parameter(
        2.0, "no pairs where no more jobs than this are expected in the next period", unit="jobs", low=0.0, high=1e6,
        source=f"{REPOSITORY}, policy module",
    )  # fmt: skip
    period_s: float = parameter(600.0, "period of the forecast of arrivals", unit="s", low=1.0, high=86_400.0)
    score_thresholds: tuple[float, ...] = parameter(
        (0.85, 0.95), "mean speed beside others below which a job is jumbo, and from which on it is tiny",
        low=0.0, high=1.0, source=f"{REPOSITORY}, analyzer module",
    )  # fmt: skip
    slope: float = parameter(
        0.40, "speed that a pair loses for each unit of summed utilisation above 1", low=0.0, high=1.0,
        source="fit to 1,388 pairs measured on RTX 3090 (Lucid repository); mean error 0.07",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    @property
    def law(self) -> SharingLaw:
        return sharing_law(CROWDING, 2, self.slope, 1.0)

    def placer(self, view: View) -> PairPlacer:
        return PairPlacer(view, self)


class PairPlacer:
    """Profiler, queue and pairs of one run."""

    def __init__(self, view: View, member: PairPacking) -> None:
        self._member = member
        self._rule = PartnerRule(member.score_budget, member.partner_ratio, member.widest)
        self._profiler = Profiler(view, member.profiler_nodes, member.profile_factor, member.profile_s)
        self._arrivals = ArrivalForecast(member.period_s, FORECAST_PERIODS)
        self._sizes = PredictedSizes()
        self._profiles: dict[int, Profiled] = {}

    def refresh(self, view: View, news: News) -> None:
        self._sizes.learn(view, news.finished)
        new = news.waiting[~view.has_run(news.waiting)]
        self._arrivals.arrived(view.now_s, len(new))
        for job in news.waiting.tolist():
            self._profiles[job] = self._profile(view, job)
        self._profiler.refresh(view, news)

    def place(self, view: View, sequence: Sequence, rule: int, limit: Floats, draft: Draft) -> None:
        """Profiler first; then down the order, with pairs and past those that do not fit, or without pairs to the
        first that does not fit."""
        self._profiler.place(view, rule, draft)
        packing = self._arrivals.at(view.now_s).mean > self._member.pack_off_below
        alone, use = self._alone(view, draft) if packing else [], TenantUse(view, limit)
        for job in sequence.waiting(view).tolist():
            if not self._profiler.is_done_with(job) or not use.allows(view, job):
                continue
            allowed = view.permitted(job)
            partner = self._rule.first(self._profiles[job], [seat.running for seat in alone if seat.domain in allowed])
            if partner is not None:
                draft.join(job, partner)
                alone = [seat for seat in alone if seat.running[0].job != partner]
            elif self._profiler.start_outside(view, job, rule, draft):
                use.add(view, job)
            elif not packing:
                return

    def wake_s(self, view: View) -> float:
        return self._profiler.wake_s(view)

    def _profile(self, view: View, job: int) -> Profiled:
        """What is known of a job; one that has not been profiled, or may not share any more, shares with nobody."""
        traits, gang = view.traits(job), int(view.gang[job])
        size = float(self._sizes.run_s(view, np.array([job]))[0]) * gang
        known = self._profiler.has_taken(job) and {"utilisation", "memory_bytes"} <= traits.keys()
        if not known or view.is_apart(job):
            return Profiled(job, gang, np.inf, JUMBO, size)
        crowded = np.maximum(0.0, traits["utilisation"] + UTILISATIONS - 1)
        score = sharing_scores(1 - self._member.slope * crowded[None, :], self._member.score_thresholds)
        return Profiled(job, gang, traits["memory_bytes"], int(score[0]), size)

    def _alone(self, view: View, draft: Draft) -> list[Seat]:
        """Jobs of the main cluster that share with nobody, in order of their start."""
        running = view.running[np.lexsort((view.running, view.began_s(view.running)))].tolist()
        single = [job for job in running if not self._profiler.holds(job) and len(view.mates(job)) == 1]
        return [_seat(view, self._profiles[job], draft.pieces(job)[0][0]) for job in single]


class Seat(NamedTuple):
    """A job that runs alone, with the memory of its GPUs (inf: unknown), and their domain."""

    running: tuple[Profiled, float]
    domain: int


def _seat(view: View, running: Profiled, node: int) -> Seat:
    domain = int(view.nodes.domain[node])
    memory = float(view.nodes.domain_memory[domain])
    return Seat((running, np.inf if np.isnan(memory) else memory), domain)
