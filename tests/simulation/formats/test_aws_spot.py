"""Spot prices: a step function, averaged by time and kept whole."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.quotes import series_of, time_mean
from tests.simulation.formats.conftest import read_text

DAY = 1_772_323_200.0  # 2026-03-01T00:00:00Z


def change(price: str, at: str = "2026-03-01T00:00:00+00:00", **more: Any) -> dict[str, Any]:
    base = {"AvailabilityZone": "us-east-1a", "InstanceType": "p4d.24xlarge", "ProductDescription": "Linux/UNIX"}
    return {**base, "SpotPrice": price, "Timestamp": at, **more}


def history(*changes: Any, answers: dict[str, str] | None = None):
    return read_text("aws-spot", json.dumps({"SpotPriceHistory": list(changes)}), answers)


def test_one_day_costs_9_50_by_time_and_not_9_75_by_rows(sample):
    reading = sample("aws-spot", "aws-spot-history/p4d_one_zone_one_day.json")
    (figures,) = reading.totals["series"].values()
    assert (figures["per_machine_hour"], figures["per_gpu_hour"]) == ("9.5", "1.1875")
    assert sum(Decimal(price) for price in reading.table["amount"]) / 4 == Decimal("9.75")
    (series,) = series_of(reading.table)
    assert time_mean(series.per_machine, DAY, DAY + 86_400) == Decimal("9.5")
    assert reading.table["currency"] == ["USD"] * 4


def test_the_series_is_kept_whole_as_steps_from_an_origin(sample):
    (series,) = series_of(sample("aws-spot", "aws-spot-history/p4d_one_zone_one_day.json").table)
    assert series.steps(DAY) == [
        (0.0, Decimal("1.25")), (21_600.0, Decimal("1")), (64_800.0, Decimal("1.5")), (86_400.0, Decimal("1.125")),
    ]  # fmt: skip
    assert series.steps(DAY + 3600)[:2] == [(0.0, Decimal("1.25")), (18_000.0, Decimal("1"))]
    with pytest.raises(ValueError, match="no price before"):
        series.steps(DAY - 1)


def test_zones_and_products_are_never_mixed():
    reading = history(
        change("9"), change("5", AvailabilityZone="us-east-1b"), change("8", ProductDescription="Windows")
    )
    assert len(series_of(reading.table)) == 3
    assert reading.counts.folded == 0


def test_the_same_change_twice_counts_once_and_two_prices_at_one_instant_are_refused():
    reading = history(change("9"), change("9"), change("8"))
    assert (len(reading.table), reading.counts.folded, reading.counts.rejected) == (1, 1, 1)


def test_a_single_price_is_its_own_mean():
    (figures,) = history(change("9")).totals["series"].values()
    assert (figures["per_machine_hour"], figures["start_s"]) == ("9", figures["end_s"])


def test_a_machine_that_the_catalogue_has_not_has_no_price_of_a_gpu():
    reading = history(change("9", InstanceType="p9.metal"))
    (series,) = series_of(reading.table)
    assert (reading.table["per_gpu_hour"], series.per_gpu) == ([None], None)
    with pytest.raises(ValueError, match="GPUs unknown"):
        series.steps(DAY)


@pytest.mark.parametrize(
    ("broken", "column"),
    [
        (change("-1"), "SpotPrice"),
        (change("NaN"), "SpotPrice"),
        (change("1e400"), "SpotPrice"),
        (change(""), "SpotPrice"),
        (change("=1"), "SpotPrice"),
        (change("9", "2026-02-30T00:00:00Z"), "Timestamp"),
        (change("9", ""), "Timestamp"),
        (change("9", "1970-01-01T00:00:00Z"), "Timestamp"),
        (change("9", InstanceType=None), "InstanceType"),
        (7, None),
    ],
)
def test_changes_that_cannot_be_are_refused(broken, column):
    reading = history(change("9"), broken)
    assert (len(reading.table), [issue.column for issue in reading.rejected]) == (1, [column])


@pytest.mark.parametrize("content", ["[]", '{"SpotPriceHistory": 3}', '{"SpotPriceHistory": [{"Avail'])
def test_a_file_of_another_layout_or_cut_off_is_refused(content):
    with pytest.raises(FormatError):
        read_text("aws-spot", content)


def test_the_currency_may_be_answered_and_must_be_a_code():
    assert history(change("9"), answers={"currency": "CNY"}).table["currency"] == ["CNY"]
    with pytest.raises(FormatError, match="ISO code"):
        history(change("9"), answers={"currency": "$"})
