"""Azure Retail Prices: classes stay apart, and a reservation's price is that of its term."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulation.formats.errors import FormatError
from tests.simulation.formats.conftest import read_text

ITEM: dict[str, Any] = {
    "currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": 98.32, "armRegionName": "eastus",
    "effectiveStartDate": "2026-01-01T00:00:00Z", "meterName": "ND96isr H100 v5", "skuName": "ND96isr H100 v5",
    "productName": "Virtual Machines NDsr H100 v5 Series", "serviceName": "Virtual Machines",
    "unitOfMeasure": "1 Hour", "type": "Consumption", "isPrimaryMeterRegion": True,
    "armSkuName": "Standard_ND96isr_H100_v5",
}  # fmt: skip


def page(*changes: dict[str, Any], **more: Any):
    return read_text("azure-retail", json.dumps({"Items": [ITEM | change for change in changes], **more}))


def test_two_machines_cost_12_29_and_4_09625_a_gpu(sample):
    table = sample("azure-retail", "azure-retail-json/h100_and_a100_consumption.json").table
    assert table["per_gpu_hour"] == ["12.29", "4.09625"]
    assert table["gpu_model"] == ["H100-SXM5-80GB", "A100-SXM4-80GB"]
    assert {*table["purchase"], *table["currency"], *table["region"]} == {"on-demand", "USD", "eastus"}


def test_spot_is_not_low_priority():
    spot, low = (
        {"skuName": "ND96isr H100 v5 Spot", "retailPrice": 29.5},
        {"skuName": "x Low Priority", "retailPrice": 19.7},
    )
    table = page(low, spot, {}).table
    assert dict(zip(table["purchase"], table["amount"], strict=True)) == {
        "low-priority": "19.7", "spot": "29.5", "on-demand": "98.32",
    }  # fmt: skip


def test_the_price_of_a_reservation_is_that_of_its_term():
    table = page({"type": "Reservation", "reservationTerm": "3 Years", "retailPrice": 1_051_200.0}).table
    assert (table["per_hour"], table["per_gpu_hour"], table["term"]) == (["40"], ["5"], ["3 Years"])
    assert "26280 h" in table["formula"][0]


@pytest.mark.parametrize(
    ("change", "column"),
    [({"retailPrice": -1.0}, "retailPrice"), ({"retailPrice": "free"}, "retailPrice"),
     ({"retailPrice": None}, "retailPrice"),
     ({"currencyCode": "$"}, "currencyCode"), ({"unitOfMeasure": "1 Month"}, "unitOfMeasure"),
     ({"tierMinimumUnits": 100.0}, "tierMinimumUnits"), ({"type": "Reservation"}, "reservationTerm")],
)  # fmt: skip
def test_items_that_cannot_be_an_hourly_price_are_refused(change, column):
    reading = page({}, change)
    assert (len(reading.table), [issue.column for issue in reading.rejected]) == (1, [column])


@pytest.mark.parametrize(
    "change",
    [{"productName": "Virtual Machines NDsr H100 v5 Series Windows"}, {"armSkuName": "Standard_D4s_v5"},
     {"armSkuName": "Standard_NP10s"}, {"type": "DevTestConsumption"}, {"serviceName": "Storage"},
     {"isPrimaryMeterRegion": False}],
)  # fmt: skip
def test_items_of_another_kind_are_skipped_and_counted(change):
    reading = page({}, change)
    assert (len(reading.table), reading.counts.skipped) == (1, 1)
    assert any(fact.startswith("1 items skipped") for fact in reading.facts)


def test_a_machine_that_the_catalogue_has_not_has_no_price_of_a_gpu():
    row = page({"armSkuName": "Standard_NC999_X9_v9"}).table.row(0)
    assert (row["gpus_per_node"], row["per_gpu_hour"], row["gpu_model"]) == (None, None, "Standard_NC999_X9_v9")


def test_further_pages_are_told():
    assert any("not the last page" in fact for fact in page({}, NextPageLink="https://example.org/2").facts)


@pytest.mark.parametrize("content", ["[]", '{"Items": {}}', '{"Items": [', '{"Items": [NaN]}'])
def test_a_file_of_another_layout_or_cut_off_is_refused(content):
    with pytest.raises(FormatError):
        read_text("azure-retail", content)


def test_a_damaged_item_refuses_its_row_alone():
    reading = read_text("azure-retail", json.dumps({"Items": [ITEM, 3, None]}))
    assert (len(reading.table), [issue.line for issue in reading.rejected]) == (1, [2, 3])
