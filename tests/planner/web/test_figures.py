"""Figure builders are pure: records in, Plotly JSON with colours by name out, and words beside the picture."""

from __future__ import annotations

import json
import re
import uuid
from itertools import pairwise

import pytest

from planner.compare.cells import Cell
from planner.compare.columns import Column
from planner.compare.fronts import Front, Point, Status
from planner.compare.limits import Limit
from planner.web.figures.axes import log_ticks, ruler
from planner.web.figures.bars import gang_figure, latency_figure
from planner.web.figures.distribution import Curve, at, banded, distribution_figure
from planner.web.figures.front import front_figure
from planner.web.figures.jobs import jct_figure
from planner.web.figures.thumb import thumb
from planner.web.figures.usage import usage_figure
from planner.web.numbers import scale_for, span, span_range, written
from simulation.provenance import Origin
from tests.planner.web.result_document import document, spread_of

COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|\brgb\(", re.IGNORECASE)
S, A, ILL = Origin.SIMULATED, Origin.ASSUMED, Origin.ILLUSTRATIVE


def cell(value, unit, half=0.0, origin=S, seeds=5):
    return Cell(value, unit, value - half, value + half, "mean", seeds, origin)


def column(name, title, unit, better="lower"):
    return Column(name, title, unit, better, "", "", True, True)


def point(label, status, wait, cost, origin=S, **more):
    x, y = cell(cost, "USD", 100, origin), cell(wait, "s", 60)
    return Point(uuid.uuid5(uuid.NAMESPACE_URL, label), label, status, "", x, y, None, label == "today", None, **more)


@pytest.fixture
def front():
    points = (
        point("today", Status.INFEASIBLE, 9000, 71_000),
        point("quick", Status.FRONT, 1800, 90_000, A),
        point("cheap", Status.FRONT, 3000, 80_000),
        point("beaten", Status.DOMINATED, 3200, 95_000),
        point("made up", Status.INFEASIBLE, 8000, 85_000, ILL),
    )
    limit = Limit("wait_p95_s", "Wait, P95", "s", 3600.0, True, True, 2, 2)
    return Front(
        column("cost_usd", "Cost", "USD"), column("wait_p95_s", "Wait, P95", "s"), points,
        ((80_000, 3000), (90_000, 1800)), 1.0, (95_000, 3600), None, (), (limit,), (), limit, None,
        {"front": 2, "dominated": 1, "infeasible": 2, "excluded": 0, "survive": 3, "all": 5},
    )  # fmt: skip


def every_figure(front):
    doc = document(3, 0)
    curve = Curve("this run", "sc1", S, spread_of(3600.0)["curve"], 100, main=True)
    yield front_figure(front)
    yield distribution_figure("wait", "Wait", "Queueing delay", "jobs", [curve], limit=(0.95, 3600.0))
    yield gang_figure(doc["wait_by_gang"], S)
    yield latency_figure("rank", doc["latency_parts"]["rank"], S, 0.2)
    yield usage_figure(doc["timeline"], S)
    yield jct_figure({"a": doc["tenants"]}, {"a": 0}, S)


def test_nodes_that_are_away_lower_the_line_of_those_that_are_there():
    told = document(0, 0)["timeline"]
    whole = usage_figure(told, S)
    assert [trace["name"] for trace in whole.data] == ["allocated", "useful", "busy"]
    gone = usage_figure(told | {"away": [0.25] * len(told["t_s"])}, S)
    assert gone.data[-1]["name"] == "nodes there"
    assert set(gone.data[-1]["y"]) == {75.0}
    assert "75.0 % nodes there" in gone.summary
    assert len(gone.rows[0]) == len(gone.head) == len(whole.head) + 1


def test_figures_are_plain_json_and_name_colours_by_token(front):
    for figure in every_figure(front):
        text = json.dumps(figure.payload, allow_nan=False)
        assert COLOUR.findall(text) == [], figure.name
        assert "@ink2" in text


HOSTILE = "<a href='https://elsewhere.example'>%{x} & {y}</a>"


def shown_texts(value, key=""):
    """Every text of a payload that the plot reads as markup: labels, hover texts, names and categories."""
    if isinstance(value, dict):
        return [text for k, v in value.items() for text in shown_texts(v, k)]
    if isinstance(value, list | tuple):
        return [text for v in value for text in shown_texts(v, key)]
    return [value] if isinstance(value, str) else []


def test_words_of_people_are_no_markup_in_a_figure():
    points = (point(HOSTILE, Status.FRONT, 1800, 90_000), point("b", Status.FRONT, 3000, 80_000))
    column_x, column_y = column("cost_usd", "Cost", "USD"), column("wait_p95_s", "Wait, P95", "s")
    counts = {"front": 2, "dominated": 0, "infeasible": 0, "excluded": 0, "survive": 2, "all": 2}
    hostile = Front(column_x, column_y, points, (), None, None, None, (), (), (), None, None, counts)
    tenants = [{"tenant": HOSTILE, "jct_mean_s": 60.0}]
    for figure in (
        front_figure(hostile),
        jct_figure({HOSTILE: tenants}, {HOSTILE: 0}, S),
        distribution_figure("wait", "W", "Q", "jobs", [Curve(HOSTILE, "sc0", S, [[0.5, 1.0], [0.9, 9.0]], 2)]),
    ):
        drawn = shown_texts([figure.data, figure.layout, figure.labels])
        assert any("elsewhere.example" in text for text in drawn), figure.name
        assert [text for text in drawn if "<a" in text or "%{x} &" in text] == [], figure.name
        assert "elsewhere.example'>" in "".join(figure.head) + str(figure.rows) + figure.summary, (
            "tables keep the words"
        )


def test_a_figure_has_an_id_without_blanks_whatever_it_is_named():
    one = latency_figure('rank "b" <i>', document(0, 0)["latency_parts"]["rank"], S, None)
    assert re.fullmatch(r"[\w-]+", one.plot_id)
    assert one.plot_id != latency_figure("rank _b_ _i_", document(0, 0)["latency_parts"]["rank"], S, None).plot_id


def test_every_figure_has_words_and_a_table(front):
    for figure in every_figure(front):
        assert figure.summary
        assert figure.rows
        assert all(len(row) == len(figure.head) for row in figure.rows), figure.name
        assert figure.sources


def test_marks_tell_the_origin_and_the_class(front):
    by_symbol = {s for t in front_figure(front).data for s in _listed(t.get("marker", {}).get("symbol"))}
    assert {"diamond-open", "square-open", "diamond-x-open", "triangle-up-open", "x-thin-open"} <= by_symbol


def _listed(value):
    return value if isinstance(value, list) else [value] if value else []


def test_the_summary_names_counts_and_the_best(front):
    said = front_figure(front).summary
    assert "2 on the front, 1 dominated, 2 infeasible" in said
    assert "Lowest Cost on the front: cheap" in said


def test_beyond_a_hard_limit_the_sheet_is_tinted_and_the_limit_is_named(front):
    figure = front_figure(front)
    assert [s["fillcolor"] for s in figure.layout["shapes"] if s["type"] == "rect"] == ["@tint"]
    assert figure.labels["level"][0]["text"] == "hard: Wait, P95 ≤ 60 min"


def test_a_class_or_an_origin_can_be_hidden(front):
    drawn = sum(len(t["x"]) for t in front_figure(front).data if "customdata" in t)
    assert sum(len(t["x"]) for t in front_figure(front, hidden={"infeasible"}).data if "customdata" in t) == drawn - 2
    assert len(front_figure(front, origins={A}).rows) == 1
    assert front_figure(front, origins=set()).empty == "No point has an origin that is switched on."


def test_the_step_line_is_drawn_only_while_every_point_is_shown(front):
    assert any(t["mode"] == "lines" for t in front_figure(front).data)
    assert not any(t["mode"] == "lines" for t in front_figure(front, origins={S, ILL}).data)


def test_a_thumbnail_has_a_mark_a_scenario_and_the_front(front):
    small = thumb(front)
    assert len(small.marks) == 5
    assert small.line.startswith("M")
    assert small.words == "2 of 5 scenarios on the front of Wait, P95 against Cost"


def test_quantiles_are_read_between_the_points():
    curve = Curve("c", "sc0", S, [[0.0, 10.0], [0.5, 20.0], [1.0, 40.0]], 3)
    assert [at(curve, q) for q in (0.25, 0.5, 0.75)] == [15.0, 20.0, 30.0]


def test_a_band_holds_the_lowest_and_highest_of_all_seeds():
    assert banded([[[0.5, 1.0]], [[0.5, 3.0]], [[0.5, 2.0]]]) == [(0.5, 1.0, 3.0)]


@pytest.mark.parametrize("curve", [[], [[0.5, 0.0], [0.99, 0.0]]])
def test_a_distribution_of_nothing_says_why(curve):
    figure = distribution_figure("wait", "Wait", "Queueing delay", "jobs", [Curve("c", "sc0", S, curve, 0)])
    assert figure.empty


def test_figures_without_data_say_why():
    assert gang_figure([{"gang": "1", "n": 0, "mean_s": None, "p95_s": None}], S).empty == "no job has finished."
    assert latency_figure("rank", [], S, None).empty == "no request was served."
    assert usage_figure({"t_s": [], "bin_s": 0.0, "capacity_gpus": 8}, S).empty


def test_parts_add_up_to_the_sum_that_is_shown():
    rows = latency_figure("rank", document(0, 0)["latency_parts"]["rank"], S, None).rows
    assert all(abs(sum(map(float, row[1:5])) - float(row[5])) < 0.06 for row in rows)


def test_words_on_a_time_axis_have_room():
    curve = Curve("c", "sc0", S, [[0.1, 110.0], [0.95, 110_000.0]], 9)
    ticks = distribution_figure("wait", "Wait", "Queueing delay", "jobs", [curve]).layout["xaxis"]["tickvals"]
    assert 4 <= len(ticks) <= 8
    assert all(b / a > 2 for a, b in pairwise(ticks))


def test_wide_values_get_a_logarithmic_axis_with_round_ticks():
    axis = ruler("Wait", "s", [36.0, 360_000.0])
    assert axis.log
    assert log_ticks(0.5, 60.0) == [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
    assert not ruler("Cost", "USD", [71.0, 105.0]).log
    assert not ruler("Gap", "1", [0.0, 1000.0]).log


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0, "0 s"), (0.08, "80 ms"), (45.0, "45 s"), (119.0, "119 s"), (120.0, "2 min"), (7199.0, "120 min"),
     (7200.0, "2 h"), (86_400.0, "24 h"), (172_800.0, "2 d"), (1e7, "116 d"), (None, "–")],
)  # fmt: skip
def test_spans_are_written_in_the_unit_of_their_size(seconds, words):
    assert span(seconds) == words


def test_numbers_have_a_true_minus_and_no_signed_zero():
    assert written(-1234.5, 1) == "−1,234.5"
    assert written(-0.001, 1) == "0.0"
    assert written(0.2, 1, sign=True) == "+0.2"
    ranges = ((170.0, 430.0), (0.2, 29.0), (0.0, 0.4))
    assert [span_range(*r) for r in ranges] == ["3 to 7 min", "up to 29 s", "under 1 s"]


def test_a_column_has_one_unit_that_suits_its_middle():
    scale = scale_for("s", [600.0, 43_200.0, 520_000.0])
    assert (scale.unit, scale.text(43_200.0)) == ("h", "12.0")
    assert scale_for("USD", [71_200.0]).with_unit(71_200.0) == "71.2 k$"
    assert scale_for("share", [0.5]).with_unit(0.125) == "12.5 %"
