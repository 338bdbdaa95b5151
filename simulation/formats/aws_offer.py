"""One offer of the AWS price list: which of the many of a machine type is the plain Linux one, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.currency import is_code
from simulation.formats.machine_price import HOURS_PER_YEAR, machine, money, plain, priced
from simulation.formats.quantities import device_count

PLAIN = {
    "locationType": "AWS Region",
    "tenancy": "Shared",
    "operatingSystem": "Linux",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "licenseModel": "No License required",
}
"""What sets the plain offer of a machine apart from the dozens of others of its type."""

PURCHASES = {"OnDemand": "on-demand", "Reserved": "reserved"}
YEARS = {"1yr": 1, "3yr": 3}


@dataclass(slots=True)
class Offer:
    """Attributes by their names in the JSON form; `rates`: (unit, amount as written, currency)."""

    line: int
    attributes: Mapping[str, str]
    term: str
    terms: Mapping[str, str]
    published: str
    rates: list[tuple[str, str, str]] = field(default_factory=list)

    def reason_to_skip(self) -> str | None:
        """Why it is no plain Linux price of a GPU machine; None where it is one."""
        if self.attributes.get("gpu", "") in {"", "0", "NA"} or not self.attributes.get("instanceType"):
            return "no GPU machine"
        other = next((name for name, value in PLAIN.items() if self.attributes.get(name) != value), None)
        if other is not None:
            return f"{other} other than {PLAIN[other]}"
        return None if self.term in PURCHASES else f"terms of {self.term or 'no kind'}"


def price_of(offer: Offer) -> tuple[dict[str, Any], list[CellError]]:
    """The row of an offer; CellError where its rates are not those of a machine hour, or an upfront fee beside it."""
    gpus = device_count(offer.attributes["gpu"], "gpu")
    one = machine(offer.attributes["instanceType"], gpus)
    currencies = {currency for _, _, currency in offer.rates}
    if len(currencies) != 1 or not is_code(currency := currencies.pop()):
        raise CellError("pricePerUnit", ", ".join(sorted(currencies)), "one currency", "the currency is not clear")
    hourly, upfront = _amount(offer, "Hrs"), _amount(offer, "Quantity")
    if hourly is None and upfront is None:
        units = ", ".join(unit for unit, _, _ in offer.rates)
        raise CellError("unit", units, "Hrs, and Quantity for an upfront fee", "not the price of an hour")
    amount, formula = hourly or Decimal(0), ""
    if upfront:
        hours = YEARS.get(offer.terms.get("LeaseContractLength", ""), 0) * HOURS_PER_YEAR
        if not hours:
            found = offer.terms.get("LeaseContractLength", "")
            raise CellError("LeaseContractLength", found, ", ".join(YEARS), "the fee cannot be spread over a term")
        formula = f"{plain(amount)} + {plain(upfront)} upfront / {hours} h"
        amount += upfront / hours
    row = {
        **priced(one, amount, formula),
        "purchase": PURCHASES[offer.term],
        "currency": currency,
        "date": offer.published[:10] or None,
        "region": offer.attributes.get("regionCode") or offer.attributes.get("location") or None,
        "term": " ".join(value for value in offer.terms.values() if value) or None,
        "line": offer.line,
    }
    return row, list(one.oddities)


def _amount(offer: Offer, unit: str) -> Decimal | None:
    """The one amount in a unit; None where there is none."""
    found = [text for each, text, _ in offer.rates if each == unit]
    if len(found) > 1:
        raise CellError("unit", unit, "one rate a unit", "rates that depend on the amount used")
    return money(found[0], "pricePerUnit") if found else None
