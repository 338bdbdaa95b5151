"""What jobs ask of the types of GPU of a cluster at one decision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulation.mechanisms.programs.linear import LinearProgram, Optimum, maximise
from simulation.records import Floats, Ints

DECIMALS = 6  # of shares: what the solver is sure of, so that equal jobs tie


class Demand(NamedTuple):
    """Jobs in the order of arrival. Instants and work are told from now: a deadline is the time left until it."""

    gang: Floats  # (jobs,) GPUs; no whole number where a job is split
    rate: Floats  # (jobs, types) reference seconds of work a second, of the whole gang; 0 where it cannot run
    gpus: Ints  # (types,)
    weight: Floats  # (jobs,)
    left_s: Floats  # (jobs,) reference seconds of work
    age_s: Floats  # (jobs,) since arrival
    isolated_s: Floats  # (jobs,) time that the work done so far takes on an equal part of every type
    due_s: Floats  # (jobs,) time left to the deadline; inf: none
    price: Floats  # (types,) of a GPU for an hour

    @property
    def usable(self) -> NDArray[np.bool_]:
        """(jobs, types) whether the whole gang fits on a type and does any work there."""
        fits: NDArray[np.bool_] = (self.rate > 0) & (self.gang[:, None] <= self.gpus)
        return fits

    def equal_share(self) -> Floats:
        """(jobs, types) share of each type when every job has an equal part of its GPUs; at most 1 a job in all."""
        part = self.gpus / max(1, len(self.gang)) / self.gang[:, None]
        whole: Floats = part / np.maximum(1.0, part.sum(axis=1))[:, None]
        return whole

    def equal_rate(self) -> Floats:
        """(jobs,) rate on an equal part of every type that the job can use; 0 where there is none."""
        rate: Floats = (np.where(self.usable, self.rate, 0.0) * self.equal_share()).sum(axis=1)
        return rate

    def subset(self, jobs: Ints, gpus: Ints) -> Demand:
        """Some of the jobs, with other counts of GPUs."""
        of_jobs = {name: getattr(self, name)[jobs] for name in self._fields if name not in ("gpus", "price")}
        return self._replace(gpus=gpus, **of_jobs)

    def raised(self, rate: Floats) -> Optimum:
        """All jobs at one multiple of their `rate` (jobs,), the `level`, as large as possible.

        ValueError: no solution.
        """
        largest = float(rate.max(initial=0.0)) or 1.0  # so that the level is of the size of rates
        nothing, none = np.zeros(self.rate.shape), np.zeros(len(rate))
        found = self.maximise(nothing, self.rate, none, rate / largest)
        return found._replace(level=found.level / largest)

    def maximise(self, value: Floats, worth: Floats, floor: Floats, lift: Floats) -> Optimum:
        """Solve the linear program of `value`, `worth`, `floor` and `lift` within the GPUs that there are.

        Shares of types that a job cannot use are 0; a job that can use none has no floor. ValueError: no solution.
        """
        usable = self.usable
        if not len(usable):
            return Optimum(np.zeros(usable.shape), 0.0, np.zeros(0), np.zeros(0))
        runs = usable.any(axis=1)
        lp = LinearProgram(
            value=np.where(usable, value, 0.0),
            worth=np.where(usable, worth, 0.0),
            floor=np.where(runs, floor, -1.0),
            lift=np.where(runs, lift, 0.0),
            gang=self.gang,
            gpus=np.maximum(1.0, self.gpus),
        )
        found = maximise(lp)
        share = np.where(usable, np.clip(np.round(found.share, DECIMALS), 0.0, 1.0), 0.0)
        return found._replace(share=share)
