"""Axes are crossed; the base comes first; labels tell scenarios apart; changes can be read."""

from __future__ import annotations

import uuid

import pytest

from planner.studies.expansion import Names, expand
from planner.studies.spec import SpecError, read

SHEET, OTHER = str(uuid.uuid4()), str(uuid.uuid4())
NAMES = Names(
    systems={"fcfs-quota": "First come, first served", "sjf": "Shortest job first"},
    prices={SHEET: "List rev 1", OTHER: "Dear rev 2"},
    pools={"a100": 8, "h100": 2},
)
BASE = {"cluster": str(uuid.uuid4()), "workload": str(uuid.uuid4()), "prices": SHEET}
POLICIES = [{"system": "fcfs-quota"}, {"system": "sjf", "label": "Shortest"}]


def expanded(base=(), **axes):
    return expand(*read({**BASE, **dict(base)}, axes), NAMES)


def test_without_axes_there_is_the_base_alone():
    (only,) = expanded()
    assert (only.label, only.changes) == ("First come, first served", [])


def test_axes_are_crossed_and_the_base_comes_first():
    clusters = [{"label": "4 more", "pool_changes": {"a100": {"nodes_delta": 4}}}, {"label": "as it is"}]
    made = expanded(training=list(reversed(POLICIES)), clusters=clusters, demand_factors=[1.0, 1.5])
    assert len(made) == 8
    assert made[0].changes == []
    assert made[0].label == "First come, first served"
    assert {v.label for v in made} >= {"Shortest, 4 more", "Shortest, demand x1.5", "First come, first served, 4 more"}
    assert len({v.label for v in made}) == 8


def test_a_base_that_no_combination_equals_is_added():
    made = expanded(training=[{"system": "sjf"}])
    assert [v.label for v in made] == ["First come, first served", "Shortest job first"]


def test_changes_are_readable_and_typed():
    made = expanded(
        training=[{"system": "sjf", "parameters": {"walk.depth": 5}}],
        clusters=[{"pool_changes": {"a100": {"nodes_delta": 4}, "h100": {"nodes": 0}}}],
        prices=[OTHER],
        demand_factors=[1.5],
    )
    assert made[1].changes == [
        {"path": "training", "old": "First come, first served", "new": "Shortest job first", "unit": ""},
        {"path": "training.walk.depth", "old": "default", "new": 5, "unit": ""},
        {"path": "cluster.a100", "old": 8, "new": 12, "unit": "nodes"},
        {"path": "cluster.h100", "old": 2, "new": 0, "unit": "nodes"},
        {"path": "prices", "old": "List rev 1", "new": "Dear rev 2", "unit": ""},
        {"path": "demand", "old": 1.0, "new": 1.5, "unit": "x"},
    ]
    assert made[1].label == "Shortest job first (walk.depth 5), +4 a100 and 0 h100, Dear rev 2, demand x1.5"
    assert made[1].spec["pool_changes"] == {"a100": {"nodes": 12}, "h100": {"nodes": 0}}


def test_the_bases_own_change_of_a_pool_comes_first():
    more = {"pool_changes": {"a100": {"nodes_delta": 4}}}
    made = expanded({"pool_changes": {"a100": {"nodes_delta": 2}}}, clusters=[more])
    assert [v.spec["pool_changes"] for v in made] == [{"a100": {"nodes": 10}}, {"a100": {"nodes": 14}}]
    assert made[1].changes == [{"path": "cluster.a100", "old": 10, "new": 14, "unit": "nodes"}]


def test_a_pool_that_ends_at_its_own_size_is_no_change():
    made = expanded(clusters=[{"pool_changes": {"a100": {"nodes": 8}}}, {"pool_changes": {"a100": {"nodes_delta": 0}}}])
    assert [v.spec["pool_changes"] for v in made] == [{}]


def test_combinations_that_say_the_same_are_one_scenario():
    twice = [{"system": "sjf", "parameters": {"q": 60}}, {"system": "sjf", "parameters": {"q": 60.0}, "label": "again"}]
    assert len(expanded(training=twice)) == 2


def test_equal_labels_are_told_apart():
    made = expanded(training=[{"system": "sjf", "label": "X"}, {"system": "srtf", "label": "X"}])
    assert [v.label for v in made][1:] == ["X", "X (2)"]


def test_long_labels_fit_the_column():
    made = expanded(training=[{"system": f"s{i}", "parameters": {"a" * 50: "b" * 100}} for i in range(3)])
    assert all(len(v.label) <= 120 for v in made)
    assert len({v.label for v in made}) == 4


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"b200": {"nodes": 1}}, "axes.clusters.0.pool_changes.b200", "no pool b200; it has a100, h100"),
        ({"a100": {"nodes_delta": -9}}, "axes.clusters", "pool a100 would have -1 nodes"),
    ],
)
def test_impossible_pools_are_refused(change, field, words):
    with pytest.raises(SpecError) as error:
        expanded(clusters=[{"pool_changes": change}])
    (problem,) = error.value.problems
    assert problem.field == field
    assert words in problem.sentence
