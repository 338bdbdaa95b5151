"""A number of a run leads back to its formula, and to revision, source, person and file of every input."""

from __future__ import annotations

import pytest
from django.http import Http404
from django.urls import reverse

from planner.evidence.trace import numbers, shares, trace
from planner.studies.models import Run
from simulation.provenance import Figure, Origin
from tests.planner.web import material


@pytest.fixture
def run(workspace, owner):
    made = material.study(workspace, owner, scenarios=1, seeds=1)
    return Run.objects.select_related("scenario__study__workspace", "result").get(scenario__study=made)


def rewritten(run, **changes):
    """The result with other words about a metric."""
    run.result.document["metrics"]["cost_usd"] |= changes
    run.result.save()
    return run


def test_every_input_has_its_revision_and_source(run):
    found = trace(run, "cost_usd")
    assert [one.group for one in found.inputs] == ["workload", "cluster", "prices"]
    assert all(one.revision and one.revision.source.entered_by for one in found.inputs)
    assert found.figure.formula.startswith("sum of quantity")
    assert found.figure.inputs == tuple(one.figure for one in found.inputs)


def test_a_stored_origin_that_is_too_strong_is_not_believed(run):
    assert trace(rewritten(run, origin="measured"), "cost_usd").figure.origin is Origin.ASSUMED


def test_a_group_that_nothing_gives_is_assumed(run):
    run.scenario.spec["prices"] = None
    prices = trace(run, "cost_usd").inputs[-1]
    assert (prices.origin, prices.revision, prices.source) == (Origin.ASSUMED, None, "")


def test_the_lines_of_a_cost_are_quantity_times_price(run):
    found = trace(run, "cost_usd")
    assert [(name, part.value) for name, part in found.parts] == [("used, v100", 3000.0), ("idle, v100", 250.0)]
    quantity, price = found.parts[0][1].inputs
    assert (quantity.value, price.value, price.unit) == (1200.0, 2.5, "USD/GPU-h")
    assert found.shares == {Origin.ASSUMED: 1.0}


def test_shares_of_a_total_by_origin():
    parts = [Figure(30.0, "USD", Origin.SIMULATED), Figure(10.0, "USD", Origin.ASSUMED)]
    assert shares(parts) == {Origin.SIMULATED: 0.75, Origin.ASSUMED: 0.25}
    assert shares([*parts, Figure(None, "USD", Origin.CITED)]) == {}, "of an unknown total nothing is a share"
    assert shares([]) == {}


def test_numbers_are_filtered_by_origin(run):
    everything, some = numbers(run), numbers(run, {Origin.ASSUMED})
    assert {one.figure.origin for one in some} == {Origin.ASSUMED}
    assert len(numbers(run, {Origin.MEASURED})) < len(some) <= len(everything)


@pytest.mark.parametrize("metric", ["nothing", "jct_mean_s"])
def test_what_is_not_there_is_not_found(run, metric):
    run.result.document["metrics"].pop("jct_mean_s")
    with pytest.raises(Http404):
        trace(run, metric)


def test_pages_and_api_tell_the_same(signed_in, workspace, run):
    page = signed_in.get(reverse("run-trace", args=[workspace.slug, run.id, "cost_usd"])).content.decode()
    told = signed_in.get(reverse("api:run-trace", args=[workspace.slug, run.id, "cost_usd"])).json()
    assert told["formula"].split(",")[0] in page
    assert run.result.sha256 in page
    assert [one["group"] for one in told["inputs"]] == ["workload", "cluster", "prices"]
    assert all(one["entered_by"] == "olga" and one["entered_at"] for one in told["inputs"])
    listed = signed_in.get(reverse("run-numbers", args=[workspace.slug, run.id]), {"origin": "assumed"})
    assert listed.status_code == 200
    assert all(row["trace"].figure.origin is Origin.ASSUMED for row in listed.context["rows"])
    none = signed_in.get(reverse("run-numbers", args=[workspace.slug, run.id]), {"origin": "measured"})
    assert "No number of this run has that origin" in none.content.decode()
