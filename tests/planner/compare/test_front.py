"""Only feasible, known, comparable scenarios compete for the front; everything else says why it does not."""

from __future__ import annotations

import pytest

from planner.compare.board import board
from planner.compare.fronts import Status, default_axes, front, with_shares

HARD = {"metric": "wait_p95_s", "limit": 100.0, "hard": True}


def flat(value, seeds=2):
    return [float(value)] * seeds


def trade(bench, slos=(), *, seeds=2):
    """Five scenarios: (cost, wait) = base (10, 90), b (20, 40), knee (30, 15), far (90, 10), beaten (50, 60)."""
    b = bench(slos)
    places = {"base": (10, 90), "b": (20, 40), "knee": (30, 15), "far": (90, 10), "beaten": (50, 60)}
    rows = {
        name: b.scenario(name, cost_usd=flat(cost, seeds), wait_p95_s=flat(wait, seeds))
        for name, (cost, wait) in places.items()
    }
    return b, rows


def status(found):
    return {p.label: p.status for p in found.points}


def test_the_front_is_what_nobody_beats(bench):
    b, _ = trade(bench)
    found = front(board(b.study), "cost_usd", "wait_p95_s")
    assert status(found) == {
        "base": Status.FRONT, "b": Status.FRONT, "knee": Status.FRONT, "far": Status.FRONT, "beaten": Status.DOMINATED,
    }  # fmt: skip
    beaten = next(p for p in found.points if p.label == "beaten")
    assert beaten.why.startswith("b ")
    assert found.line == ((10, 90), (20, 40), (30, 15), (90, 10))
    assert found.counts == {"front": 4, "dominated": 1, "infeasible": 0, "excluded": 0, "survive": 5, "all": 5}


def test_hypervolume_is_the_area_to_the_worst_corner(bench):
    b, _ = trade(bench)
    found = front(board(b.study), "cost_usd", "wait_p95_s")
    assert found.reference == (90, 90)
    # strips between neighbours: 10 wide at height 90-40 from cost 20, then 60 wide at 90-15 from cost 30
    assert found.hypervolume == pytest.approx(10 * 50 + 60 * 75)


def test_the_reference_is_the_hard_limit_where_an_axis_has_one(bench):
    b, _ = trade(bench, [{**HARD, "limit": 45.0}])
    found = front(board(b.study), "cost_usd", "wait_p95_s")
    assert found.reference == (90, 45)
    assert found.hypervolume == pytest.approx(10 * 5 + 60 * 30)


def test_infeasible_scenarios_are_never_on_the_front_even_where_none_survives(bench):
    b, _ = trade(bench, [{**HARD, "limit": 5.0}])
    found = front(board(b.study), "cost_usd", "wait_p95_s")
    assert set(status(found).values()) == {Status.INFEASIBLE}
    assert (found.line, found.hypervolume, found.picks, found.knee) == ((), None, (), None)
    assert (found.nearest.label, found.nearest.by, found.nearest.metric) == ("far", 5.0, "wait_p95_s")
    assert found.counts["survive"] == 0
    base = next(p for p in found.points if p.is_base)
    assert base.missed[0].by == 85.0


def test_an_infeasible_scenario_beats_nobody(bench):
    b = bench([{"metric": "rho_max", "limit": 2.0, "hard": True}])
    b.scenario("base", cost_usd=flat(10), jct_mean_s=flat(10), rho_max=flat(1))
    b.scenario("best but unfair", cost_usd=flat(1), jct_mean_s=flat(1), rho_max=flat(9))
    found = front(board(b.study), "cost_usd", "jct_mean_s")
    assert status(found) == {"base": Status.FRONT, "best but unfair": Status.INFEASIBLE}


