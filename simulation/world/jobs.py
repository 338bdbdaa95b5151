"""Training jobs of one replication as flat arrays, ordered by (submit time, input row)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulation.loss_curve import LossCurve
from simulation.rate_profile import RateProfile
from simulation.records import Floats, Ints, JobOutcome
from simulation.scenario import JobTable, Sampling
from simulation.world.classes import build_classes, fastest_rate, widest_gang
from simulation.world.cluster import Nodes, class_table
from simulation.world.losses import Losses, build_losses
from simulation.world.rates import Rates, build_rates, shortened
from simulation.world.sampling import sample_rows


@dataclass(frozen=True, slots=True)
class Jobs:
    """Columns of one length. `rejected` jobs can never run: no permitted domain is as large as their smallest gang.

    A gang wider than every permitted domain, of a job that accepts fewer GPUs, asks for as many as the widest has.
    """

    id: tuple[str, ...]
    tenants: tuple[str, ...]
    tenant: Ints
    user: Ints  # equal numbers: the same user; all 0 where the table does not say
    name: Ints  # as of user
    submit_s: Floats
    duration_s: Floats  # with `gang` GPUs of speed 1
    asked_s: Floats  # as duration_s, of all iterations asked for: longer where its loss ends a job early
    gang: Ints
    gang_min: Ints
    gang_max: Ints
    klass: Ints  # row of class_domains
    class_domains: Ints  # (classes, domains + 1), closed by -1
    memory: Floats  # peak bytes of one GPU; 0: unknown
    estimate_s: Floats  # nan: none
    deadline_s: Floats  # nan: none
    preemptible: NDArray[np.bool_]
    isolated_s: Floats  # nan where rejected
    rejected: NDArray[np.bool_]
    fate: Ints  # how it ends by itself: JobOutcome FINISHED, FAILED or KILLED
    rates: Rates
    losses: Losses | None  # None: no job has a loss curve
    after_horizon: int  # jobs left out because they are submitted at the horizon or later

    def __len__(self) -> int:
        return len(self.id)

    @property
    def elastic(self) -> bool:
        """Whether any job accepts more than one gang size."""
        return bool((self.gang_min < self.gang_max).any())


NO_JOBS = JobTable(id=[], submit_s=[], duration_s=[], gpus=[])


FATES = {"completed": JobOutcome.FINISHED, "failed": JobOutcome.FAILED, "killed": JobOutcome.KILLED}


def build_jobs(
    table: JobTable | None, sampling: Sampling, nodes: Nodes, rng: np.random.Generator, horizon_s: float = np.inf,
    profiles: Sequence[RateProfile] = (), curves: Sequence[LossCurve] = (),
) -> Jobs:  # fmt: skip
    """One replication of `table` on `nodes`; a repeated job gets the suffix "+1", "+2", ...

    Raises ValueError where a gang range does not hold the gang asked for.
    """
    table = table or NO_JOBS
    all_rows, all_submit_s = sample_rows(table, sampling, rng)
    within = all_submit_s < horizon_s
    rows, submit_s = all_rows[within], all_submit_s[within]
    gang = _column(table.gpus, rows, np.int64)
    gang_min = gang if table.gpus_min is None else _column(table.gpus_min, rows, np.int64)
    gang_max = gang if table.gpus_max is None else _column(table.gpus_max, rows, np.int64)
    ids = _unique_ids([table.id[r] for r in rows])
    _refuse_gang_range(ids, gang_min, gang, gang_max)
    named = [None] * len(rows) if table.profile is None else [table.profile[r] for r in rows]
    rates = build_rates(profiles, named, gang, gang_max, nodes)
    klass, classes, memory = build_classes(table, rows, rates, nodes)
    widest = widest_gang(nodes, classes, klass)
    asked = np.clip(gang, gang_min, np.maximum(gang_min, np.minimum(gang_max, widest)))
    asked = gang if np.array_equal(asked, gang) else asked  # one array of millions less
    # without a profile the work is gang x duration; with one it is what the profile does in that duration
    asked_s = _column(table.duration_s, rows, np.float64) * np.where(rates.profile < 0, gang / asked, 1.0)
    losses = None if table.loss is None else build_losses([table.loss[r] for r in rows], rows, curves)
    duration_s = asked_s if losses is None else asked_s * losses.part
    fastest = fastest_rate(nodes, classes, klass, asked, rates)
    rejected = (gang_min > widest) | np.isnan(fastest)
    tenants, tenant = _labels(table.tenant, rows)
    return Jobs(
        id=ids,
        tenants=tenants,
        tenant=tenant,
        user=_numbers(table.user, rows),
        name=_numbers(table.name, rows),
        submit_s=submit_s,
        duration_s=duration_s,
        asked_s=asked_s,
        gang=asked,
        gang_min=gang_min,
        gang_max=gang_max,
        klass=klass,
        memory=memory,
        class_domains=class_table(classes, len(nodes.domain_speed)),
        estimate_s=_optional(table.estimate_s, rows),
        deadline_s=_deadline_s(table, rows, submit_s),
        preemptible=_column(table.preemptible or [True] * len(table), rows, np.bool_),
        isolated_s=duration_s / fastest,
        rejected=rejected,
        fate=_fates(table, rows, losses),
        rates=rates if losses is None else shortened(rates, losses.part),
        losses=losses,
        after_horizon=int((~within).sum()),
    )


def _fates(table: JobTable, rows: Ints, losses: Losses | None) -> Ints:
    """A job that its loss ends early is finished: what would have happened later does not happen."""
    if table.fate is None:
        return np.broadcast_to(np.int64(JobOutcome.FINISHED), len(rows))
    fate = np.array([FATES[table.fate[r]] for r in rows], dtype=np.int64)
    return fate if losses is None else np.where(losses.part < 1, int(JobOutcome.FINISHED), fate)


def _column(values: Sequence[object], rows: Ints, dtype: type) -> Any:
    return np.asarray(values, dtype=dtype)[rows] if len(rows) else np.empty(0, dtype=dtype)


def _optional(values: Sequence[float | None] | None, rows: Ints) -> Floats:
    if values is None:
        return np.broadcast_to(np.nan, len(rows))
    return np.array([np.nan if v is None else v for v in values], dtype=np.float64)[rows]


def _deadline_s(table: JobTable, rows: Ints, submit_s: Floats) -> Floats:
    """An instant that moves with its job: as much later than recorded as the job is submitted later."""
    if table.deadline_s is None:
        return _optional(None, rows)
    moved_s: Floats = submit_s - np.asarray(table.submit_s, dtype=np.float64)[rows]
    return _optional(table.deadline_s, rows) + moved_s


def _labels(values: Sequence[str] | None, rows: Ints) -> tuple[tuple[str, ...], Ints]:
    """Tenants in alphabetical order; jobs without the column belong to one tenant, "all"."""
    if values is None or not len(rows):
        return ("all",), np.zeros(len(rows), dtype=np.int64)
    names, index = np.unique(np.array(values, dtype=object)[rows].astype(str), return_inverse=True)
    return tuple(str(n) for n in names), index.astype(np.int64)


def _numbers(values: Sequence[str] | None, rows: Ints) -> Ints:
    """Equal numbers for equal words, in the order in which they first appear."""
    if values is None:
        return np.zeros(len(rows), dtype=np.int64)
    number: dict[str, int] = {}
    return np.array([number.setdefault(values[row], len(number)) for row in rows], dtype=np.int64)


def _unique_ids(ids: Sequence[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    unique = []
    for name in ids:
        again = seen.get(name, 0)
        seen[name] = again + 1
        unique.append(f"{name}+{again}" if again else name)
    return tuple(unique)


def _refuse_gang_range(ids: Sequence[str], low: Ints, gang: Ints, high: Ints) -> None:
    bad = np.flatnonzero((low < 1) | (low > gang) | (gang > high))
    if len(bad):
        i = int(bad[0])
        raise ValueError(f"job {ids[i]}: gang range {low[i]} to {high[i]}, expected 1 or more, and {gang[i]} inside")
