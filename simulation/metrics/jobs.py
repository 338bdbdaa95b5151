"""Job metrics: JCT, wait, slowdown, makespan, deadlines, and the counts that show what a mean may hide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulation.metrics.definitions import Value
from simulation.metrics.distributions import Distribution
from simulation.records import Floats, JobOutcome, JobRecords

GANGS = (("1", 1, 1), ("2-4", 2, 4), ("5-8", 5, 8), ("9-16", 9, 16), ("17-32", 17, 32), ("33+", 33, None))


@dataclass(frozen=True, slots=True)
class JobTimes:
    """Per job (n,), nan where it does not apply: the job did not finish, or its isolated time is 0 (slowdown).

    Jobs that failed or were killed have waited like the others, and have no JCT.
    """

    jct_s: Floats
    wait_s: Floats
    slowdown: Floats


def job_times(jobs: JobRecords) -> JobTimes:
    finished = jobs.outcome == JobOutcome.FINISHED
    stay_s = np.where(ended(jobs), jobs.end_s - jobs.submit_s, np.nan)
    jct_s = np.where(finished, stay_s, np.nan)
    isolated_s = np.where(jobs.isolated_s > 0, jobs.isolated_s, np.nan)
    # a difference of long times: rounding may leave -1e-12 where a job never waited
    wait_s = np.maximum(0.0, stay_s - jobs.held_s)
    return JobTimes(jct_s, wait_s, jct_s / isolated_s)


def unfinished(jobs: JobRecords) -> NDArray[np.bool_]:
    return np.isin(jobs.outcome, (JobOutcome.RUNNING, JobOutcome.WAITING))


def ended(jobs: JobRecords) -> NDArray[np.bool_]:
    """Which jobs have ended, well or not."""
    return np.isin(jobs.outcome, (JobOutcome.FINISHED, JobOutcome.FAILED, JobOutcome.KILLED))


def until_s(jobs: JobRecords, end_s: float) -> Floats:
    """When each job left the system: its end, the end of the run, or at once where it was rejected."""
    left: Floats = np.where(ended(jobs), jobs.end_s, end_s)
    return np.where(jobs.outcome == JobOutcome.REJECTED, jobs.submit_s, left)


def job_distributions(jobs: JobRecords, times: JobTimes) -> dict[str, Distribution]:
    censored = int(unfinished(jobs).sum())
    return {
        "jct": Distribution(times.jct_s, censored),
        "wait": Distribution(times.wait_s, censored),
        "slowdown": Distribution(times.slowdown, censored),
    }


def job_metrics(jobs: JobRecords, spread: dict[str, Distribution], end_s: float) -> dict[str, Value]:
    """JCT, wait, slowdown, makespan, deadlines and counts. `spread` as from `job_distributions`."""
    jct, wait, slowdown = spread["jct"], spread["wait"], spread["slowdown"]
    n, finished = len(jobs), jobs.outcome == JobOutcome.FINISHED
    return {
        "jct_mean_s": jct.mean_value("jobs"),
        "jct_p50_s": jct.quantile_value(0.50, "jobs"),
        "jct_p95_s": jct.quantile_value(0.95, "jobs"),
        "jct_p99_s": jct.quantile_value(0.99, "jobs"),
        "wait_mean_s": wait.mean_value("jobs"),
        "wait_p95_s": wait.quantile_value(0.95, "jobs"),
        "wait_p99_s": wait.quantile_value(0.99, "jobs"),
        "slowdown_mean": slowdown.mean_value("jobs"),
        "slowdown_p95": slowdown.quantile_value(0.95, "jobs"),
        "makespan_s": _makespan(jobs, end_s),
        "deadline_miss_rate": _miss_rate(jobs, end_s),
        "jobs_unfinished": Value(float(unfinished(jobs).sum()), n),
        "jobs_failed": Value(float((ended(jobs) & ~finished).sum()), n),
        "failed_gpu_h": Value(float(jobs.gpu_s[ended(jobs) & ~finished].sum()) / 3600, n),
        **_early_stops(jobs),
        "jobs_rejected": Value(float((jobs.outcome == JobOutcome.REJECTED).sum()), n),
        "preemptions": Value(float(jobs.preemptions.sum()), n),
        "resizes": Value(float(jobs.resizes.sum()), n),
        "lost_gpu_h": Value(float(jobs.lost_gpu_s.sum()) / 3600, n),
        "overhead_gpu_h": Value(float(jobs.overhead_gpu_s.sum()) / 3600, n),
    }


def _early_stops(jobs: JobRecords) -> dict[str, Value]:
    if jobs.saved_gpu_s is None:
        unknown = Value(None, 0, "no job has a loss curve")
        return {"jobs_stopped_early": unknown, "saved_gpu_h": unknown}
    stopped = int((jobs.saved_gpu_s > 0).sum())
    return {
        "jobs_stopped_early": Value(float(stopped), len(jobs)),
        "saved_gpu_h": Value(float(jobs.saved_gpu_s.sum()) / 3600, len(jobs)),
    }


def _makespan(jobs: JobRecords, end_s: float) -> Value:
    ran = jobs.outcome != JobOutcome.REJECTED
    if not ran.any():
        return Value(None, 0, "no jobs")
    note = f"lower bound: {int(unfinished(jobs).sum())} jobs unfinished" if unfinished(jobs).any() else None
    return Value(float(until_s(jobs, end_s)[ran].max() - jobs.submit_s[ran].min()), int(ran.sum()), note)


def deadlines(jobs: JobRecords, end_s: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which deadlines are decided, and which of those were missed; (n,) each."""
    given = np.isfinite(jobs.deadline_s)
    finished, rejected = jobs.outcome == JobOutcome.FINISHED, jobs.outcome == JobOutcome.REJECTED
    passed = jobs.deadline_s < end_s
    decided = given & (ended(jobs) | rejected | passed)
    met = finished & (jobs.end_s <= jobs.deadline_s)
    return decided, decided & ~met


def _miss_rate(jobs: JobRecords, end_s: float) -> Value:
    decided, missed = deadlines(jobs, end_s)
    n, open_ = int(decided.sum()), int(np.isfinite(jobs.deadline_s).sum() - decided.sum())
    if n == 0:
        return Value(None, 0, "no job has a deadline that was decided")
    return Value(float(missed.sum()) / n, n, f"{open_} deadlines still open at the end" if open_ else None)


def job_counts(jobs: JobRecords) -> dict[str, int]:
    counts = {outcome.name.lower(): int((jobs.outcome == outcome).sum()) for outcome in JobOutcome}
    return {"submitted": len(jobs), **counts}


def wait_by_gang(jobs: JobRecords, times: JobTimes) -> list[dict[str, Any]]:
    """Waits of finished jobs by the gang that they asked for."""
    rows = []
    for label, low, high in GANGS:
        wait = Distribution(times.wait_s[(jobs.gpus >= low) & (jobs.gpus <= (high or np.inf))])
        rows.append({"gang": label, "n": wait.n, "mean_s": wait.mean, "p95_s": wait.quantile(0.95)})
    return rows


def conservation(jobs: JobRecords) -> dict[str, float]:
    """Allocated GPU-seconds of jobs against where they went; the residual is rounding, or a fault of the engine."""
    allocated = float(jobs.gpu_s.sum())
    useful, overhead = float(jobs.useful_gpu_s.sum()), float(jobs.overhead_gpu_s.sum())
    lost = float(jobs.lost_gpu_s.sum())
    residual = allocated - (useful + overhead + lost)
    return {"gpu_s_allocated": allocated, "useful": useful, "overhead": overhead, "lost": lost, "residual": residual}
