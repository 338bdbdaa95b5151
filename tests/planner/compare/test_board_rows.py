"""A row tells its runs by state, its limits, and is left out where it cannot be compared."""

from __future__ import annotations

from planner.compare.board import board
from planner.studies.models import Run

HARD = {"metric": "wait_p95_s", "limit": 100.0, "hard": True}


def test_partial_results_are_counted_and_labelled(bench):
    b = bench()
    base = b.scenario("base", jct_mean_s=[1.0, 3.0])
    b.waiting(base, 2)
    b.waiting(base, 3, Run.State.FAILED)
    row = board(b.study).row(base.id)
    assert (row.done, row.total, row.partial) == (2, 4, True)
    assert row.states == {"done": 2, "queued": 1, "failed": 1}
    assert "2 seeds" in row.cells["jct_mean_s"].method


def test_a_scenario_without_results_has_no_cells_and_no_verdict(bench):
    b = bench([HARD])
    b.scenario("base", wait_p95_s=[1.0])
    empty = b.scenario("waits")
    b.waiting(empty, 0)
    row = board(b.study).row(empty.id)
    assert (row.cells, row.feasible, row.done) == ({}, None, 0)


def test_a_missed_hard_limit_is_infeasible_by_how_much(bench):
    b = bench([HARD, {"metric": "cost_usd", "limit": 5.0, "hard": False}])
    base = b.scenario("base", wait_p95_s=[120.0, 140.0], cost_usd=[9.0, 9.0])
    row = board(b.study).row(base.id)
    assert row.feasible is False
    (missed,) = row.failed
    assert (missed.metric, missed.limit, missed.by, missed.unit) == ("wait_p95_s", 100.0, 30.0, "s")
    soft = next(v for v in row.verdicts if v.metric == "cost_usd")
    assert (soft.met, soft.hard, soft.by) == (False, False, 4.0)


def test_a_met_limit_tells_whether_the_interval_is_clear_of_it(bench):
    b = bench([HARD])
    close = b.scenario("base", wait_p95_s=[99.0, 80.0, 96.0])
    safe = b.scenario("safe", wait_p95_s=[50.0, 51.0, 52.0])
    shown = board(b.study)
    assert [v.clear for v in shown.row(close.id).verdicts] == [False]
    assert [v.clear for v in shown.row(safe.id).verdicts] == [True]
    assert shown.row(close.id).feasible
    assert shown.row(safe.id).feasible


def test_a_limit_on_a_metric_that_is_better_higher_is_a_lower_one(bench):
    b = bench([{"metric": "slo_attainment", "limit": 0.99, "hard": True}])
    low = b.scenario("base", slo_attainment=[0.9, 0.9])
    high = b.scenario("good", slo_attainment=[0.995, 0.995])
    shown = board(b.study)
    assert (shown.row(low.id).feasible, shown.row(high.id).feasible) == (False, True)


def test_a_limit_on_an_unknown_value_is_neither_met_nor_missed(bench):
    b = bench([{"metric": "cost_usd", "limit": 5.0, "hard": True}])
    row = b.scenario("base", jct_mean_s=[1.0])
    assert board(b.study).row(row.id).feasible is None


def test_other_engine_versions_are_left_out_with_the_reason(bench):
    b = bench()
    base = b.scenario("base", jct_mean_s=[10.0, 10.0, 10.0])
    other = b.scenario("other", jct_mean_s=[20.0])
    b.result(other, 1, {"jct_mean_s": 999.0}, engine="0.0.9")
    shown = board(b.study)
    assert shown.engine == "0.1.0"
    assert shown.row(other.id).cells["jct_mean_s"].value == 20.0
    (left_out,) = shown.excluded
    assert left_out.label == "other"
    assert "1 of its 2" in left_out.sentence
    assert "0.0.9" in left_out.sentence
    assert shown.row(base.id).cells["jct_mean_s"].seeds == 3


def test_the_base_is_coloured_and_so_are_four_more(bench):
    b = bench()
    for i in range(7):
        b.scenario(f"s{i}", jct_mean_s=[1.0])
    assert [row.color for row in board(b.study).rows] == [0, 1, 2, 3, 4, None, None]
    assert [row.is_base for row in board(b.study).rows] == [True] + [False] * 6
