"""The exported table holds what the screen shows, with units, intervals, origins and reasons."""

from __future__ import annotations

from planner.compare.board import board
from planner.compare.fronts import front, with_shares
from planner.compare.tables import table_head, table_rows
from tests.planner.compare.conftest import reported


def test_every_number_of_the_board_is_in_the_table(bench):
    b = bench()
    b.scenario("base", cost_usd=[10.0, 10.0], jct_mean_s=[0.1 + 0.2, 0.5])
    b.scenario("other", cost_usd=[reported("cost_usd", None, note="no price")] * 2, jct_mean_s=[0.25, 0.5])
    table = board(b.study)
    table = with_shares(table, front(table, "cost_usd", "jct_mean_s"))
    head = table_head(table, ["cost_usd", "jct_mean_s"])
    rows = [dict(zip(head, row, strict=True)) for row in table_rows(table, ["cost_usd", "jct_mean_s"])]
    base, other = rows
    cell = table.rows[0].cells["jct_mean_s"]
    assert base["jct_mean_s [s]"] == cell.value == (0.1 + 0.2 + 0.5) / 2
    assert (base["jct_mean_s_low"], base["jct_mean_s_high"]) == (cell.low, cell.high)
    assert (base["baseline"], base["on_front"], base["changes"]) == ("yes", "2 of 2", "")
    assert [other[f"cost_usd{c}"] for c in (" [USD]", "_note", "_origin")] == [None, "no price", "simulated"]
    assert other["changes"] == "training: a -> other"
    assert other["jct_mean_s_difference"] == table.rows[1].cells["jct_mean_s"].difference.absolute
    assert other["jct_mean_s_difference_shown"] == "no"
    assert other["feasible"] == "yes"


def test_all_columns_are_named_once(bench):
    b = bench()
    b.scenario("base", cost_usd=[1.0])
    head = table_head(board(b.study))
    assert len(set(head)) == len(head) == len(next(table_rows(board(b.study))))
