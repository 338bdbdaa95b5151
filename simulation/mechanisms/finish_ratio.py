"""Finish-time fairness of jobs that are there: time to the end with what they hold, over that on an equal part.

The part of a job is the cluster's GPUs over the mean number of jobs in the system during its life so far. Below one GPU
it is that share of one GPU's rate.
"""

from __future__ import annotations

import math

import numpy as np

from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.mechanisms.holding import level_of, pieces_of
from simulation.records import Floats, Ints
from simulation.world.links import nearest_level


class FinishRatios:
    """Keeps the integral of jobs in the system; `refresh` once a decision."""

    def __init__(self, view: View) -> None:
        jobs = len(view.submit_s)
        self._present, self._area, self._at_s = 0, 0.0, 0.0
        self._area_before = np.full(jobs, np.nan)
        self._best: dict[int, Floats] = {}  # rate of each job by GPUs, on the best ones, as close as they can be

    def refresh(self, view: View, news: News) -> None:
        self._area += self._present * (view.now_s - self._at_s)
        self._at_s = view.now_s
        new = news.waiting[np.isnan(self._area_before[news.waiting])]
        self._area_before[new] = self._area
        self._present += len(new) - len(news.finished)
        for job in new.tolist():
            self._best[job] = _best_rates(view, job)
        for job in news.finished.tolist():
            self._best.pop(job, None)

    def alone_s(self, view: View, job: int) -> float:
        """Time of the whole job on its equal part, the best GPUs that it may use, at the rates of its beginning."""
        age_s = view.now_s - float(view.submit_s[job])
        among = (self._area - float(self._area_before[job])) / age_s if age_s > 0 else float(self._present)
        part = min(float(view.gang[job]), view.cluster_gpus / max(1.0, among))
        rate = float(self._best[job][max(1, math.floor(part))]) * min(1.0, part)
        return float(view.total_work_s(np.array([job]))[0]) / rate if rate > 0 else math.inf

    def shared_s(self, view: View, job: int, rate: float, alone_s: float, lost_s: float) -> float:
        """Time from arrival to the end at `rate`; at none, `lost_s` go by before it has its equal part."""
        work_s = view.work_s(np.array([job]))
        age_s = view.now_s - float(view.submit_s[job])
        if rate > 0:
            return age_s + float(work_s[0]) / rate
        whole_s = float(view.total_work_s(np.array([job]))[0])
        return age_s + lost_s + alone_s * float(work_s[0]) / max(whole_s, 1e-300)

    def now(self, view: View, jobs: Ints, lost_s: float) -> Floats:
        """(jobs,) ratio of each with what it holds; 0 for one that can run nowhere."""
        found = np.zeros(len(jobs))
        for row, job in enumerate(jobs.tolist()):
            alone_s = self.alone_s(view, job)
            if np.isfinite(alone_s):
                found[row] = self.shared_s(view, job, _held_rate(view, job), alone_s, lost_s) / alone_s
        return found


def _best_rates(view: View, job: int) -> Floats:
    """(GPUs + 1,) rates over all domains, as close together as GPUs can be."""
    rates = view.rates(job)
    counts = np.arange(rates.shape[2])
    close = [rates[d, nearest_level(counts, wires), counts] for d, wires in enumerate(view.nodes.domain_wiring)]
    best: Floats = np.max(close, axis=0)
    return best


def _held_rate(view: View, job: int) -> float:
    """Rate with what a job holds now; 0 for one that waits."""
    pieces = pieces_of(view, job)
    if not pieces:
        return 0.0
    return float(view.rates(job)[view.nodes.domain[pieces[0][0]], level_of(view, pieces), view.held[job]])
