"""Fronts: feasible first, nothing infinite drawn, ties kept, any directions, two objectives or more."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.search.fronts import (
    dominators,
    hypervolume,
    knee,
    pareto_front,
    reference_point,
    stability,
    step_line,
)

LOW = ("lower", "lower")


def test_a_point_that_breaks_a_limit_is_off_the_front():
    found = pareto_front([(60, 30), (30, 20)], LOW, [True, False])
    assert (found.front, found.infeasible) == ((0,), (1,))


def test_unknown_and_infinite_points_are_set_aside():
    found = pareto_front([(1.0, 1.0), (math.inf, 0.0), (math.nan, 0.0), (None, 0.0), (-math.inf, 5)], LOW)
    assert (found.front, found.set_aside) == ((0,), (1, 2, 3, 4))


def test_equal_points_share_the_front():
    assert pareto_front([(1, 2), (1, 2), (1, 3)], LOW).front == (0, 1)


def test_nothing_gives_nothing():
    assert pareto_front([], LOW).front == ()
    assert pareto_front([(1, 1)], LOW, [False]).front == ()


def test_shapes_must_match():
    with pytest.raises(ValueError, match="each point needs 2 objectives"):
        pareto_front([(1, 2, 3)], LOW)
    with pytest.raises(ValueError, match="feasible has 2 entries, there are 1 points"):
        pareto_front([(1, 2)], LOW, [True, True])


directions = st.sampled_from(["lower", "higher"])


@given(st.integers(2, 4).flatmap(
    lambda m: st.tuples(
        st.lists(st.tuples(*[st.integers(0, 5)] * m), max_size=25), st.tuples(*[directions] * m)
    )
))  # fmt: skip
def test_the_front_is_what_comparing_all_pairs_gives(case):
    points, better = case
    expected = [i for i, point in enumerate(points) if not dominators(point, points, better)] if points else []
    found = pareto_front(points, better)
    assert list(found.front) == expected
    assert sorted(found.front + found.dominated) == list(range(len(points)))


def test_dominators_are_named():
    assert dominators((3, 3), [(1, 5), (2, 3), (3, 3), (3, 2)], LOW) == (1, 3)


def test_hypervolume_counts_the_area_to_the_reference_point():
    assert hypervolume([(1, 2), (2, 1)], LOW, (3, 3)) == 3.0
    assert hypervolume([(1.0, 0.5)], ("lower", "higher"), (2.0, 0.0)) == 0.5
    assert hypervolume([], LOW, (1, 1)) == 0.0
    assert reference_point([(0, 1), (10, 3), (None, 99)], ("lower", "higher")) == pytest.approx([11.0, 0.8])


@pytest.mark.parametrize(
    ("points", "better", "line"),
    [
        ([(3, 1), (1, 4)], LOW, [(1, 4), (3, 4), (3, 1)]),
        ([(1, 0.5), (3, 0.9)], ("lower", "higher"), [(1, 0.5), (3, 0.5), (3, 0.9)]),
        ([(1, 9), (3, 2)], ("higher", "higher"), [(3, 2), (1, 2), (1, 9)]),
        ([(1, 4), (1, 4)], LOW, [(1, 4)]),
        ([], LOW, []),
    ],
)
def test_the_step_line_bounds_what_the_front_dominates(points, better, line):
    assert step_line(points, better) == line


def test_the_knee_is_the_point_farthest_from_the_line_between_the_ends():
    assert knee([(0, 10), (1, 2), (5, 1.5), (10, 0)], LOW) == 1
    assert knee([(0, 0.0), (1, 0.8), (10, 1.0)], ("lower", "higher")) == 1
    assert knee([(0, 10), (10, 0)], LOW) is None
    assert knee([(0, 10), (9, 9), (10, 0)], LOW) is None  # concave: no knee


def test_stability_is_the_share_of_seeds_on_the_front():
    scenarios = [{0: (1, 1), 1: (1, 1), 2: (9, 9)}, {0: (2, 2), 1: (0, 2)}, {0: (0, 9), 1: (5, 5)}]
    assert stability(scenarios, LOW) == [(2, 2), (1, 2), (1, 2)]
    kept = [{0: False, 1: True}, {0: True, 1: True}, {0: True, 1: True}]
    assert stability(scenarios, LOW, kept) == [(1, 2), (2, 2), (1, 2)]
    assert stability([], LOW) == []
    assert stability([{0: (1, 1)}, {5: (1, 1)}], LOW) == [(0, 0), (0, 0)]
