"""Tenants of unlike gains bring as much work as keeps each of them busy for the same time on an equal part."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.generators.traders import GAINS, unlike_gains


def test_each_tenant_is_busy_for_about_the_time_that_is_asked_for() -> None:
    drawn = unlike_gains(np.random.default_rng(0), gpus=6, jobs=4000, busy_h=2.0)
    jobs = drawn.workload.jobs
    assert jobs is not None
    gains = {profile.name: profile.points[1].rate for profile in drawn.workload.profiles}
    for tenant in GAINS:
        work_s = sum(d for d, t in zip(jobs.duration_s, jobs.tenant or [], strict=True) if t == tenant)
        part = 2.0 * (1.0 + gains[tenant])  # of 6 slow and 6 fast GPUs, in slow ones
        assert work_s / part / 3600.0 == pytest.approx(2.0 * np.exp(0.3**2 / 2), rel=0.02)
