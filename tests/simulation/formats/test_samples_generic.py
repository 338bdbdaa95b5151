"""The stated outcomes of the spreadsheet samples, and the price that must not be read 730 times too cheap."""

from __future__ import annotations

from tests.simulation.formats.conftest import read_text

COMMA, SEMICOLON = "generic-csv/jobs_comma_utf8.csv", "generic-csv/jobs_semicolon_decimal_comma_bom.csv"


def test_comma_separated_jobs_cost_277_74_dollars(sample):
    reading = sample("generic-jobs", COMMA)
    assert reading.totals["cost"] == {"USD": "277.74"}
    assert reading.totals["jobs"] == 3
    assert [question.key for question in reading.unanswered] == ["submission"]


def test_german_spreadsheet_costs_277_74_euros(sample):
    reading = sample("generic-jobs", SEMICOLON, {"time_zone": "UTC", "submission": "start"})
    assert reading.ready
    assert reading.totals["cost"] == {"EUR": "277.74"}
    assert reading.columns[0].label == "Job"
    assert reading.answers["decimal_mark"] == ","
    assert reading.table["id"][2] == "Müller-Lauf"
    assert reading.table["start_s"][0] == 1_772_352_000  # 2026-03-01T08:00:00Z, not 3 January


def test_zone_of_the_german_spreadsheet_is_asked(sample):
    keys = {question.key for question in sample("generic-jobs", SEMICOLON).unanswered}
    assert keys == {"time_zone", "submission"}


def test_both_spreadsheets_hold_the_same_work(sample):
    comma = sample("generic-jobs", COMMA).table
    semicolon = sample("generic-jobs", SEMICOLON, {"time_zone": "UTC"}).table
    for column in ("gpus", "elapsed_s", "start_s", "gpu_model", "price_per_gpu_h"):
        assert [str(v) for v in comma[column]] == [str(v) for v in semicolon[column]]


def test_hourly_and_monthly_prices_come_to_the_same_per_hour():
    text = "Karte;Preis je GPU (EUR);Einheit\ngpu;0,95;per hour\ngpu;693,50;per month\n"
    reading = read_text("generic-prices", text, {"column.gpu_model": "Karte", "scope.amount": "gpu"})
    assert reading.ready
    assert reading.table["per_hour"] == ["0.95", "0.95"]
    assert reading.table["amount"] == ["0.95", "693.50"]
    assert reading.table["unit"] == ["gpu-hour", "gpu-month"]
    assert any("730" in fact for fact in reading.facts)


def test_unit_of_a_price_is_asked_where_nothing_names_it():
    reading = read_text("generic-prices", "model,price,currency\nA100,1600,USD\n")
    assert [question.key for question in reading.unanswered] == ["unit.amount"]
    assert reading.table["per_hour"] == [None]


def test_currencies_are_kept_apart():
    reading = read_text("generic-prices", "model,price per gpu hour,currency\nA100,2.10,USD\nH100,3.90,EUR\n")
    assert reading.ready
    assert reading.totals["by_currency"] == {"EUR": 1, "USD": 1}
    assert any("never added" in fact for fact in reading.facts)


def test_a_dollar_sign_is_no_currency():
    reading = read_text("generic-prices", "model,price per gpu hour ($)\nA100,2.10\n")
    assert "currency" in {question.key for question in reading.unanswered}
