"""HiveD: whatever other tenants do, a tenant's jobs start as in a cluster of its own cells; guests only ever help."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.generators.contended import parts_and_wholes
from simulation.metrics.jobs import job_times
from simulation.run import run_records
from simulation.scenario import Choice, JobTable, Scenario, Workload
from tests.simulation.building import pool, table, training


def small_then_wide(system: str, **parameters: object) -> list[float]:
    """Two tenants with a node of 16 each: `a` sends sixteen single GPUs while `b` runs one, then `b` a gang of 16."""
    jobs = table(*[(0.0, 30.0, 1)], *[(1.0, 1000.0, 1)] * 16, (60.0, 100.0, 16))
    jobs = jobs.model_copy(update={"tenant": ["b", *["a"] * 16, "b"]})
    scenario = training(jobs, system, [pool(2, 16)], {k.replace("__", "."): v for k, v in parameters.items()})
    return run_records(scenario).jobs.first_start_s.tolist()


def test_a_gang_starts_at_once_in_its_own_cells() -> None:
    assert small_then_wide("hived")[-1] == 60.0
    assert small_then_wide("hived", tenancy__guests=False)[-1] == 60.0


def test_with_quotas_alone_small_jobs_stand_in_its_way() -> None:
    """The first of them share a node with the other tenant's job, and the last is on the other node."""
    assert small_then_wide("fcfs-quota")[-1] > 60.0


def only(scenario: Scenario, tenant: str) -> Scenario:
    """The jobs of one tenant, with its share of the whole cluster."""
    jobs = scenario.workload.jobs
    assert jobs is not None
    assert jobs.tenant is not None
    rows = [row for row, owner in enumerate(jobs.tenant) if owner == tenant]
    columns = {
        name: [column[row] for row in rows] if (column := getattr(jobs, name)) is not None else None
        for name in JobTable.model_fields
    }
    return scenario.model_copy(update={"workload": Workload(jobs=JobTable(**columns)), "quotas": {tenant: 0.5}})


@pytest.mark.parametrize("seed", range(3))
def test_without_guests_a_job_starts_as_if_its_tenant_were_alone(seed: int) -> None:
    cells_alone = Choice(system="hived", parameters={"tenancy.guests": False})
    scenario = parts_and_wholes(np.random.default_rng(seed), small=120, wide=20)
    scenario = scenario.model_copy(update={"training": cells_alone})
    together = run_records(scenario).jobs
    starts_s = dict(zip(together.id, together.first_start_s.tolist(), strict=True))
    for tenant in ("a", "b"):
        alone = run_records(only(scenario, tenant)).jobs
        assert alone.first_start_s.tolist() == [starts_s[job] for job in alone.id]


@pytest.mark.parametrize("seed", range(3))
def test_guests_use_what_owners_leave_idle(seed: int) -> None:
    """Jobs that a tenant has no room for run on the cells of the other; the gangs of that one wait no longer."""
    scenario = parts_and_wholes(np.random.default_rng(seed), small=120, wide=20)
    waits_s = {}
    for guests in (False, True):
        choice = Choice(system="hived", parameters={"tenancy.guests": guests})
        jobs = run_records(scenario.model_copy(update={"training": choice})).jobs
        by_tenant = [job_times(jobs).wait_s[jobs.tenant == jobs.tenants.index(tenant)] for tenant in ("a", "b")]
        waits_s[guests] = [float(wait_s.mean()) for wait_s in by_tenant]
    assert waits_s[True][0] < waits_s[False][0]
    assert waits_s[True][1] <= waits_s[False][1]


def test_a_guest_is_killed_when_the_owner_comes_and_begins_anew() -> None:
    jobs = table((0.0, 100.0, 8), (0.0, 100.0, 8), (50.0, 10.0, 8))
    jobs = jobs.model_copy(update={"tenant": ["a", "a", "b"]})
    records = run_records(training(jobs, "hived", [pool(2, 8)])).jobs
    assert records.first_start_s.tolist() == [0.0, 0.0, 50.0]
    assert records.end_s.tolist() == [100.0, 160.0, 60.0]
    assert records.preemptions.tolist() == [0, 1, 0]
    assert records.lost_gpu_s.tolist() == [0.0, 400.0, 0.0]


def test_a_gang_wider_than_its_tenants_cells_can_only_be_a_guest_and_blocks_nobody() -> None:
    jobs = table((0.0, 100.0, 16), (1.0, 100.0, 8), (2.0, 50.0, 8))
    jobs = jobs.model_copy(update={"tenant": ["a", "a", "b"]})
    records = run_records(training(jobs, "hived", [pool(2, 8)])).jobs
    assert records.first_start_s.tolist() == [0.0, 1.0, 2.0]
    assert records.end_s.tolist() == [201.0, 101.0, 52.0]


def test_a_job_that_may_not_be_killed_is_nobodys_guest() -> None:
    jobs = table((0.0, 100.0, 8), (0.0, 100.0, 8), (500.0, 10.0, 8), preemptible=[False] * 3)
    jobs = jobs.model_copy(update={"tenant": ["a", "a", "b"]})
    records = run_records(training(jobs, "hived", [pool(2, 8)])).jobs
    assert records.first_start_s.tolist() == [0.0, 100.0, 500.0]
