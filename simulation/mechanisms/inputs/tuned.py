"""Inputs by need: cores and memory go where they make jobs faster, and nobody falls below a fair share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import Regime, View
from simulation.mechanisms.inputs.demand import Share, best_demand
from simulation.mechanisms.inputs.inputs import Inputs
from simulation.mechanisms.inputs.tuning import Demand, Servers, most_demanding
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.sequence import Sequence

PROPORTIONAL = Share(np.nan, np.nan)  # what the engine gives to whoever asks for nothing


@dataclass(frozen=True)
class ProportionalInputs(Inputs):
    """Cores and memory in proportion to GPUs."""

    member: ClassVar[str] = "none"

    def begin(self, view: View) -> None:
        return None


@dataclass(frozen=True)
class TunedInputs(Inputs):
    """Every job asks for what it can use; who finds less gets its fair share, if need be from jobs that hold more.

    Jobs that start are placed anew where cores and memory fit best; running ones keep their GPUs. Where a pool does
    not say how many cores and how much memory it has, nothing is tuned.
    """

    member: ClassVar[str] = "tuned"
    tolerance: float = parameter(
        0.02, "speed that a job gives up for asking for less", unit="fraction", low=0.0, high=1.0,
        source="ours: published is “a small tolerance”",
    )  # fmt: skip
    round_s: float = parameter(
        300.0, "jobs that hold less than they can use are given more so often", unit="s", low=1.0, high=86_400.0,
        source="Synergy repository, schedulers/scheduler.py",
    )  # fmt: skip
    skip: bool = parameter(
        False, "a job that finds less than it can use waits, instead of running with less (GPUs idle)",
        source="Synergy repository, the variant called greedy",
    )  # fmt: skip

    @property
    def information(self) -> Regime:
        return Regime.PROFILE

    def begin(self, view: View) -> Tuner | None:
        known = not np.isnan([view.nodes.cores, view.nodes.memory]).any()
        return Tuner(self) if known else None


class Tuner:
    """Who holds which inputs in one run."""

    def __init__(self, member: TunedInputs) -> None:
        self._member = member
        self._wanted: dict[int, Share] = {}  # of every job that has come, for each GPU
        self._given: dict[int, Share] = {}  # of running jobs
        self._round = 0  # the last one in which jobs were given more
        self._wanting = False

    def refresh(self, view: View, news: News) -> None:
        """Jobs are measured once, for the GPUs that they would get first."""
        for job in news.waiting.tolist():
            if job not in self._wanted:
                fair = _fair(view, view.permitted(job)[0])
                self._wanted[job] = best_demand(view.input_points(job), fair, self._member.tolerance)

    def adjust(self, view: View, sequence: Sequence | None, draft: Draft) -> None:
        """Place those that start, give more once a round, and set what has changed."""
        servers = Servers(view.nodes.size, view.nodes.cores, view.nodes.memory)
        self._hold_running(view, servers, draft)
        new = self._take_back(view, draft)
        servers.gpus[:] = draft.free
        for demand in sorted(new, key=most_demanding):
            self._place(view, demand, servers, draft)
        this_round = int(view.now_s // self._member.round_s)
        if this_round > self._round:
            servers.top_up()
        self._round = this_round
        self._set(servers, draft)

    def wake_s(self, view: View) -> float:
        return (self._round + 1) * self._member.round_s if self._wanting else np.inf

    def _hold_running(self, view: View, servers: Servers, draft: Draft) -> None:
        for job in view.running.tolist():
            pieces = draft.pieces(job)
            if pieces and view.mates(job)[0] == job:
                demand = Demand(job, sum(gpus for _, gpus in pieces), self._wanted[job])
                servers.hold(demand, pieces, self._given.get(job, servers.fair(pieces)))

    def _take_back(self, view: View, draft: Draft) -> list[Demand]:
        """Demands of the jobs that are about to start; they are placed by inputs as well as by GPUs."""
        new = []
        for job in view.waiting.tolist():
            pieces = draft.pieces(job)
            if pieces:
                new.append(Demand(job, sum(gpus for _, gpus in pieces), self._wanted[job]))
                draft.stop(job)
        return new

    def _place(self, view: View, demand: Demand, servers: Servers, draft: Draft) -> None:
        for domain in view.permitted(demand.job):
            inside = view.nodes.domain == domain
            if servers.place(demand, inside, fall_back=not self._member.skip):
                draft.put(demand.job, servers.held[demand.job].pieces)
                return

    def _set(self, servers: Servers, draft: Draft) -> None:
        given = {job: holding.per_gpu for job, holding in servers.held.items()}
        for job, share in given.items():
            if share != self._given.get(job):
                draft.set_inputs(job, *(PROPORTIONAL if share == servers.fair(servers.held[job].pieces) else share))
        self._given = given
        self._wanting = any(h.demand.per_gpu.exceeds(h.per_gpu) for h in servers.held.values())


def _fair(view: View, domain: int) -> Share:
    """Fair share of a GPU of the first node of a domain."""
    node = int(np.flatnonzero(view.nodes.domain == domain)[0])
    size = int(view.nodes.size[node])
    return Share(float(view.nodes.cores[node]) / size, float(view.nodes.memory[node]) / size)
