"""AWS price list in both forms: the plain Linux price of a machine, by its GPUs; everything else is counted."""

from __future__ import annotations

import copy
import json
from decimal import Decimal
from typing import Any

import pytest

from simulation.formats.errors import FormatError
from tests.simulation.formats.conftest import read_text

ATTRIBUTES = {
    "instanceType": "p5.48xlarge", "location": "US East (N. Virginia)", "locationType": "AWS Region",
    "regionCode": "us-east-1", "tenancy": "Shared", "operatingSystem": "Linux", "preInstalledSw": "NA",
    "capacitystatus": "Used", "licenseModel": "No License required", "gpu": "8",
}  # fmt: skip


def document(attributes: dict[str, str] | None = None, *, price: str = "55.04", **reserved: Any) -> dict[str, Any]:
    hour = {"r1": {"unit": "Hrs", "pricePerUnit": {"USD": price}}}
    terms: dict[str, Any] = {"OnDemand": {"S": {"S.T": {"priceDimensions": hour}}}}
    if reserved:
        terms = {"Reserved": {"S": {"S.R": reserved}}}
    return {
        "offerCode": "AmazonEC2",
        "publicationDate": "2026-07-20T00:00:00Z",
        "products": {"S": {"sku": "S", "attributes": ATTRIBUTES | (attributes or {})}},
        "terms": terms,
    }


def offer(*args: Any, **kwargs: Any):
    return read_text("aws-offer-json", json.dumps(document(*args, **kwargs)))


def test_three_gpu_machines_as_json(sample):
    reading = sample("aws-offer-json", "aws-price-list/offer_three_gpu_instances.json")
    table = reading.table
    assert dict(zip(table["gpu_model"], table["per_gpu_hour"], strict=True)) == {
        "A100-SXM4-40GB": "2.74470525", "H100-SXM5-80GB": "6.88", "A10G": "1.624",
    }  # fmt: skip
    assert {*table["purchase"], *table["currency"], *table["region"], *table["unit"]} == {
        "on-demand", "USD", "us-east-1", "node-hour",
    }  # fmt: skip
    assert table["formula"][0] == "21.957642 / 8 GPUs = 2.74470525"
    assert reading.counts.warned == 0  # GPUs of the list agree with the catalogue


def test_two_gpu_machines_as_csv_behind_five_lines_of_metadata(sample):
    reading = sample("aws-offer-csv", "aws-price-list/offer_two_gpu_instances.csv")
    table = reading.table
    assert dict(zip(table["instance"], table["per_gpu_hour"], strict=True)) == {
        "p5.48xlarge": "6.88", "g5.12xlarge": "1.418",
    }  # fmt: skip
    assert [Decimal(price) for price in table["amount"]] == [Decimal("55.04"), Decimal("5.672")]
    assert table["date"] == ["2026-07-20"] * 2
    assert reading.counts.skipped == 6


@pytest.mark.parametrize(
    "other",
    [{"tenancy": "Dedicated"}, {"operatingSystem": "Windows"}, {"preInstalledSw": "SQL Std"}, {"gpu": "0"},
     {"capacitystatus": "UnusedCapacityReservation"}, {"locationType": "AWS Local Zone"}, {"instanceType": ""}],
)  # fmt: skip
def test_offers_of_another_kind_are_skipped_and_counted(other):
    many = document()
    many["products"]["X"] = {"sku": "X", "attributes": ATTRIBUTES | other}
    many["terms"]["OnDemand"]["X"] = copy.deepcopy(many["terms"]["OnDemand"]["S"])
    reading = read_text("aws-offer-json", json.dumps(many))
    assert (len(reading.table), reading.counts.skipped) == (1, 1)
    assert any(fact.startswith("1 offers skipped") for fact in reading.facts)


def test_an_upfront_fee_is_spread_over_its_term():
    fee = {
        "r1": {"unit": "Hrs", "pricePerUnit": {"USD": "20"}},
        "r2": {"unit": "Quantity", "pricePerUnit": {"USD": "87600"}},
    }
    terms = {"LeaseContractLength": "1yr", "PurchaseOption": "Partial Upfront", "OfferingClass": "standard"}
    row = offer(priceDimensions=fee, termAttributes=terms).table.row(0)
    assert (row["purchase"], row["per_hour"], row["per_gpu_hour"]) == ("reserved", "30", "3.75")
    assert row["term"] == "1yr Partial Upfront standard"
    assert "87600 upfront / 8760 h" in row["formula"]


def test_the_fee_of_the_csv_form_is_folded_into_its_hour(shared_dir):
    text = (shared_dir / "samples/aws-price-list/offer_two_gpu_instances.csv").read_text()
    hour = text.splitlines()[6].replace("OnDemand", "Reserved").replace('"USD","",""', '"USD","3yr","All Upfront"')
    fee = hour.replace('"Hrs","55.0400000000"', '"Quantity","262800"')
    body = "\n".join([*text.splitlines()[:6], hour.replace("55.0400000000", "0"), fee]) + "\n"
    reading = read_text("aws-offer-csv", body)
    assert (reading.table["per_hour"], reading.counts.folded) == (["10"], 1)


def test_a_fee_without_a_term_is_refused():
    fee = {"r2": {"unit": "Quantity", "pricePerUnit": {"USD": "87600"}}}
    assert offer(priceDimensions=fee).rejected[0].column == "LeaseContractLength"


@pytest.mark.parametrize(
    ("price", "reason"),
    [("-1", "a negative price"), ("NaN", "not a number"), ("1e999", "beyond all measure"), ("=1+1", "not a number")],
)
def test_prices_that_cannot_be_are_refused(price, reason):
    assert offer(price=price).rejected[0].reason == reason


@pytest.mark.parametrize("gpu", ["-8", "0.125", "many", "99999999999"])
def test_gpus_that_cannot_be_are_refused(gpu):
    assert offer({"gpu": gpu}).rejected[0].column == "gpu"


def test_gpus_that_the_catalogue_counts_otherwise_are_told():
    reading = offer({"gpu": "4"})
    assert (reading.table["gpus_per_node"], reading.counts.warned) == ([4], 1)


def test_a_machine_that_the_catalogue_has_not_keeps_its_name_as_model():
    row = offer({"instanceType": "p9.metal"}).table.row(0)
    assert (row["gpu_model"], row["gpus_per_node"]) == ("p9.metal", 8)


def test_the_answer_of_get_products_is_a_list_of_texts():
    one = document()
    entry = {"product": one["products"]["S"], "terms": {"OnDemand": one["terms"]["OnDemand"]["S"]}}
    reading = read_text("aws-offer-json", json.dumps({"PriceList": [json.dumps(entry)]}))
    assert reading.table["per_gpu_hour"] == ["6.88"]
    with pytest.raises(FormatError, match="JSON in each string"):
        read_text("aws-offer-json", json.dumps({"PriceList": ["{oops"]}))


@pytest.mark.parametrize("content", ["[]", '{"products": []}', '{"PriceList": [3]}', '{"offerCode": "x", "products"'])
def test_a_file_of_another_layout_or_cut_off_is_refused(content):
    with pytest.raises(FormatError):
        read_text("aws-offer-json", content)


def test_two_currencies_in_one_rate_are_refused():
    rate = {"r1": {"unit": "Hrs", "pricePerUnit": {"USD": "1", "CNY": "7"}}}
    reading = offer(priceDimensions=rate, termAttributes={})
    assert reading.rejected[0].reason == "the currency is not clear"
