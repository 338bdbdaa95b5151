"""Google Cloud SKUs: a machine costs the sum of its parts, line by line; the GPU alone is not what an hour costs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulation.formats.errors import FormatError
from tests.simulation.formats.conftest import read_text

CHOSEN = {"machine.A100": "a2-highgpu-1g"}


def sku(description: str, unit: str, units: str, nanos: int, usage: str = "OnDemand", **more: Any) -> dict[str, Any]:
    rate = {"startUsageAmount": 0, "unitPrice": {"currencyCode": "USD", "units": units, "nanos": nanos}}
    return {
        "description": description,
        "category": {"usageType": usage},
        "serviceRegions": ["us-central1"],
        "pricingInfo": [
            {"pricingExpression": {"usageUnit": unit, "tieredRates": [rate]}, "effectiveTime": "2026-01-01T0"}
        ],
        **more,
    }


GPU = sku("Nvidia Tesla A100 GPU running in Americas", "h", "2", 900_000_000)
CORE = sku("A2 Instance Core running in Americas", "h", "0", 30_000_000)
RAM = sku("A2 Instance Ram running in Americas", "GiBy.h", "0", 4_000_000)


def skus(*entries: Any, answers: dict[str, str] | None = None):
    return read_text("gcp-skus", json.dumps({"skus": list(entries)}), CHOSEN if answers is None else answers)


def test_a_machine_costs_the_sum_of_gpu_cores_and_memory(sample):
    path = "gcp-sku-json/a100_gpu_core_ram_on_demand.json"
    assert [question.key for question in sample("gcp-skus", path).unanswered] == ["machine.A100"]
    reading = sample("gcp-skus", path, CHOSEN)
    row = reading.table.row(0)
    assert (row["per_hour"], row["per_gpu_hour"], row["gpu_model"]) == ("3.673385", "3.673385", "A100-SXM4-40GB")
    assert row["formula"].startswith("1 GPU x 2.933908 + 12 vCPU x 0.031611 + 85 GiB x 0.004237 = 3.673385")
    assert (reading.counts.folded, row["date"]) == (2, "2023-03-24")


def test_the_sum_of_a_machine_with_eight():
    row = skus(GPU, CORE, RAM, answers={"machine.A100": "a2-highgpu-8g"}).table.row(0)
    assert (row["per_hour"], row["per_gpu_hour"]) == ("28.8", "3.6")  # 8 x 2.9 + 96 x 0.03 + 680 x 0.004


def test_without_the_price_of_its_cores_a_machine_has_none():
    reading = skus(GPU, RAM)
    assert (len(reading.table), reading.rejected[0].reason) == (0, "no price of core to add")


def test_parts_of_another_class_or_region_are_not_added():
    spot = sku("A2 Instance Core running in Americas", "h", "0", 1, "Preemptible")
    far = sku("A2 Instance Core running in Asia", "h", "0", 1, serviceRegions=["asia-east1"])
    reading = skus(GPU, spot, far, RAM)
    assert len(reading.table) == 0
    assert reading.counts.in_file == 4


def test_the_gpu_alone_is_said_to_be_alone():
    row = skus(GPU, answers={"machine.A100": "gpu-alone"}).table.row(0)
    assert (row["unit"], row["per_hour"], row["formula"]) == ("gpu-hour", "2.9", "GPU alone")


def test_a_free_first_tier_is_no_price_and_missing_units_are_0():
    tiered = json.loads(json.dumps(RAM))
    rates = tiered["pricingInfo"][0]["pricingExpression"]["tieredRates"]
    rates.insert(0, {"startUsageAmount": 0, "unitPrice": {"currencyCode": "USD", "nanos": 0}})
    del rates[1]["unitPrice"]["units"]
    assert skus(GPU, CORE, tiered).table["per_hour"] == ["3.6"]


@pytest.mark.parametrize(
    ("change", "column"),
    [(("units", "-2"), "unitPrice"), (("units", "two"), "unitPrice"), (("nanos", 1e12), "unitPrice"),
     (("currencyCode", "?"), "currencyCode")],
)  # fmt: skip
def test_amounts_that_cannot_be_are_refused(change, column):
    broken = json.loads(json.dumps(GPU))
    price = broken["pricingInfo"][0]["pricingExpression"]["tieredRates"][0]["unitPrice"]
    price[change[0]] = change[1]
    assert skus(broken, CORE, RAM).rejected[0].column == column


def test_another_unit_is_refused_and_another_thing_skipped():
    monthly = sku("Nvidia Tesla A100 GPU running in Americas", "mo", "2", 0)
    disk = sku("Storage PD Capacity", "GiBy.mo", "0", 40_000_000)
    reading = skus(GPU, CORE, RAM, monthly, disk, {"skus": 1}, 7)
    assert [issue.column for issue in reading.rejected] == ["usageUnit", None, None]
    assert reading.counts.skipped == 1


@pytest.mark.parametrize("content", ["[]", '{"skus": {}}', '{"skus": [{', '{"skus": [Infinity]}'])
def test_a_file_of_another_layout_or_cut_off_is_refused(content):
    with pytest.raises(FormatError):
        read_text("gcp-skus", content)
