"""A cell is the mean over seeds with its t interval; a difference is paired by seed."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from planner.compare.board import board
from simulation.provenance import Origin
from tests.planner.compare.conftest import reported

NO_DIFFERENCE = "no difference shown"


def t_half(values):
    n = len(values)
    mean = sum(values) / n
    sd = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1))
    return stats.t.ppf(0.975, n - 1) * sd / math.sqrt(n)


def test_the_interval_is_students_t(bench):
    b = bench()
    row = b.scenario("base", wait_p95_s=[10.0, 14.0, 12.0, 20.0])
    cell = board(b.study).row(row.id).cells["wait_p95_s"]
    assert cell.value == 14.0
    assert cell.high - cell.value == pytest.approx(t_half([10.0, 14.0, 12.0, 20.0]))
    assert cell.half_width == pytest.approx(cell.value - cell.low)
    assert (cell.seeds, cell.unit) == (4, "s")
    assert "4 seeds" in cell.method
    assert "t interval" in cell.method


def test_a_value_that_is_equal_in_all_seeds_is_exact(bench):
    b = bench()
    row = b.scenario("base", cost_usd=[5.0, 5.0, 5.0])
    cell = board(b.study).row(row.id).cells["cost_usd"]
    assert (cell.low, cell.value, cell.high) == (5.0, 5.0, 5.0)
    assert "exact" in cell.method


def test_one_seed_has_no_interval_and_says_so(bench):
    b = bench()
    one, two = b.scenario("base", jct_mean_s=[5.0]), b.scenario("other", jct_mean_s=[9.0])
    shown = board(b.study)
    cell = shown.row(one.id).cells["jct_mean_s"]
    assert (cell.low, cell.high, cell.half_width, cell.method) == (None, None, None, "1 seed")
    difference = shown.row(two.id).cells["jct_mean_s"].difference
    assert difference.absolute == 4.0
    assert not difference.shown
    assert difference.words


def test_pairs_show_what_unpaired_means_cannot(bench):
    """Seeds differ by 100, policies by 1: unpaired intervals overlap, the paired one leaves out zero."""
    b = bench()
    base = [100.0, 200.0, 300.0, 400.0]
    gaps = [-1.0, -1.2, -0.8, -1.1]
    b.scenario("base", wait_p95_s=base)
    better = b.scenario("better", wait_p95_s=[v + g for v, g in zip(base, gaps, strict=True)])
    cell = board(b.study).row(better.id).cells["wait_p95_s"]
    assert cell.low < 250.0 < cell.high
    assert cell.difference.shown
    assert cell.difference.words == ""
    assert cell.difference.absolute == pytest.approx(-1.025)
    assert cell.difference.high == pytest.approx(-1.025 + t_half(gaps))
    assert cell.difference.relative == pytest.approx(-1.025 / 250)


def test_an_interval_that_covers_zero_says_no_difference_shown(bench):
    b = bench()
    b.scenario("base", wait_p95_s=[10.0, 20.0, 30.0])
    other = b.scenario("other", wait_p95_s=[12.0, 18.0, 30.5])
    difference = board(b.study).row(other.id).cells["wait_p95_s"].difference
    assert difference.low < 0 < difference.high
    assert (difference.shown, difference.words) == (False, NO_DIFFERENCE)


def test_equal_in_every_seed_is_no_difference_and_an_exact_gap_is_one(bench):
    b = bench()
    b.scenario("base", jct_mean_s=[1950.0, 1950.0], jct_p50_s=[2000.0, 2000.0])
    other = b.scenario("other", jct_mean_s=[1950.0, 1950.0], jct_p50_s=[1500.0, 1500.0])
    cells = board(b.study).row(other.id).cells
    assert (cells["jct_mean_s"].difference.shown, cells["jct_mean_s"].difference.words) == (False, NO_DIFFERENCE)
    assert (cells["jct_p50_s"].difference.shown, cells["jct_p50_s"].difference.absolute) == (True, -500.0)


def test_only_common_seeds_are_paired(bench):
    b = bench()
    b.scenario("base", wait_p95_s=[10.0, 20.0, 1000.0])
    other = b.scenario("other", wait_p95_s=[11.0, 22.0])
    difference = board(b.study).row(other.id).cells["wait_p95_s"].difference
    assert (difference.absolute, difference.seeds) == (1.5, 2)


def test_any_scenario_may_be_the_baseline_and_has_no_difference_to_itself(bench):
    b = bench()
    base = b.scenario("base", cost_usd=[10.0, 10.0])
    other = b.scenario("other", cost_usd=[8.0, 8.0])
    shown = board(b.study, baseline=other.id)
    assert shown.baseline == other.id
    assert shown.row(other.id).cells["cost_usd"].difference is None
    assert shown.row(base.id).cells["cost_usd"].difference.absolute == 2.0
    assert shown.row(base.id).cells["cost_usd"].difference.relative == 0.25
    assert board(b.study, baseline="not an id").baseline == base.id


def test_an_unknown_value_is_unknown_with_its_reason_and_never_zero(bench):
    b = bench()
    b.scenario("base", cost_usd=[1.0, 1.0])
    none = reported("cost_usd", None, note="pool a has no price")
    row = b.scenario("unpriced", cost_usd=[none, none])
    cell = board(b.study).row(row.id).cells["cost_usd"]
    assert (cell.value, cell.low, cell.note) == (None, None, "pool a has no price")
    assert cell.difference.absolute is None
    assert not cell.difference.shown


def test_a_value_unknown_in_some_seeds_makes_the_mean_unknown(bench):
    b = bench()
    row = b.scenario("base", latency_p99_s=[1.0, reported("latency_p99_s", None, note="no request was served"), 3.0])
    cell = board(b.study).row(row.id).cells["latency_p99_s"]
    assert cell.value is None
    assert cell.note == "unknown in 1 of 3 seeds: no request was served"


@pytest.mark.parametrize("odd", [math.nan, math.inf, "12"])
def test_what_is_not_a_finite_number_is_not_taken_for_one(odd):
    from planner.compare.cells import Entry

    entry = Entry.of(reported("cost_usd", odd))
    assert entry.value is None
    assert "not a finite number" in entry.note


def test_the_origin_is_the_weakest_of_all_seeds(bench):
    b = bench()
    row = b.scenario("base", cost_usd=[reported("cost_usd", 1.0), reported("cost_usd", 2.0, origin="assumed")])
    assert board(b.study).row(row.id).cells["cost_usd"].origin is Origin.ASSUMED


def test_columns_say_what_varies_and_what_is_known(bench):
    b = bench()
    b.scenario("base", cost_usd=[1.0, 1.0], jct_mean_s=[3.0, 3.0])
    b.scenario("other", cost_usd=[2.0, 2.0], jct_mean_s=[3.0, 3.0])
    columns = {c.name: c for c in board(b.study).metrics}
    assert (columns["cost_usd"].varies, columns["jct_mean_s"].varies) == (True, False)
    assert (columns["cost_usd"].known, columns["energy_kwh"].known) == (True, False)
    assert [c.name for c in board(b.study, metrics=["jct_mean_s", "nonsense"]).metrics] == ["jct_mean_s"]