def test_where_higher_is_better_the_front_turns(bench):
    b = bench()
    b.scenario("base", cost_usd=flat(10), jain_gpu_time=flat(0.5))
    b.scenario("fair", cost_usd=flat(20), jain_gpu_time=flat(0.9))
    b.scenario("worse", cost_usd=flat(20), jain_gpu_time=flat(0.4))
    found = front(board(b.study), "cost_usd", "jain_gpu_time")
    assert status(found) == {"base": Status.FRONT, "fair": Status.FRONT, "worse": Status.DOMINATED}
    assert found.reference == (20, 0.4)
    assert found.hypervolume == pytest.approx(10 * 0.1)
    turned = front(board(b.study), "jain_gpu_time", "cost_usd")
    assert turned.line[0] == (0.9, 20)


def test_equal_scenarios_share_the_front(bench):
    b = bench()
    b.scenario("base", cost_usd=flat(10), jct_mean_s=flat(10))
    b.scenario("twin", cost_usd=flat(10), jct_mean_s=flat(10))
    found = front(board(b.study), "cost_usd", "jct_mean_s")
    assert set(status(found).values()) == {Status.FRONT}
    assert found.line == ((10, 10),)


def test_unknown_values_are_set_aside_with_the_reason(bench):
    from tests.planner.compare.conftest import reported

    b = bench()
    b.scenario("base", cost_usd=flat(10), jct_mean_s=flat(10))
    b.scenario("unpriced", cost_usd=[reported("cost_usd", None, note="pool a has no price")], jct_mean_s=[1.0])
    waits = b.scenario("waits")
    b.waiting(waits, 0)
    found = front(board(b.study), "cost_usd", "jct_mean_s")
    why = {p.label: p.why for p in found.points if p.status is Status.EXCLUDED}
    assert why == {"unpriced": "Cost is unknown (pool a has no price).", "waits": "No run has finished yet."}
    assert found.counts["excluded"] == 2


def test_a_limit_that_cannot_be_judged_keeps_a_scenario_off(bench):
    b = bench([{"metric": "energy_kwh", "limit": 5.0, "hard": True}])
    b.scenario("base", cost_usd=flat(10), jct_mean_s=flat(10))
    found = front(board(b.study), "cost_usd", "jct_mean_s")
    assert status(found) == {"base": Status.EXCLUDED}
    assert "cannot be judged" in found.points[0].why


def test_limits_of_the_view_move_lift_and_add(bench):
    b, _ = trade(bench, [HARD])
    table = board(b.study)
    assert front(table, "cost_usd", "wait_p95_s").counts["survive"] == 5
    moved = front(table, "cost_usd", "wait_p95_s", {"wait_p95_s": 50.0, "cost_usd": 60.0})
    assert status(moved)["base"] is Status.INFEASIBLE
    assert status(moved)["far"] is Status.INFEASIBLE
    assert moved.counts["survive"] == 2
    assert [(x.metric, x.from_slo) for x in moved.limits] == [("wait_p95_s", False), ("cost_usd", False)]
    lifted = front(table, "cost_usd", "wait_p95_s", {"wait_p95_s": None})
    assert lifted.limits == ()


def test_a_soft_limit_turns_nobody_away(bench):
    b, _ = trade(bench, [{**HARD, "limit": 1.0, "hard": False}])
    found = front(board(b.study), "cost_usd", "wait_p95_s")
    assert found.counts["survive"] == 5
    assert found.binding is None
    assert (found.limits[0].hard, found.limits[0].turns_away) == (False, 5)


def test_the_binding_limit_is_the_one_that_alone_turns_most_away(bench):
    b, _ = trade(bench, [{**HARD, "limit": 50.0}])
    found = front(board(b.study), "cost_usd", "wait_p95_s", {"cost_usd": 85.0})
    assert {x.metric: (x.turns_away, x.alone) for x in found.limits} == {"wait_p95_s": (2, 2), "cost_usd": (1, 1)}
    assert found.binding.metric == "wait_p95_s"
    assert (found.nearest.label, found.nearest.by) == ("beaten", 10.0)


