"""A baseline is held against what its log measured: bias and ratio of each statistic that both sides have."""

from __future__ import annotations

from planner.compare.measured import held_against, measured_points

LOG = {"n": 99, "mean_s": 100.0, "p50_s": 0.0, "p90_s": 200.0, "p95_s": 400.0, "p99_s": 800.0, "max_s": 900.0}
RUN = {"distributions": {"wait": {"n": 500, "mean": 90.0, "p50": 30.0, "p90": 200.0, "p95": 500.0, "p99": 600.0}}}


def test_bias_is_simulated_minus_measured_and_ratio_their_quotient():
    rows = {row.statistic: row for row in held_against({"waits": LOG}, RUN, "wait")}
    assert list(rows) == ["mean", "P50", "P90", "P95", "P99"]
    assert [row.bias for row in rows.values()] == [-10.0, 30.0, 0.0, 100.0, -200.0]
    assert [row.ratio for row in rows.values()] == [0.9, None, 1.0, 1.25, 0.75]


def test_only_the_last_hundredth_of_few_values_is_marked():
    assert [row.statistic for row in held_against({"waits": LOG}, RUN, "wait") if row.few] == ["P99"]
    assert not any(row.few for row in held_against({"waits": LOG | {"n": 100}}, RUN, "wait"))


def test_what_a_side_does_not_know_is_left_out():
    assert held_against({}, RUN, "wait") == []
    assert held_against({"waits": None}, RUN, "wait") == []
    assert held_against({"waits": LOG}, {"distributions": {"wait": {"n": 0, "mean": None}}}, "wait") == []
    assert held_against({"completions": LOG}, RUN, "jct") == []
    assert measured_points({"completions": LOG | {"p90_s": None}}, "jct") == [(0.5, 0.0), (0.95, 400.0), (0.99, 800.0)]
