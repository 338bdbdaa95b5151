"""WattTime: pounds by MWh become g/kWh, stay marginal, and no other signal or unit passes for them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.registry import detect
from tests.simulation.formats.conftest import read_text

CSV = (
    "timestamp,MOER,MOER version,frequency\n"
    "2026-03-01T00:00:00+00:00,1000,3.2,300\n"
    "2026-03-01T00:05:00+00:00,800,3.2,300\n"
)


def answer(*data: Any, **meta: str) -> str:
    told = {"region": "CAISO_NORTH", "signal_type": "co2_moer", "units": "lbs_co2_per_mwh"} | meta
    return json.dumps({"data": list(data), "meta": told})


POINTS = (
    {"point_time": "2026-03-01T00:00:00+00:00", "value": 1000},
    {"point_time": "2026-03-01T00:05:00+00:00", "value": 800.0},
)


@pytest.mark.parametrize("content", [CSV, answer(*POINTS)])
def test_pounds_by_mwh_become_grams_by_kwh(content):
    assert detect(content.encode())[0].slug == "watttime"
    reading = read_text("watttime", content)
    assert reading.table["marginal_g_per_kwh"] == [pytest.approx(453.59237), pytest.approx(362.873896)]
    (zone,) = reading.totals["zones"].values()
    assert zone["mean_g_per_kwh"] == {"marginal": pytest.approx(408.233133)}
    assert zone["hours"] == pytest.approx(1 / 6)


def test_the_region_is_that_of_the_answer_and_unknown_in_the_history():
    assert {*read_text("watttime", answer(*POINTS)).table["zone"]} == {"CAISO_NORTH"}
    assert {*read_text("watttime", CSV).table["zone"]} == {None}


@pytest.mark.parametrize("meta", [{"units": "kg_co2_per_mwh"}, {"signal_type": "co2_aoer"}])
def test_another_unit_or_signal_is_refused(meta):
    with pytest.raises(FormatError, match="expected co2_moer in lbs_co2_per_mwh"):
        read_text("watttime", answer(*POINTS, **meta))


@pytest.mark.parametrize(
    "point",
    [
        {"point_time": "2026-03-01T00:05:00+00:00", "value": -1},
        {"point_time": "2026-03-01T00:05:00+00:00", "value": 1e9},
        {"point_time": "", "value": 1},
        {"point_time": "2026-02-30T00:00:00Z", "value": 1},
        {"value": 5},
        7,
        {"point_time": "2026-03-01T00:00:00+00:00", "value": 5},
    ],
)
def test_points_that_cannot_be_are_refused(point):
    reading = read_text("watttime", answer(POINTS[0], point))
    assert (len(reading.table), reading.counts.rejected, reading.counts.in_file) == (1, 1, 2)


def test_a_missing_value_is_unknown():
    reading = read_text("watttime", answer(POINTS[0], POINTS[1] | {"value": None}))
    assert (reading.table["marginal_g_per_kwh"][1], reading.counts.warned) == (None, 1)


@pytest.mark.parametrize("content", ["{}", '{"data": []}', answer(*POINTS)[:60]])
def test_a_file_of_another_layout_or_cut_off_is_refused(content):
    with pytest.raises(FormatError):
        read_text("watttime", content)
