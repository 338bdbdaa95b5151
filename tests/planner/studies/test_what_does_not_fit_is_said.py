"""Before a run is queued, the plan says what does not fit together, names the row, and stops what cannot be."""

from __future__ import annotations

import pytest

from planner.catalog.models import Kind
from planner.catalog.services import revision_add
from planner.studies.models import Study
from planner.studies.planning import study_plan
from planner.studies.services import study_create
from planner.studies.spec import SpecError
from simulation.scenario import JobTable, Workload

POLICIES = {"training": [{"system": "fcfs-quota"}, {"system": "sjf"}], "seeds": 1}


@pytest.fixture(autouse=True)
def _no_broker(settings):
    settings.REDIS_URL = ""


@pytest.fixture
def add(workspace, owner):
    def revision(kind, **content):
        more = {"name": f"odd {kind}", "origin": "assumed", "source": "typed"}
        return str(revision_add(workspace=workspace, user=owner, kind=kind, **more, **content).id)

    return revision


def jobs(**columns):
    given = {"id": ["a", "b"], "submit_s": [0.0, 60.0], "duration_s": [600.0, 600.0], "gpus": [1, 2], **columns}
    return Workload(jobs=JobTable(**given))


def test_pools_without_price_or_power_are_named(workspace, catalogue):
    said = study_plan(workspace, catalogue.base(), POLICIES).warnings
    assert any(w.startswith("Prices, pool h100: has no price for H100, owned") for w in said)
    assert any(w.startswith("Cluster, pool h100: idle or peak power is unknown") for w in said)
    assert not any("pool a100: has no price" in w or "pool a100: idle" in w for w in said)


def test_no_price_sheet_is_said_once(workspace, catalogue):
    said = study_plan(workspace, catalogue.base(prices=None), POLICIES).warnings
    assert sum("cost stays unknown" in w for w in said) == 1


def test_jobs_larger_than_any_set_of_equal_gpus_are_told_and_do_not_stop(workspace, catalogue, add):
    workload = add(Kind.WORKLOAD, workload=jobs(gpus=[1, 9]))
    plan = study_plan(workspace, catalogue.base(workload=workload), POLICIES)
    assert plan.problems == ()
    assert any("largest job: needs 9 equal GPUs, the cluster has 8" in w for w in plan.warnings)


def test_a_complaint_about_some_scenarios_names_them(workspace, catalogue, add):
    workload = add(Kind.WORKLOAD, workload=jobs(gpus=[1, 12]))
    grown = {"label": "one more", "pool_changes": {"h100": {"nodes_delta": 1}}}
    axes = {**POLICIES, "clusters": [{"pool_changes": {}}, grown]}
    (said,) = [w for w in study_plan(workspace, catalogue.base(workload=workload), axes).warnings if "largest" in w]
    assert "needs 12 equal GPUs, the cluster has 8" in said
    assert said.endswith(" and 1 more).")


def test_demand_at_many_factors_is_one_warning(workspace, catalogue, add):
    workload = add(Kind.WORKLOAD, workload=jobs(duration_s=[9000.0, 9000.0]))
    axes = {**POLICIES, "demand_factors": [1.0, 2.0, 4.0]}
    said = [w for w in study_plan(workspace, catalogue.base(workload=workload), axes).warnings if "capacity" in w]
    assert len(said) == 1


@pytest.mark.parametrize(
    ("field", "change", "sentence"),
    [
        ("base.workload", "workload", "no pool has a GPU model that they may use"),
        ("base.slos", "slos", "happiness is not a metric"),
        ("base.prices", "prices", "line 2: overlaps line 1"),
        ("base.cluster", "cluster", "there is no GPU"),
    ],
)
def test_what_cannot_be_stops_with_a_sentence(workspace, owner, catalogue, add, field, change, sentence):
    line = {"gpu_model": "A100", "usd_per_gpu_h": "1"}
    made = {
        "workload": lambda: add(Kind.WORKLOAD, workload=jobs(gpu_models=[["TPU"], ["TPU"]])),
        "slos": lambda: add(Kind.SLOS, document={"slos": [{"metric": "happiness", "limit": 1.0}]}),
        "prices": lambda: add(Kind.PRICES, document={"prices": {"lines": [line, line]}}),
        "cluster": lambda: add(Kind.CLUSTER, document={"cluster": {"pools": [
            {"name": "a", "gpu_model": "A100", "nodes": 0, "gpus_per_node": 8}]}}),
    }  # fmt: skip
    base = catalogue.base(**{change: made[change]()})
    (problem,) = study_plan(workspace, base, POLICIES).problems
    assert (problem.field, sentence in problem.sentence) == (field, True)
    with pytest.raises(SpecError, match=sentence):
        study_create(workspace=workspace, user=owner, question="Why?", base=base, axes=POLICIES)
    assert not Study.objects.exists()


def test_a_size_that_leaves_no_gpu_names_the_scenario(workspace, catalogue):
    empty = {"label": "nothing", "pool_changes": {"a100": {"nodes": 0}, "h100": {"nodes": 0}}}
    (problem,) = study_plan(workspace, catalogue.base(), {**POLICIES, "clusters": [empty]}).problems
    assert problem.field == "axes.clusters"
    assert "there is no GPU" in problem.sentence
    assert "nothing" in problem.sentence
