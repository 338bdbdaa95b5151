"""Figures drawn on the server: every point where its axes put it, its words, origins and digests beside it."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from PIL import Image

from planner.studies.models import Result, Run, Scenario
from planner.web.exports.run_report import figures_of
from planner.web.figures.figure import DASHES, SYMBOLS, Figure, Source, axis
from planner.web.pictures.draw import drawing
from planner.web.pictures.marks import Path, Words
from planner.web.pictures.palette import color
from planner.web.pictures.plane import axis_of, round_ticks
from planner.web.pictures.png import png
from planner.web.pictures.svg import svg
from planner.web.pictures.symbols import symbol
from simulation.provenance import Origin
from tests.planner.web import material

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script>&{x}"


@pytest.fixture
def study(workspace, owner):
    return material.study(workspace, owner, scenarios=8, seeds=3)


@pytest.fixture
def run(study):
    return Run.objects.filter(scenario__study=study, scenario__position=5).select_related("result").first()


def words_of(picture: bytes | str) -> str:
    return " ".join(text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text"))


def figure(xs, ys, **layout):
    marker = {"symbol": "circle", "size": 8, "color": "@simulated"}
    trace = {"type": "scatter", "mode": "markers", "x": xs, "y": ys, "marker": marker}
    return Figure("f", "A title", data=(trace,), layout=layout, sources=(Source(Origin.SIMULATED, "seed 0"),))


def points(drawn) -> list[tuple[float, float]]:
    """Centres of the round marks in the plane (those of the source line are diamonds)."""
    round_ones = [m.points for m in drawn.marks if isinstance(m, Path) and m.closed and len(m.points) == 24]
    return [(sum(x for x, _ in one) / 24, sum(y for _, y in one) / 24) for one in round_ones]


def test_points_lie_where_linear_and_log_axes_put_them():
    layout = {"xaxis": axis(range=[0, 10]), "yaxis": axis(type="log", range=[0, 2])}
    (a, b, c) = points(drawing(figure([0, 5, 10], [1, 10, 100], **layout), {}))
    assert b[0] == pytest.approx((a[0] + c[0]) / 2)
    assert b[1] == pytest.approx((a[1] + c[1]) / 2)
    assert a[1] > b[1] > c[1]


def test_what_lies_beyond_an_axis_is_not_drawn():
    layout = {"xaxis": axis(range=[0, 10]), "yaxis": axis(range=[0, 10])}
    assert len(points(drawing(figure([5, 50], [5, 5], **layout), {}))) == 1


def test_unknown_values_are_left_out():
    assert len(points(drawing(figure([1, None, 3], [1, 2, None]), {}))) == 1


def test_categories_stand_in_their_order_or_turned_round():
    down = axis_of({"autorange": "reversed"}, ["a", "b", "c"], 300.0, 0.0, bars=False)
    assert [down.at(name) for name in "abc"] == [50.0, 150.0, 250.0]


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 100), (-3, 7), (0.001, 0.0093), (71_200, 88_900), (5e6, 9e9)])
def test_ticks_are_round_and_inside(low, high):
    ticks = round_ticks(low, high)
    assert 3 <= len(ticks) <= 11
    assert all(low - 1e-9 <= t <= high * (1 + 1e-12) for t in ticks)
    steps = {f"{b - a:.9g}" for a, b in pairwise(ticks)}
    assert len(steps) == 1
    assert f"{float(steps.pop()):e}".partition("e")[0].rstrip("0") in ("1.", "2.", "2.5", "5.")


@pytest.mark.parametrize("origin", list(Origin))
def test_every_origin_has_a_mark_of_its_own(origin):
    shapes = [tuple((p.points, p.fill) for p in symbol(name, (0, 0), 10, "#000000", 1)) for name in SYMBOLS.values()]
    assert shapes.count(shapes[list(SYMBOLS).index(origin)]) == 1


def test_every_colour_of_a_figure_is_one_of_the_stylesheet(run):
    for one in figures_of(run, run.result.document):
        for token in re.findall(r"'(@[\w/.]+)'", str([one.data, one.layout])):
            color(token)


def test_the_front_as_svg_has_its_points_words_origins_and_digests(signed_in, workspace, study):
    answer = signed_in.get(reverse("study-figure", args=[workspace.slug, study.id, "svg"]))
    assert answer["Content-Type"] == "image/svg+xml"
    told = words_of(answer.content)
    assert "Wait, P95 against Cost" in told
    assert "Cost (k$)" in told
    assert "Wait, P95 (" in told
    assert "hard: Wait, P95" in told
    assert "assumed, engine" in told
    revision = study.workspace.items.get(kind="workload").revisions.get()
    assert revision.digest[:12] in told
    root = ElementTree.fromstring(answer.content)
    assert root.find(f"{SVG}title").text
    assert "scenarios" in root.find(f"{SVG}desc").text


def test_every_figure_of_a_run_is_drawn_whole(signed_in, workspace, run):
    for one in figures_of(run, run.result.document):
        answer = signed_in.get(reverse("run-figure", args=[workspace.slug, run.id, one.plot_id, "svg"]))
        root = ElementTree.fromstring(answer.content)
        width, height = (float(root.get(side)) for side in ("width", "height"))
        told = words_of(answer.content)
        assert one.title in told
        assert run.result.sha256[:12] in told
        for text in root.iter(f"{SVG}text"):
            assert 0 <= float(text.get("x")) <= width
            assert 0 <= float(text.get("y")) <= height
        for path in root.iter(f"{SVG}path"):
            numbers = [float(n) for n in re.findall(r"-?\d+\.\d+", path.get("d"))]
            assert min(numbers) >= 0
            assert max(numbers) <= max(width, height)


def test_dashes_tell_origins_without_colour(run):
    wait = figures_of(run, run.result.document)[0]
    dashed = [m for m in drawing(wait, {}).marks if isinstance(m, Path) and m.dash]
    assert tuple(dashed[0].dash) == tuple(float(d.removesuffix("px")) for d in DASHES[Origin.SIMULATED].split(","))


def test_words_of_people_stay_words(signed_in, workspace, study):
    Scenario.objects.filter(study=study, position=0).update(label=HOSTILE)
    answer = signed_in.get(reverse("study-figure", args=[workspace.slug, study.id, "svg"]))
    assert b"<script" not in answer.content
    assert HOSTILE in words_of(answer.content)


def test_control_characters_do_not_break_the_xml():
    ElementTree.fromstring(svg(drawing(Figure("f", "a\x00\x0bb", empty="no \x1f reason"), {})))


def test_a_figure_without_data_says_why():
    drawn = drawing(Figure("f", "Title", empty="no run has finished yet."), {})
    assert any(isinstance(m, Words) and "no run has finished yet" in m.text for m in drawn.marks)


def test_names_cover_neither_each_other_nor_points():
    from planner.web.pictures.fonts import width

    names = [{"text": f"scenario {i}", "x": 1.0 + i / 50, "y": 1.0} for i in range(12)]
    wish = {"wanted": names, "marks": [[n["x"], n["y"], 8] for n in names]}
    crowded = figure([n["x"] for n in names], [1.0] * 12, xaxis=axis(range=[0, 3]), yaxis=axis(range=[0, 2]))
    crowded = Figure("f", "T", data=crowded.data, layout=crowded.layout, labels=wish)
    drawn = drawing(crowded, {})
    boxes = [
        (m.x, m.y - 9, m.x + width(m.text, m.size), m.y + 2)
        for m in drawn.marks
        if isinstance(m, Words) and m.text.startswith("scenario")
    ]
    assert 2 <= len(boxes) < 12
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert not (a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])


def test_a_png_is_the_drawing_at_twice_its_size():
    layout = {"xaxis": axis(range=[0, 10]), "yaxis": axis(range=[0, 10])}
    drawn = drawing(figure([5], [5], **layout), {"engine": "1"})
    image = Image.open(io.BytesIO(png(drawn)))
    assert image.size == (2 * drawn.width, 2 * drawn.height)
    ((x, y),) = points(drawn)
    wanted = tuple(int(color("@simulated")[0][i : i + 2], 16) for i in (1, 3, 5))
    assert image.getpixel((round(2 * x), round(2 * y))) == wanted
    assert image.getpixel((round(2 * x) + 40, round(2 * y) + 40)) == (255, 255, 255)
    assert png(drawn) == png(drawn)


def test_the_front_as_png(signed_in, workspace, study):
    answer = signed_in.get(reverse("study-figure", args=[workspace.slug, study.id, "png"]))
    assert answer["Content-Type"] == "image/png"
    image = Image.open(io.BytesIO(answer.content))
    assert image.width == 1920
    assert len(image.getcolors(1 << 20)) > 10


@pytest.mark.parametrize("rest", [("figure-nothing", "svg"), ("figure-wait", "gif")])
def test_what_there_is_not_is_not_found(signed_in, workspace, run, rest):
    assert signed_in.get(reverse("run-figure", args=[workspace.slug, run.id, *rest])).status_code == 404


def test_stored_results_are_drawn_again_alike(signed_in, workspace, run):
    address = reverse("run-figure", args=[workspace.slug, run.id, "figure-wait", "svg"])
    first = signed_in.get(address).content
    Result.objects.filter(pk=run.result_id).update(compute_s=99.0)
    assert signed_in.get(address).content == first
