"""What a worker simulates has the digest that the row promises, whichever database keeps the spec."""

from __future__ import annotations

import pytest

from planner.studies.assembly import scenario_build
from planner.studies.models import Scenario
from planner.studies.services import study_create
from simulation.provenance import Origin
from simulation.scenario import Choice, Cluster, Overheads, Prices, Sampling, scenario_digest, workload_digest
from simulation.scenario import Scenario as Simulated
from tests.planner.studies.conftest import POOLS, prices

AWKWARD = {"big": 1e22, "tiny": 1e-7, "sum": 0.1 + 0.2, "whole": 60.0, "minus": -0.0, "ä": "Zürich", "b": [1.5, 2.0]}


@pytest.fixture(autouse=True)
def _no_broker(settings):
    settings.REDIS_URL = ""


@pytest.fixture(autouse=True)
def _any_parameters(monkeypatch):
    """Parameters are checked elsewhere; here their bytes matter."""
    monkeypatch.setattr("planner.studies.vocabulary.complaints", lambda role, choice: [])
    monkeypatch.setattr("planner.studies.vocabulary.regime", lambda choice: "blind")


@pytest.fixture
def study(workspace, owner, catalogue):
    base = catalogue.base(
        training={"system": "fcfs-quota", "parameters": AWKWARD}, quotas={"vision": 1e-7, "speech": 2.0},
        sampling={"mode": "resampled", "demand_factor": 1.1}, overheads={"restart_s": 0.1 + 0.2}, horizon_s=86400.0,
    )  # fmt: skip
    larger = {"pool_changes": {"a100": {"nodes_delta": 1}}}
    axes = {"clusters": [larger], "prices": [str(catalogue.dear.id)], "seeds": 1}
    return study_create(workspace=workspace, user=owner, question="Equal?", base=base, axes=axes)


def test_the_row_and_what_is_simulated_have_one_digest(study):
    for row in Scenario.objects.filter(study=study):  # read back from the database
        assert scenario_digest(scenario_build(row)) == row.digest


def test_the_digest_is_that_of_the_same_scenario_made_without_a_database(study):
    row = Scenario.objects.get(study=study, position=0)
    built = scenario_build(row)
    parameters = {"big": 10**22, "tiny": 1e-7, "sum": 0.1 + 0.2, "whole": 60, "minus": 0, "ä": "Zürich", "b": [1.5, 2]}
    by_hand = Simulated(
        cluster=Cluster(pools=POOLS), prices=Prices(**prices("2.50")["prices"]), workload=built.workload,
        training=Choice(system="fcfs-quota", parameters=parameters), quotas={"speech": 2.0, "vision": 1e-7},
        overheads=Overheads(restart_s=0.1 + 0.2), sampling=Sampling(mode="resampled", demand_factor=1.1),
        horizon_s=86400.0,
        origins={"workload": "measured", "cluster": "measured", "power": "cited", "prices": "assumed",
                 "carbon": "measured"},
    )  # fmt: skip
    assert scenario_digest(by_hand) == row.digest


def test_prices_and_pools_change_the_digest_and_names_do_not(study, catalogue, owner, workspace):
    from planner.catalog.services import item_rename

    base, changed = Scenario.objects.filter(study=study).order_by("position")
    assert base.digest != changed.digest
    item_rename(item=catalogue.cluster.item, user=owner, name="Another name")
    assert scenario_digest(scenario_build(Scenario.objects.get(pk=base.pk))) == base.digest


def test_changed_pools_and_prices_reach_the_scenario(study):
    built = scenario_build(Scenario.objects.get(study=study, position=1))
    assert [(p.name, p.nodes, p.node_names) for p in built.cluster.pools] == [("a100", 3, None), ("h100", 1, ["h1"])]
    assert str(built.prices.lines[0].usd_per_gpu_h) == "9.00"
    assert [slo.metric for slo in built.slos] == ["wait_p95_s"]


def test_each_group_of_inputs_keeps_its_own_origin(study):
    origins = scenario_build(Scenario.objects.get(study=study, position=0)).origins
    assert (origins.workload, origins.cluster, origins.power) == (Origin.MEASURED, Origin.MEASURED, Origin.CITED)
    assert origins.prices is Origin.ASSUMED


def test_sources_are_told_in_words_with_what_was_changed(study):
    sources = scenario_build(Scenario.objects.get(study=study, position=1)).sources
    assert sources["workload"] == "June log rev 1 (measured: source of June log)"
    assert sources["cluster"].endswith("; a100 changed to 3 nodes")
    assert set(sources) == {"workload", "cluster", "power", "prices", "carbon"}


def test_the_workload_is_read_once_for_all_runs_of_a_study(study, monkeypatch):
    from planner.catalog import selectors

    row = Scenario.objects.get(study=study, position=0)
    first = scenario_build(row).workload
    monkeypatch.setattr(selectors, "workload_of", lambda revision: pytest.fail("read again"))
    assert scenario_build(row).workload is first
    assert workload_digest(first)
