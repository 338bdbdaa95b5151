"""How far a job has still to go, by the losses that it has shown and the rule by which its user lets it end."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simulation.engine.view import View
from simulation.loss_curve import EarlyStop, Family
from simulation.mechanisms.prediction.learning import Expected, Fit, first_below, fits


class Progress:
    """Fits of the jobs of one run, kept until a job shows another loss."""

    def __init__(self, families: Sequence[Family], growth: float) -> None:
        """growth: how much more recent losses weigh, as in `learning.fit`."""
        self._families, self._growth = families, growth
        self._known: dict[int, tuple[int, list[Fit]]] = {}

    def fits(self, view: View, job: int) -> list[Fit]:
        """Curves through what the job has shown; empty where that is too little."""
        losses = view.losses(job)
        seen, found = self._known.get(job, (0, []))
        if len(losses) != seen:
            found = fits(losses, self._families, self._growth)
            self._known[job] = (len(losses), found)
        return found

    def part_left(self, view: View, job: int) -> Expected:
        """Share of the iterations still asked for that a job will do before its loss ends it.

        All of them where there is no rule, or nothing can be said yet; its end is expected within those asked for.
        """
        asked, done, rule = view.iterations(job), len(view.losses(job)), view.stop_rule(job)
        if rule is None or asked <= done:
            return Expected(1.0, 1.0, 1.0)
        found = self.fits(view, job)
        ends = [_ends(found, limit, asked, ahead) for limit, ahead in _limits(rule)]
        each = (min(kind) for kind in zip(*ends, strict=True))
        left = (min(asked, asked if math.isnan(at) else max(at, done + 1)) - done for at in each)
        return Expected(*(iterations / (asked - done) for iterations in left))


def _limits(rule: EarlyStop) -> list[tuple[float, int]]:
    """(limit, over how many iterations): a loss, or the fall of the loss over as many as a user is patient."""
    target = [] if rule.target is None else [(rule.target, 0)]
    return target + ([] if rule.patience is None else [(rule.least_gain, rule.patience)])


def _ends(found: Sequence[Fit], limit: float, asked: int, ahead: int) -> Expected:
    """A job whose loss falls no more is watched for as long as its user is patient."""
    return Expected(*(at + ahead for at in first_below(found, limit, asked, ahead)))
