"""Many decisions in one kernel call give the bits of decisions asked one by one, for every compiled form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.engine.state import make_state
from simulation.engine.view import View
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Overheads, Phase, Requests, Scenario, Service, Workload
from simulation.systems.policy import RecipePolicy
from simulation.systems.registry import recipe_for
from simulation.world.build import build_world
from tests.simulation.building import pool, random_jobs, training
from tests.simulation.engine.test_same_bits import digest

ORDERS: dict[str, dict[str, Any]] = {
    "arrival": {"ordering": "arrival"},
    "shortest": {"ordering": "shortest"},
    "shortest by GPU-time": {"ordering": "shortest", "ordering.by_gpu_time": True},
    "remaining": {"ordering": "shortest-remaining"},
    "remaining GPU-time": {"ordering": "shortest-remaining", "ordering.by_gpu_time": True},
    "attained": {"ordering": "attained-service", "ordering.thresholds_gpu_s": [300.0, 2000.0]},
    "attained, one queue": {"ordering": "attained-service", "ordering.thresholds_gpu_s": []},
}
PLACEMENTS: list[dict[str, Any]] = [
    {"placement": "consolidate-strictly"},
    {"placement": "consolidate-strictly", "placement.node": "best"},
    {"placement": "take-any"},
    {"placement": "span-models"},
]
POOLS = [
    [pool(3, 8)],
    [pool(2, 8), pool(3, 4, name="b"), pool(1, 2, name="c")],
    [pool(2, 8), pool(2, 4, name="b", speed=2.0, gpu_model="A100")],
]


def jobs_of(seed: int) -> JobTable:
    """Some may not be preempted, some are choosy about GPU models, some come at one instant."""
    rng = np.random.default_rng(seed)
    jobs = random_jobs(
        seed, int(rng.integers(5, 80)), tenants=int(rng.integers(1, 6)), gap_s=float(rng.choice([5, 60]))
    )
    models = [[], [], ["V100"], ["A100", "V100"]]
    changes: dict[str, Any] = {"gpu_models": [models[k] for k in rng.integers(0, 4, len(jobs))]}
    if seed % 2:
        changes["preemptible"] = (rng.random(len(jobs)) < 0.8).tolist()
    if seed % 3 == 0:
        changes["submit_s"] = (np.floor(np.array(jobs.submit_s) / 100.0) * 100.0).tolist()
    return jobs.model_copy(update=changes)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    seed = draw(st.integers(0, 100_000))
    parameters = dict(draw(st.sampled_from(list(ORDERS.values()))) | draw(st.sampled_from(PLACEMENTS)))
    parameters["walk"] = draw(st.sampled_from(["fit-first", "stop-at-head", "stop-at-tenant-head"]))
    parameters["tenancy"] = draw(st.sampled_from(["none", "static-quota", "borrowing-quota"]))
    parameters["preemption"] = draw(st.sampled_from(["none", "immediate"]))
    if parameters["tenancy"] == "borrowing-quota":
        parameters["tenancy.ceiling"] = 0.6
    scenario = training(
        jobs_of(seed), "srtf", draw(st.sampled_from(POOLS)), parameters,
        overheads=draw(st.sampled_from([Overheads(), Overheads(start_s=5, checkpoint_s=3, restart_s=7)])),
        horizon_s=draw(st.sampled_from([None, 1500.0])),
    )  # fmt: skip
    if not draw(st.booleans()):
        return scenario
    return with_service(scenario)


def with_service(scenario: Scenario) -> Scenario:
    """A service whose traffic rises and falls takes GPUs from jobs and gives them back."""
    phases = [Phase(start_s=s, rate_per_s=r) for s, r in ((0, 1), (300, 6), (900, 2))]
    requests = Requests(phases=phases, process="constant", end_s=1200.0)
    service = Service(name="s", alpha_s=1.0, replicas=1, replicas_max=6, load_s=20.0, requests=requests)
    return scenario.model_copy(
        update={
            "workload": scenario.workload.model_copy(update={"services": [service]}),
            "serving": Choice(system="utilisation-autoscaler", parameters={"scaling.cooldown_s": 60.0}),
        }
    )


def both_equal(scenario: Scenario) -> None:
    assert digest(run_records(scenario)) == digest(run_records(scenario, allow_compiled=False))


@settings(max_examples=40, deadline=None)
@given(scenario=scenarios())
def test_fused_equals_general(scenario: Scenario) -> None:
    both_equal(scenario)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(scenario=scenarios())
def test_fused_equals_general_500_times(scenario: Scenario) -> None:
    both_equal(scenario)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("preemption", ["none", "immediate"])
def test_all_of_these_have_a_compiled_form(order: str, preemption: str) -> None:
    """Else the property above would compare the general path with itself."""
    assert has_compiled_form(ORDERS[order] | {"preemption": preemption})


def test_promotion_and_rounds_have_none() -> None:
    assert not has_compiled_form({"ordering": "attained-service", "ordering.promote": 2.0})
    assert not has_compiled_form({"preemption": "rounds"})


def has_compiled_form(parameters: dict[str, Any]) -> bool:
    recipe = recipe_for("srtf", parameters, "training")
    world = build_world(Scenario(cluster=Cluster(pools=[pool()]), workload=Workload(jobs=random_jobs(1, 5))), 0)
    policy = RecipePolicy(recipe)
    policy.begin(View(world, make_state(world, Overheads()), recipe.information, np.ones(3) / 3))
    return policy.compiled() is not None
