"""A job whose rate grows in training takes just its run time, wherever its phases end and whatever interrupts it."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Scenario, Workload
from tests.simulation.building import pool
from tests.simulation.mechanisms.programs.growing import GROWS_AT, growing

JOBS = 60


def phased(system: str, nodes: int) -> Scenario:
    rng = np.random.default_rng(0)
    profiles = [growing(at) for at in GROWS_AT]
    jobs = JobTable(
        id=[f"job-{i}" for i in range(JOBS)],
        submit_s=[0.0] * JOBS,
        duration_s=rng.lognormal(8.0, 1.0, JOBS).tolist(),
        gpus=[1] * JOBS,
        profile=[profiles[i % len(profiles)].name for i in range(JOBS)],
    )
    return Scenario(
        cluster=Cluster(pools=[pool(nodes, 8)]),
        workload=Workload(jobs=jobs, profiles=profiles),
        training=Choice(system=system),
    )


@pytest.mark.parametrize(("system", "nodes"), [("fcfs-quota", 8), ("fair-share", 2), ("gavel", 2)])
def test_every_job_holds_its_gpu_for_its_run_time(system: str, nodes: int) -> None:
    """The end of a phase, as work, over all of the work is often a little less than where the phase ends."""
    jobs = run_records(phased(system, nodes)).jobs
    assert jobs.held_s == pytest.approx(jobs.isolated_s, rel=1e-9)
