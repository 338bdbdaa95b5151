"""AWS price list as JSON: an offer file, or the answer of `aws pricing get-products`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from simulation.formats.aws_offer import Offer, price_of
from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.json_source import read_json
from simulation.formats.machine_price import price_totals
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "aws-offer-json", "1"
LISTED = "PriceList"


def detect_aws_offer_json(text: str, filename: str) -> tuple[float, str]:
    if not text.lstrip().startswith("{"):
        return 0.0, ""
    if '"offerCode"' in text and '"products"' in text:
        return 0.95, "an AWS offer file"
    return (0.95, "the answer of aws pricing get-products") if f'"{LISTED}"' in text else (0.0, "")


def read_aws_offer_json(source: Source) -> Reading:
    """A record is one offer of one product; its place among them stands for the line."""
    collector = Collector("prices")
    skipped: Counter[str] = Counter()
    place = 0
    for place, (product, term, body, published) in enumerate(_offers(read_json(source), source), start=1):
        try:
            offer = _offer(place, product, term, body, published)
            reason = offer.reason_to_skip()
            if reason is None:
                row, oddities = price_of(offer)
                collector.keep(row, oddities, json.dumps(body))
            else:
                skipped[reason] += 1
                collector.skipped += 1
        except CellError as error:
            collector.reject(place, error, json.dumps(body))
    table = collector.table()
    facts = [
        *source.facts(),
        "Lines are places of offers in the file, from 1. Prices are of whole machines by the hour.",
    ]
    facts += skipped_words(skipped)
    totals = price_totals(table)
    return collector.reading(source, SLUG, VERSION, table, in_file=place, totals=totals, facts=facts)


def skipped_words(skipped: Counter[str]) -> list[str]:
    """Sentences on the offers that are none of a plain Linux GPU machine."""
    return [f"{n:,} offers skipped: {reason}." for reason, n in sorted(skipped.items())]


def _offers(document: Any, source: Source) -> Iterator[tuple[Any, str, Any, str]]:
    """(product, kind of terms, offer, publication date) of every offer; a product without one has none of them."""
    for products, terms, published in _lists(document, source):
        for sku, product in products.items():
            found = [
                (kind, offer)
                for kind, by_sku in terms.items()
                if isinstance(by_sku, dict)
                for offer in _values(by_sku.get(sku))
            ]
            for kind, offer in found or [("", {})]:
                yield product, kind, offer, published


def _lists(document: Any, source: Source) -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
    listed = document.get(LISTED) if isinstance(document, dict) else None
    for entry in [document] if listed is None else listed if isinstance(listed, list) else [None]:
        one = _parsed(entry, source)
        if isinstance(one, dict) and isinstance(one.get("product"), dict) and isinstance(one.get("terms"), dict):
            sku = str(one["product"].get("sku", ""))
            terms = {kind: {sku: offers} for kind, offers in one["terms"].items()}
            yield {sku: one["product"]}, terms, str(one.get("publicationDate", ""))
        elif isinstance(one, dict) and isinstance(one.get("products"), dict) and isinstance(one.get("terms"), dict):
            yield one["products"], one["terms"], str(one.get("publicationDate", ""))
        else:
            raise FormatError(source.name, value=str(one)[:40], expected="products and terms of an AWS offer file")


def _parsed(entry: Any, source: Source) -> Any:
    """get-products writes each product as a JSON string in a list."""
    if not isinstance(entry, str):
        return entry
    try:
        return json.loads(entry)
    except ValueError:
        raise FormatError(source.name, value=entry[:40], expected=f"JSON in each string of {LISTED}") from None


def _offer(place: int, product: Any, term: str, body: Any, published: str) -> Offer:
    try:
        attributes = {str(key): str(value) for key, value in product["attributes"].items()}
        if not body:
            return Offer(place, attributes, "", {}, published)
        rates = [
            (str(one["unit"]), str(amount), str(currency))
            for one in body["priceDimensions"].values()
            for currency, amount in one["pricePerUnit"].items()
        ]
        terms = {str(key): str(value) for key, value in (body.get("termAttributes") or {}).items()}
    except (AttributeError, KeyError, TypeError):
        raise CellError(None, str(product), "attributes, priceDimensions, pricePerUnit", "not an offer") from None
    order = ("LeaseContractLength", "PurchaseOption", "OfferingClass")
    return Offer(place, attributes, term, {key: terms.get(key, "") for key in order}, published, rates)


def _values(by_key: Any) -> list[Any]:
    return list(by_key.values()) if isinstance(by_key, dict) else []


FORMAT = Format(
    SLUG,
    "AWS price list, JSON",
    "prices",
    "the offer file of AmazonEC2 of one region, or aws pricing get-products",
    detect_aws_offer_json,
    read_aws_offer_json,
    reads="plain Linux prices of GPU machines: machine type, GPUs, hourly price on demand or reserved (the upfront fee "
    "spread over the term), currency, region, publication day; the GPU model comes from our catalogue",
    leaves="machines without GPU, other operating systems, tenancies and licences (counted by reason); spot prices and "
    "capacity blocks are not in this file",
    unknowns="a machine type that our catalogue does not have: which GPU model it has is asked",
)
