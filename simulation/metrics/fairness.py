"""Fairness, each measure under its own name: finish-time fairness rho, Jain index, share gap, worst tenant.

Finish-time fairness (Themis): rho = T_shared / T_isolated. T_shared is the JCT. T_isolated is the run time on
min(gang, N/K) GPUs: N is the number of GPUs of the cluster (those of services included), K the mean number of jobs in
the system (waiting or running) between the job's own submission and end, so at least 1. With linear scaling that is
isolated_s x max(1, gang x K / N). Finished jobs only. A rho of 1 means: as fast as with an equal share of its own.
"""

from __future__ import annotations

import numpy as np

from simulation.metrics.definitions import Value
from simulation.metrics.distributions import Distribution
from simulation.metrics.jobs import JobTimes, until_s
from simulation.metrics.occupancy import integral_at
from simulation.records import Floats, JobRecords

ROUNDING = 1e-9  # a rho above 1 by less is 1


def finish_time_fairness(jobs: JobRecords, times: JobTimes, cluster_gpus: int, end_s: float) -> Floats:
    """rho of each job (n,); nan where the job did not finish or has no isolated time."""
    left_s = until_s(jobs, end_s)
    area = integral_at(np.concatenate([jobs.submit_s, left_s]), jobs.submit_s, left_s, np.ones(len(jobs)))
    n = len(jobs)
    stay_s = np.where(times.jct_s > 0, times.jct_s, np.nan)
    active = np.maximum(1.0, (area[n:] - area[:n]) / stay_s)
    rho: Floats = times.slowdown / np.maximum(1.0, jobs.gpus * active / max(1, cluster_gpus))
    return rho


def entitlements(tenants: tuple[str, ...], quotas: dict[str, float]) -> Floats:
    """Entitled share of each tenant (t,), summing to 1: its quota, or an equal part of what the quotas leave.

    Quotas that add up to more than 1, or to less with no tenant left over, are scaled to 1.
    """
    if not tenants:
        return np.empty(0)
    share = np.array([quotas.get(tenant, np.nan) for tenant in tenants], dtype=np.float64)
    without = np.isnan(share)
    if without.any():
        rest = max(0.0, 1.0 - float(share[~without].sum()))
        share[without] = rest / int(without.sum())
    total = float(share.sum())
    even: Floats = np.full(len(tenants), 1.0 / len(tenants))
    return share / total if total > 0 else even


def shares_by_tenant(jobs: JobRecords, quotas: dict[str, float]) -> tuple[Floats, Floats]:
    """GPU-seconds of jobs, and entitled share, of each tenant (t,); nan for one that submitted no job."""
    submitted = np.bincount(jobs.tenant, minlength=len(jobs.tenants)) > 0
    gpu_s = np.bincount(jobs.tenant, weights=jobs.gpu_s, minlength=len(jobs.tenants))
    entitled = np.full(len(jobs.tenants), np.nan)
    names = tuple(tenant for tenant, there in zip(jobs.tenants, submitted, strict=True) if there)
    entitled[submitted] = entitlements(names, quotas)
    return np.where(submitted, gpu_s, np.nan), entitled


def mean_by_tenant(jobs: JobRecords, values: Floats) -> Floats:
    """Mean of `values` (n,) over the jobs of each tenant where it is known (t,); nan where it is for none."""
    known = np.isfinite(values)
    n = np.bincount(jobs.tenant[known], minlength=len(jobs.tenants))
    total = np.bincount(jobs.tenant[known], weights=values[known], minlength=len(jobs.tenants))
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)


def fairness_metrics(
    jobs: JobRecords, times: JobTimes, rho: Distribution, quotas: dict[str, float]
) -> dict[str, Value]:
    """rho (largest, mean, share above 1), Jain index, largest share gap, slowdown of the worst-off tenant."""
    slowdown = mean_by_tenant(jobs, times.slowdown)
    known = slowdown[np.isfinite(slowdown)]
    above = float((rho.values > 1.0 + ROUNDING).mean()) if rho.n else None
    return {
        "rho_max": rho.quantile_value(1.0, "jobs")._replace(note=rho.mean_value("jobs").note),
        "rho_mean": rho.mean_value("jobs"),
        "rho_share_above_1": Value(above, rho.n, rho.mean_value("jobs").note),
        **_shares(*shares_by_tenant(jobs, quotas)),
        "worst_tenant_slowdown": Value(float(known.max()), len(known))
        if len(known)
        else Value(None, 0, "no finished jobs"),
    }


def _shares(gpu_s: Floats, entitled: Floats) -> dict[str, Value]:
    total = np.nansum(gpu_s)
    if total == 0:
        none = Value(None, 0, "no job held a GPU")
        return {"jain_gpu_time": none, "share_gap_max": none}
    gap = float(np.nanmax(np.abs(gpu_s / total - entitled)))
    return {"jain_gpu_time": _jain(gpu_s, entitled), "share_gap_max": Value(gap, int(np.isfinite(gpu_s).sum()))}


def _jain(gpu_s: Floats, entitled: Floats) -> Value:
    some = entitled > 0
    x = gpu_s[some] / entitled[some]
    without = int((entitled == 0).sum())
    note = f"{without} tenants entitled to nothing left out" if without else None
    if not x.any():
        return Value(None, len(x), "no tenant with an entitlement held a GPU")
    x = x / x.max()  # the index has no scale; squares of very small or large times would have no room
    return Value(float(x.sum() ** 2 / (len(x) * (x**2).sum())), len(x), note)
