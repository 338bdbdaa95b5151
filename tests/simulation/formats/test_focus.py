"""FOCUS: four costs that are never mixed, hours of GPU machines, and the price of a GPU-hour that follows."""

from __future__ import annotations

from decimal import Decimal

import pytest

from simulation.formats.charges import unit_prices
from simulation.formats.errors import FormatError
from tests.simulation.formats.conftest import read_text

SAMPLE = "focus-csv/focus_sample_six_plain_rows.csv"
HEADER = (
    "ChargeCategory,ChargeClass,BilledCost,ListCost,ContractedCost,EffectiveCost,BillingCurrency,ConsumedQuantity,"
    "ConsumedUnit,PricingCategory,CommitmentDiscountStatus,ChargeDescription,ServiceCategory,ChargePeriodStart,"
    "ChargePeriodEnd\n"
)
ROW = (
    "Usage,NULL,2.00,4.00,3.00,1.00,USD,0.5,Hours,Standard,NULL,a p5.48xlarge hour,Compute,2024-09-27 15:00:00,"
    "2024-09-27 16:00:00\n"
)


def test_three_hours_of_one_a10g(sample):
    reading = sample("focus", SAMPLE)
    totals = reading.totals
    assert (totals["rows"], totals["gpu_rows"]) == (6, 3)
    assert Decimal(totals["gpu_costs"]["billed_cost"]["USD"]) == Decimal("1.624") + Decimal("0.480884264") + Decimal(
        "1.624"
    )
    assert [instance for instance in reading.table["instance"] if instance] == ["g5.4xlarge"] * 3
    (price,), left_out = unit_prices(reading.table, "billed_cost")
    assert (price.gpu_model, price.purchase, price.amount) == ("A10G", "on-demand", Decimal("1.624"))
    assert left_out == {"no GPU machine that we know": 3}


def test_rounded_costs_of_the_sample_are_told(sample):
    reading = sample("focus", SAMPLE)
    assert reading.totals["gpu_costs"]["effective_cost"] == {"USD": "4"}
    said = [fact for fact in reading.facts if "rounded to whole amounts" in fact]
    assert [fact.split(" ", 1)[0] for fact in said] == ["ContractedCost", "EffectiveCost"]


def test_null_is_unknown_and_not_0(sample):
    contracted = sample("focus", SAMPLE).table["contracted_cost"]
    assert contracted[4] is None
    assert read_text("focus", HEADER + ROW.replace("2.00", "NULL")).counts.warned == 1


@pytest.mark.parametrize(
    ("cost", "a_gpu_hour"), [("list_cost", 1), ("contracted_cost", Decimal("0.75")), ("billed_cost", Decimal("0.5"))]
)
def test_each_cost_gives_its_own_price(cost, a_gpu_hour):
    (price,), _ = unit_prices(read_text("focus", HEADER + ROW).table, cost)
    assert price.amount == a_gpu_hour  # half an hour of eight GPUs
    assert price.formula.endswith("USD / 4 GPU-h")


def test_spot_on_demand_and_commitments_are_kept_apart_and_unused_ones_left_out():
    rows = ROW + ROW.replace("Standard", "Dynamic") + ROW.replace("Standard,NULL", "Committed,Used")
    rows += ROW.replace("Standard,NULL", "Committed,Unused") + ROW.replace("Usage", "Tax")
    prices, left_out = unit_prices(read_text("focus", HEADER + rows).table, "billed_cost")
    assert {price.purchase for price in prices} == {"on-demand", "spot", "reserved"}
    assert left_out == {"a commitment that was not used": 1, "tax: not the use of a machine": 1}


def test_currencies_are_never_added():
    reading = read_text("focus", HEADER + ROW + ROW.replace("USD", "EUR"))
    assert reading.totals["gpu_costs"]["billed_cost"] == {"EUR": "2", "USD": "2"}
    assert {price.currency for price in unit_prices(reading.table, "billed_cost")[0]} == {"EUR", "USD"}


def test_hours_are_never_read_from_another_unit():
    _, left_out = unit_prices(read_text("focus", HEADER + ROW.replace("Hours", "GB-Months")).table, "billed_cost")
    assert left_out == {"not counted in hours": 1}


def test_the_smallest_costs_are_kept_in_full():
    reading = read_text("focus", HEADER + ROW.replace("2.00", "1.5E-12") + ROW.replace("2.00", "0.00000000000"))
    assert reading.table["billed_cost"] == ["0.0000000000015", "0"]


def test_a_credit_is_a_cost_below_0():
    reading = read_text("focus", HEADER + ROW.replace("2.00", "-2.00").replace("Usage", "Credit"))
    assert reading.table["billed_cost"] == ["-2"]


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        ("2.00", "NaN2", "BilledCost"),
        ("2.00", "1e999", "BilledCost"),
        ("2.00", "=1+1", "BilledCost"),
        ("USD", "$", "BillingCurrency"),
        ("16:00:00", "15:00:00", "ChargePeriodEnd"),
        ("2024-09-27 15", "2024-02-30 15", "ChargePeriodStart"),
        ("0.5,Hours", "half,Hours", "ConsumedQuantity"),
    ],
)
def test_rows_that_cannot_be_are_refused(old, new, column):
    reading = read_text("focus", HEADER + ROW + ROW.replace(old, new))
    assert (len(reading.table), [issue.column for issue in reading.rejected]) == (1, [column])


def test_a_row_that_is_cut_off_is_refused_and_a_repeated_one_told():
    reading = read_text("focus", HEADER + ROW + ROW + ROW[:50])
    assert (len(reading.table), reading.counts.rejected, reading.totals["equal_rows"]) == (2, 1, 1)


def test_columns_may_stand_in_any_order_but_must_be_there():
    names, cells = HEADER.strip().split(","), ROW.strip().split(",")
    turned = ",".join(names[::-1]) + "\n" + ",".join(cells[::-1]) + "\n"
    assert read_text("focus", turned).table["billed_cost"] == ["2"]
    with pytest.raises(FormatError, match="BillingCurrency"):
        read_text("focus", HEADER.replace("BillingCurrency", "Money") + ROW)
