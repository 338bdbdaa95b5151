"""One SKU of Google Cloud Billing: what its description prices, in which class and where."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.currency import is_code

PURCHASES = {"OnDemand": "on-demand", "Preemptible": "spot", "Commit1Yr": "reserved", "Commit3Yr": "reserved"}
TERMS = {"Commit1Yr": "1 year", "Commit3Yr": "3 years"}
UNITS = {"GPU": "h", "Core": "h", "Ram": "GiBy.h"}
NANO = Decimal("1e-9")
_GPU = re.compile(r"Nvidia (?:Tesla )?(\w[\w ]*?) GPU\b")
_PART = re.compile(r"\b([A-Z]\d\w?) Instance (Core|Ram)\b")


@dataclass(frozen=True, slots=True)
class Sku:
    """`part`: GPU, Core or Ram. `model`: of a GPU; `family`: of the machines that cores or memory belong to."""

    place: int
    part: str
    model: str
    family: str
    usage: str
    regions: tuple[str, ...]
    amount: Decimal
    currency: str
    since: str
    description: str
    raw: str

    def goes_with(self, gpu: Sku, family: str, part: str) -> bool:
        """Whether it prices a part of the machines of `family` in the class, currency and regions of a GPU."""
        same = (self.usage, self.currency) == (gpu.usage, gpu.currency)
        return same and (self.family, self.part) == (family, part) and set(gpu.regions) <= set(self.regions)

    def columns(self) -> dict[str, Any]:
        """Class, currency, day, regions and line of a row of the prices table."""
        return {
            "purchase": PURCHASES[self.usage],
            "currency": self.currency,
            "date": self.since[:10] or None,
            "region": ", ".join(self.regions) or None,
            "term": TERMS.get(self.usage),
            "line": self.place,
        }


def sku_of(entry: Any, place: int) -> Sku | str:
    """The SKU, or why it is not one of GPUs, cores or memory; CellError where it is damaged."""
    try:
        description, usage = str(entry["description"]), str(entry["category"]["usageType"])
        gpu, part = _GPU.search(description), _PART.search(description)
        if gpu is None and part is None:
            return "neither GPU nor core nor memory"
        if usage not in PURCHASES:
            return f"usage type {usage}"
        kind = "GPU" if gpu else part[2] if part else ""
        amount, currency, since = _rate(entry["pricingInfo"], UNITS[kind])
        regions = tuple(str(region) for region in entry["serviceRegions"])
    except (AttributeError, IndexError, KeyError, TypeError):
        raise CellError(None, str(entry), "a SKU with description, category, pricingInfo", "not a SKU") from None
    model, family = gpu[1] if gpu else "", part[1] if part and not gpu else ""
    return Sku(place, kind, model, family, usage, regions, amount, currency, since, description, json.dumps(entry))


def _rate(pricing: Any, unit: str) -> tuple[Decimal, str, str]:
    """(amount, currency, since when) of the newest prices; a free first tier is no price."""
    newest = pricing[-1]
    expression = newest["pricingExpression"]
    if expression["usageUnit"] != unit:
        raise CellError("usageUnit", str(expression["usageUnit"]), unit, "not the price of an hour")
    rates = [(_money(rate["unitPrice"]), str(rate["unitPrice"]["currencyCode"])) for rate in expression["tieredRates"]]
    paid = [rate for rate in rates if rate[0] > 0]
    if len(paid) != 1:
        raise CellError("tieredRates", str(len(paid)), "one paid rate", "a price that depends on the amount used")
    amount, currency = paid[0]
    if not is_code(currency):
        raise CellError("currencyCode", currency, "an ISO code such as USD", "the currency is not known")
    return amount, currency, str(newest.get("effectiveTime", ""))


def _money(price: dict[str, Any]) -> Decimal:
    """Whole units (text, missing for 0) and billionths."""
    units, nanos = str(price.get("units") or "0"), str(price.get("nanos") or "0")
    if not re.fullmatch(r"\d{1,12}", units) or not re.fullmatch(r"\d{1,9}", nanos):
        raise CellError("unitPrice", f"{units} and {nanos}", "units and nanos of 0 or more", "not an amount")
    return Decimal(units) + Decimal(nanos) * NANO
