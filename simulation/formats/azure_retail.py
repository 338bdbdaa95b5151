"""Azure Retail Prices: items of virtual machines, on demand, spot, low priority or reserved for a term."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.currency import is_code
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.json_source import read_json
from simulation.formats.machine_price import HOURS_PER_YEAR, known_machine, machine, money, plain, price_totals, priced
from simulation.formats.quantities import decimal
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "azure-retail", "1"
GPU_SERIES = re.compile(r"standard_n[cdgvp]", re.IGNORECASE)
"""Azure's GPU machines are the N families: NC, ND, NG, NP (FPGA, no GPU: see `NO_GPU`), NV."""
NO_GPU = re.compile(r"standard_np", re.IGNORECASE)


def detect_azure_retail(text: str, filename: str) -> tuple[float, str]:
    fits = text.lstrip().startswith("{") and '"Items"' in text and '"armSkuName"' in text
    return (0.95, "a page of Azure Retail Prices") if fits else (0.0, "")


def read_azure_retail(source: Source) -> Reading:
    """A record is one item; classes are kept apart, as machines of all of them share one name."""
    document = read_json(source)
    items = document.get("Items") if isinstance(document, dict) else None
    if not isinstance(items, list):
        raise FormatError(source.name, line=1, expected="an object with a list of Items")
    collector, skipped = Collector("prices"), Counter[str]()
    for place, item in enumerate(items, start=1):
        raw = json.dumps(item)
        try:
            if (reason := _reason_to_skip(_texts(item))) is None:
                row, oddities = _price(_texts(item), place)
                collector.keep(row, oddities, raw)
            else:
                skipped[reason] += 1
                collector.skipped += 1
        except CellError as error:
            collector.reject(place, error, raw)
    table = collector.table()
    facts = [*source.facts(), "Lines are places in the list of items, from 1. Prices are of whole machines."]
    facts += [f"{n:,} items skipped: {reason}." for reason, n in sorted(skipped.items())]
    if document.get("NextPageLink"):
        facts.append("This is not the last page: what is on the next ones is not in this file.")
    totals = price_totals(table)
    return collector.reading(source, SLUG, VERSION, table, in_file=len(items), totals=totals, facts=facts)


def _texts(item: Any) -> dict[str, str]:
    if not isinstance(item, dict):
        raise CellError(None, str(item), "an object with armSkuName and retailPrice", "not an item")
    return {str(key): "" if value is None else str(value) for key, value in item.items()}


def _reason_to_skip(item: dict[str, str]) -> str | None:
    name = item.get("armSkuName", "")
    if item.get("serviceName", "Virtual Machines") != "Virtual Machines" or not name:
        return "no virtual machine"
    if known_machine(name) is None and (NO_GPU.match(name) or not GPU_SERIES.match(name)):
        return "no GPU machine"
    if item.get("isPrimaryMeterRegion") == "False":
        return "repeats a meter of another region"
    if "Windows" in item.get("productName", ""):
        return "Windows"
    return None if item.get("type") in {"Consumption", "Reservation"} else f"type {item.get('type') or 'not stated'}"


def _price(item: dict[str, str], place: int) -> tuple[dict[str, Any], list[CellError]]:
    one, currency = machine(item["armSkuName"]), item.get("currencyCode", "")
    if not is_code(currency):
        raise CellError("currencyCode", currency, "an ISO code such as USD", "the currency is not known")
    if item.get("unitOfMeasure") != "1 Hour":
        raise CellError("unitOfMeasure", item.get("unitOfMeasure", ""), "1 Hour", "not the price of an hour")
    if float(decimal(item.get("tierMinimumUnits") or "0", "tierMinimumUnits")) != 0:
        raise CellError("tierMinimumUnits", item["tierMinimumUnits"], "0", "a price that depends on the amount used")
    amount, formula = money(item.get("retailPrice", ""), "retailPrice"), ""
    term = item.get("reservationTerm", "")
    if item["type"] == "Reservation":
        amount, formula = _of_an_hour(amount, term)
    row = {
        **priced(one, amount, formula),
        "purchase": _purchase(item),
        "currency": currency,
        "date": item.get("effectiveStartDate", "")[:10] or None,
        "region": item.get("armRegionName") or None,
        "term": term or None,
        "line": place,
    }
    return row, list(one.oddities)


def _of_an_hour(amount: Decimal, term: str) -> tuple[Decimal, str]:
    """A reservation's price is for the whole term, though its unit says 1 Hour."""
    years = re.fullmatch(r"([135]) Years?", term)
    if years is None:
        raise CellError("reservationTerm", term, "1 Year, 3 Years or 5 Years", "the price cannot be spread over a term")
    hours = int(years[1]) * HOURS_PER_YEAR
    return amount / hours, f"{plain(amount)} for {term} / {hours} h"


def _purchase(item: dict[str, str]) -> str:
    if item["type"] == "Reservation":
        return "reserved"
    words = f"{item.get('skuName', '')} {item.get('meterName', '')}"
    if "Spot" in words:
        return "spot"
    return "low-priority" if "Low Priority" in words else "on-demand"


FORMAT = Format(
    SLUG,
    "Azure retail prices",
    "prices",
    "a page of prices.azure.com/api/retail/prices",
    detect_azure_retail,
    read_azure_retail,
    reads="Linux prices of GPU machines: machine type, hourly price on demand, spot, low priority or reserved (the "
    "price of the term by its hours), currency, region, since when; GPUs and model come from our catalogue",
    leaves="other services, machines without GPU, Windows, DevTest (counted by reason); savings plans; other pages",
    unknowns="a machine type that our catalogue does not have: its GPUs and their model are asked; a class that no "
    "pool can have (low priority): listed, and no price",
)
