"""What every member of a family must do, run over all members."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from simulation.engine.service import Observation
from simulation.mechanisms.families import FAMILIES, parameters
from simulation.run import run_records
from simulation.scenario import Requests, Service
from simulation.systems.registry import recipe_for
from tests.simulation.building import pool, random_jobs, table, training

MEMBERS = [(family, name) for family, members in FAMILIES.items() for name in members]
TRAINING_MEMBERS = [(family, name) for family, name in MEMBERS if family != "scaling"]


UNHINDERED: dict[str, Any] = {"energy-budget": {"sizing.power_share": 100.0}}
"""Member -> what it takes to let a lone job run as if there were no others."""


def base(family: str, name: str) -> tuple[str, dict[str, Any]]:
    """A system in which the member can be put; reservations need a recipe without preemption."""
    system = {"sharing": "muri", "inputs": "synergy"}.get(family, "tiresias")
    system = "fcfs-quota" if (family, name) == ("walk", "backfill") else system
    return system, {family: name} | UNHINDERED.get(name, {})


@pytest.mark.parametrize(("family", "name"), MEMBERS)
def test_parameters_are_documented_and_bounded(family: str, name: str) -> None:
    member = FAMILIES[family][name]
    assert member.__doc__
    for row in member().parameters():
        assert row["description"]
        assert row["source"]
        number = isinstance(row["value"], float | int) and not isinstance(row["value"], bool)
        assert not number or (row["low"] is not None and row["high"] is not None)
        assert not isinstance(row["value"], str) or row["value"] in row["choices"]


@pytest.mark.parametrize(("family", "name"), MEMBERS)
def test_a_value_out_of_bounds_is_refused(family: str, name: str) -> None:
    member = FAMILIES[family][name]()
    for row in member.parameters():
        if row["high"] is not None and not isinstance(row["value"], list):
            with pytest.raises(ValueError, match="expected"):
                member.changed(row["name"], row["high"] + 1)
        with pytest.raises(ValueError, match="expected"):
            member.changed(row["name"], None)


@pytest.mark.parametrize(("family", "name"), TRAINING_MEMBERS)
def test_every_job_ends_whatever_the_member(family: str, name: str) -> None:
    """Feasible placements and conserved work are asserted inside the run."""
    system, changes = base(family, name)
    jobs = random_jobs(11)
    records = run_records(training(jobs, system, [pool(3, 8)], changes))
    assert not np.isnan(records.jobs.end_s).any()
    assert records.decisions.get("plans_refused", 0) == 0


@pytest.mark.parametrize(("family", "name"), TRAINING_MEMBERS)
def test_an_empty_workload_is_no_problem(family: str, name: str) -> None:
    system, changes = base(family, name)
    assert run_records(training(table(), system, parameters=changes)).end_s == 0.0


@pytest.mark.parametrize(("family", "name"), TRAINING_MEMBERS)
def test_a_lone_job_runs_at_once_and_undisturbed(family: str, name: str) -> None:
    system, changes = base(family, name)
    jobs = run_records(training(table((7, 5000, 6)), system, parameters=changes)).jobs
    assert (jobs.first_start_s[0], jobs.end_s[0], jobs.preemptions[0]) == (7.0, 5007.0, 0)


@pytest.mark.parametrize("name", FAMILIES["scaling"])
def test_scaling_gives_a_number_of_replicas(name: str) -> None:
    service = Service(name="s", alpha_s=0.1, batch_max=4, requests=Requests(times_s=[0.0]))
    rule = FAMILIES["scaling"][name]()
    for rate in (None, 0.0, 10.0, 1000.0):
        seen = Observation(rate, 0.5, queue=0, replicas=2, replicas_ready=2)
        wanted = rule.replicas(service, seen, quiet_s=1e9)
        assert isinstance(wanted, int)
        assert wanted >= 0


def test_the_list_of_parameters_is_json() -> None:
    rows = json.loads(json.dumps(parameters()))
    assert {"family", "member", "name", "value", "unit", "low", "high", "description", "source"} <= rows[0].keys()


def test_an_unknown_system_is_explained() -> None:
    with pytest.raises(ValueError, match="expected one for inference"):
        recipe_for("srtf", {}, "inference")
