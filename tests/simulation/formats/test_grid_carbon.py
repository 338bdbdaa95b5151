"""Carbon of a grid: means by time, direct and life cycle apart, forecasts and estimates marked, gaps counted."""

from __future__ import annotations

import pytest

from simulation.provenance import Origin
from tests.simulation.formats.conftest import read_text

MAPS = (
    "Datetime (UTC),Zone id,Carbon intensity gCO₂eq/kWh (direct),Carbon intensity gCO₂eq/kWh (Life cycle),"
    "Data estimated\n"
)
GRID = "time,deltaseconds,unix,intensity\n"


def hours(*rows: str):
    return read_text("electricity-maps", MAPS + "\n".join(rows) + "\n")


def test_a_day_of_germany_is_375_by_life_cycle_and_325_direct(sample):
    reading = sample("electricity-maps", "carbon-csv/electricity_maps_layout_one_day.csv")
    zone = reading.totals["zones"]["DE"]
    assert zone["mean_g_per_kwh"] == {"lifecycle": 375, "direct": 325}
    assert (zone["hours"], zone["estimated"], zone["gaps"]) == (24, 0, 0)


def test_six_hours_of_a_forecast(sample):
    reading = sample("grid-forecast", "carbon-csv/cats_forecast_first_12_half_hours.csv")
    (zone,) = reading.totals["zones"].values()
    assert zone["mean_g_per_kwh"]["unnamed"] == pytest.approx(13.8333, abs=5e-5)
    assert (zone["hours"], {*reading.table["forecast"]}) == (6, {True})
    assert reading.origin is Origin.CITED


def test_the_other_clock_of_the_forecast_is_told_and_not_used(sample):
    reading = sample("grid-forecast", "carbon-csv/cats_forecast_first_12_half_hours.csv")
    assert "In 12 rows unix is -3600 s away from time: time counts." in reading.facts
    assert min(reading.table["start_s"]) == 1_683_203_400  # 2023-05-04T12:30Z


@pytest.mark.parametrize("written", ["gCO2eq/kWh (LCA)", "gCO₂eq/kWh (life cycle)", "gCO₂eq/kWh (Life Cycle)"])
def test_headers_of_other_years_are_known(written):
    header = MAPS.replace("gCO₂eq/kWh (Life cycle)", written)
    reading = read_text("electricity-maps", header + "2026-03-01 00:00:00,DE,300,350,false\n")
    assert reading.table["lifecycle_g_per_kwh"] == [350]


def test_a_gap_is_counted_and_no_value_holds_over_it():
    reading = hours(
        "2026-03-01 00:00:00,DE,100,100,false",
        "2026-03-01 01:00:00,DE,100,100,true",
        "2026-03-01 09:00:00,DE,400,400,false",
    )
    zone = reading.totals["zones"]["DE"]
    assert (zone["gaps"], zone["estimated"], zone["hours"], zone["mean_g_per_kwh"]["direct"]) == (1, 1, 3, 200)


def test_zones_are_never_mixed():
    zones = hours("2026-03-01 00:00:00,DE,100,100,false", "2026-03-01 00:00:00,FR,50,50,false").totals["zones"]
    assert [zone["mean_g_per_kwh"]["direct"] for zone in zones.values()] == [100, 50]


def test_an_empty_value_is_unknown_and_no_part_of_the_mean():
    reading = hours("2026-03-01 00:00:00,DE,,,false", "2026-03-01 01:00:00,DE,100,,false")
    assert reading.totals["zones"]["DE"]["mean_g_per_kwh"] == {"direct": 100}
    assert reading.counts.warned == 1


@pytest.mark.parametrize(
    "row",
    [
        "2026-03-01 01:00:00,DE,-1,350,false",
        "2026-03-01 01:00:00,DE,350000,350,false",
        "2026-02-30 01:00:00,DE,3,3,false",
        ",DE,300,350,false",
        "2026-03-01 01:00:00,DE,much,350,false",
        "2026-03-01 00:00:00,DE,301,350,false",
        "2026-03-01 01:00:00,DE,300",
    ],
)
def test_rows_that_cannot_be_are_refused(row):
    reading = hours("2026-03-01 00:00:00,DE,300,350,false", row)
    assert (len(reading.table), reading.counts.rejected) == (1, 1)


def test_kg_instead_of_g_raise_a_question():
    assert any("kg instead of g" in fact for fact in hours("2026-03-01 00:00:00,DE,0.3,0.35,false").facts)


@pytest.mark.parametrize(
    "row", ["2023-05-04T12:30Z,1,1683203400.0,-11", "nine,1,1683203400.0,11", "2023-05-04T12:30Z,1,x,11"]
)
def test_rows_of_a_forecast_that_cannot_be_are_refused(row):
    reading = read_text("grid-forecast", GRID + "2023-05-04T13:00Z,1,1683205200.0,11\n" + row + "\n")
    assert (len(reading.table), reading.counts.rejected) == (1, 1)