def test_picks_name_the_ends_and_the_knee_with_a_reason(bench):
    b, _ = trade(bench, [HARD])
    found = front(board(b.study), "cost_usd", "wait_p95_s")
    assert [(p.name, p.label) for p in found.picks] == [
        ("Cheapest that passes", "base"), ("Knee", "knee"), ("Best Wait, P95 that passes", "far"),
    ]  # fmt: skip
    assert found.knee.label == "knee"
    assert found.knee.reason == "On the front in 2 of 2 seeds; its whole interval stays inside every limit."


def test_a_pick_whose_interval_touches_the_limit_is_told_apart_from_one_that_is_clear(bench):
    b = bench([HARD])
    b.scenario("close", cost_usd=flat(10, 3), wait_p95_s=[99.0, 80.0, 96.0])
    b.scenario("safe", cost_usd=flat(20, 3), wait_p95_s=[50.0, 51.0, 52.0])
    found = front(board(b.study), "cost_usd", "wait_p95_s")
    assert found.picks[0].label == "close"
    assert "touches the limit on Wait, P95" in found.picks[0].reason
    assert found.picks[1].label == "safe"
    assert "whose whole interval passes" in found.picks[1].name


def test_the_share_of_seeds_is_counted_seed_by_seed(bench):
    b = bench()
    b.scenario("base", cost_usd=[10.0, 10.0, 10.0, 10.0], wait_p95_s=[50.0, 50.0, 50.0, 50.0])
    b.scenario("often", cost_usd=[11.0, 11.0, 11.0, 9.0], wait_p95_s=[10.0, 60.0, 10.0, 10.0])
    table = board(b.study)
    found = front(table, "cost_usd", "wait_p95_s")
    assert {p.label: p.share for p in found.points} == {"base": (3, 4), "often": (3, 4)}
    assert [row.front_share for row in with_shares(table, found).rows] == [(3, 4), (3, 4)]


def test_names_that_are_not_metrics_give_the_default_and_a_note(bench):
    b, _ = trade(bench, [HARD])
    found = front(board(b.study), "nonsense", "<script>", {"also": 3.0, "cost_usd": float("nan")})
    assert (found.x.name, found.y.name) == ("cost_usd", "wait_p95_s") == default_axes(board(b.study))
    assert len(found.notes) == 4


def test_a_study_that_varies_demand_warns(bench):
    b, _ = trade(bench)
    b.study.axes = {"demand_factors": [1.0, 1.5], "seeds": 2}
    assert any("demand" in note for note in front(board(b.study), "cost_usd", "wait_p95_s").notes)


def test_sliders_hold_every_value_and_who_survives(bench):
    b, _ = trade(bench, [{**HARD, "limit": 50.0}])
    found = front(board(b.study), "cost_usd", "wait_p95_s")
    slider = found.sliders[0]
    assert (slider.metric, slider.low, slider.high) == ("wait_p95_s", 10.0, 90.0)
    assert slider.values == ((10.0, True), (15.0, True), (40.0, True), (60.0, False), (90.0, False))
    assert slider.limit.limit == 50.0


def test_an_empty_study_has_an_empty_front(bench):
    found = front(board(bench().study), "cost_usd", "wait_p95_s")
    assert found.points == ()
    assert found.counts["all"] == 0


def test_an_oracle_on_the_front_is_pointed_out_and_what_can_be_had_is_named(bench):
    b = bench([HARD])
    b.scenario("base", cost_usd=flat(30), wait_p95_s=flat(90))
    b.scenario("real", cost_usd=flat(20), wait_p95_s=flat(80))
    b.scenario("knows all", regime="oracle", cost_usd=flat(10), wait_p95_s=flat(10))
    table = board(b.study)
    found = front(table, "cost_usd", "wait_p95_s")
    assert [row.is_oracle for row in table.rows] == [False, False, True]
    assert any("oracle" in note for note in found.notes)
    assert [(p.name, p.label) for p in found.picks] == [
        ("Cheapest that passes, best Wait, P95 that passes", "knows all"),
        ("Cheapest that passes without an oracle", "real"),
    ]


def test_a_front_without_an_oracle_says_nothing_of_one(bench):
    b, _ = trade(bench)
    assert front(board(b.study), "cost_usd", "wait_p95_s").notes == ()
