"""The currency of a price sheet that is imported: one, and for any but USD a dated rate that somebody types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from planner.catalog.documents import DocumentError
from planner.catalog.money import PriceEntry
from planner.catalog.services_entry import Tariff, price_document
from simulation.formats.interview import Interview
from simulation.formats.reading import Question
from simulation.provenance import Origin


def ask_tariff(interview: Interview, currencies: Iterable[str | None]) -> Tariff | None:
    """The sheet's currency and rate; None while one is open. Mixed currencies are refused, never converted alike."""
    named = sorted({currency for currency in currencies if currency})
    if len(named) > 1:
        raise interview.refusal("currency", " and ".join(named), "one currency in a price sheet; split the file")
    currency = named[0] if named else interview.ask(
        Question("currency", "In which currency are these prices?", "text", (("USD", "USD"), ("EUR", "EUR")), None,
                 "amounts without a currency cannot be added to others")
    )  # fmt: skip
    if not currency:
        return None
    if currency == "USD":
        return Tariff()
    rate = interview.ask(
        Question("rate", f"How many USD is 1 {currency}?", "text", (), None, "costs are counted in USD")
    )
    date = interview.ask(
        Question("rate_date", "On which date?", "text", (), None, "a rate without a date cannot be checked")
    )
    if not rate or not date:
        return None
    try:
        return Tariff(currency=currency, rate_usd=Decimal(rate.strip().replace(",", ".")), rate_date=date.strip())
    except ArithmeticError:
        raise interview.refusal("rate", rate, "a number such as 1.08") from None


def sheet(interview: Interview, entries: Sequence[PriceEntry], tariff: Tariff, origin: Origin) -> dict[str, Any]:
    """The document of a price sheet; FormatError where an entry cannot be priced."""
    try:
        return price_document(entries, tariff, origin)
    except DocumentError as error:
        raise interview.refusal("prices", "", str(error)) from None
