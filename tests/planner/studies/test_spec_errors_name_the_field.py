"""A study that cannot be made says which field is wrong, what was given, and which cap it would break."""

from __future__ import annotations

import uuid

import pytest

from planner.studies import spec
from planner.studies.spec import SpecError, plain_numbers, read

BASE = {"cluster": str(uuid.uuid4()), "workload": str(uuid.uuid4())}


def fields(base=(), axes=()):
    with pytest.raises(SpecError) as error:
        read({**BASE, **dict(base)}, dict(axes))
    return {p.field: p.sentence for p in error.value.problems}


@pytest.mark.parametrize(
    ("base", "axes", "field", "words"),
    [
        ({"cluster": "7"}, {}, "base.cluster", "id of a revision (given: '7')"),
        ({"workload": None}, {}, "base.workload", "string"),
        ({"horizon_s": -5}, {}, "base.horizon_s", "greater than 0 (given: -5)"),
        ({"colour": "red"}, {}, "base.colour", "not permitted"),
        ({"quotas": {"vision": 0}}, {}, "base.quotas.vision", "greater than 0"),
        ({"sampling": {"mode": "guess"}}, {}, "base.sampling.mode", "replay"),
        ({"overheads": {"restart_s": -1}}, {}, "base.overheads.restart_s", "greater than or equal to 0"),
        ({"pool_changes": {"a": {}}}, {}, "base.pool_changes.a", "either nodes or nodes_delta"),
        ({"pool_changes": {"a": {"nodes": -1}}}, {}, "base.pool_changes.a.nodes", "(given: -1)"),
        ({"training": {"system": "x", "parameters": {"a": float("nan")}}}, {}, "base.training", "finite"),
        ({"training": {"system": "x", "parameters": {"a": "\x00"}}}, {}, "base.training", "NUL"),
        ({}, {"seeds": 0}, "axes.seeds", "greater than or equal to 1"),
        ({}, {"seeds": "many"}, "axes.seeds", "integer"),
        ({}, {"seeds": 100_000}, "axes.seeds", "less than or equal to 200"),
        ({}, {"demand_factors": [1.0, 0]}, "axes.demand_factors.1", "greater than 0"),
        ({}, {"training": [{"system": ""}]}, "axes.training.0.system", "at least 1 character"),
        ({}, {"prices": ["../etc"]}, "axes.prices.0", "id of a revision"),
    ],
)
def test_the_field_is_named(base, axes, field, words):
    assert words in fields(base, axes)[field]


def test_all_wrong_fields_are_named_at_once():
    wrong = fields({"cluster": "7", "horizon_s": -5}, {"seeds": 0})
    assert set(wrong) == {"base.cluster", "base.horizon_s", "axes.seeds"}


@pytest.mark.parametrize(
    ("scenarios", "seeds", "jobs", "words"),
    [
        (spec.MAX_SCENARIOS + 1, 1, 1, "1,001 scenarios; the cap is 1,000"),
        (1000, 20, 1, "20,000 runs (scenarios x seeds); the cap is 10,000"),
        (100, 100, 82_247, "822,470,000 simulated jobs (jobs x runs); the cap is 200,000,000"),
    ],
)
def test_a_cap_is_named_with_its_figure(scenarios, seeds, jobs, words):
    problems = spec.over_caps(scenarios, seeds, jobs)
    assert words in " ".join(p.sentence for p in problems)
    assert not spec.over_caps(18, 10, 82_247)


def test_more_demand_counts_against_the_cap():
    assert not spec.over_caps(10, 10, 1_000_000, 1.0)
    assert spec.over_caps(10, 10, 1_000_000, 3.0)


def test_whole_floats_are_integers_so_that_equal_questions_are_equal():
    assert plain_numbers({"a": 60.0, "b": [2.5, True, None, "x"], "c": 1e22}) == {
        "a": 60, "b": [2.5, True, None, "x"], "c": 10**22,
    }  # fmt: skip
    given = read({**BASE, "training": {"system": "s", "parameters": {"q": 60.0}}}, {})[0].training.parameters["q"]
    assert isinstance(given, int)
    assert plain_numbers(True) is True
