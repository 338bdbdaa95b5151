"""Any spreadsheet with a row a price: amount, unit and currency are kept, the hourly amount beside."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.currency import ask_currency, currency_of
from simulation.formats.delimited import Record
from simulation.formats.format import Format
from simulation.formats.generic_detect import sheet_confidence
from simulation.formats.generic_rows import TypedRows, Values
from simulation.formats.interview import Interview
from simulation.formats.mapping import Field, Mapped, ask_mapping, plain_header
from simulation.formats.reading import Question, Reading
from simulation.formats.sheet import ANY_SHEET, SHEET_LEAVES, Sheet, read_sheet
from simulation.formats.source import Source
from simulation.formats.tables import Table

SLUG, VERSION = "generic-prices", "1"
HOURS_PER_MONTH = 730
UNITS = (
    ("gpu-hour", "per GPU and hour"),
    ("node-hour", "per node and hour"),
    ("gpu-month", f"per GPU and month of {HOURS_PER_MONTH} h"),
    ("node-month", f"per node and month of {HOURS_PER_MONTH} h"),
)
FIELDS = (
    Field(
        "amount",
        "the amount",
        "money",
        r"\b(price|preis|prix|amount|betrag|montant|tarif|rate|cost|kosten|cout)\b",
        True,
    ),
    Field(
        "gpu_model",
        "the GPU model",
        "text",
        r"\b(gpu( model| type| name| typ)?|(gpu )?modell?e?|accelerator( type)?)\b",
    ),
    Field("unit", "the unit", "text", r"\b(unit|einheit|unite|per|je|par|period|zeitraum)\b"),
    Field("currency", "the currency", "text", r"\b(currency|wahrung|waehrung|devise|monnaie)\b"),
    Field("purchase", "the purchase class", "text", r"\b(purchase|class|klasse|kaufart|type|plan|offer|option)\b"),
    Field("pool", "the pool", "text", r"\b(pool|partition|cluster|instance)\b"),
    Field("date", "the date", "day", r"\b(date|datum|from|since|gultig|valid|ab)\b"),
    Field("region", "the region", "text", r"\b(region|location|standort|zone|lieu)\b"),
)
_PURCHASES = {
    "owned": r"own|purchase[d]?|eigen|gekauft",
    "reserved": r"reserv|commit|savings|1 ?y|3 ?y",
    "on-demand": r"on ?demand|pay|list|standard",
    "spot": r"spot|preempt",
}


def detect_generic_prices(text: str, filename: str) -> tuple[float, str]:
    return sheet_confidence(text, FIELDS, ("amount", "gpu_model", "unit", "currency", "purchase"), filename)


def read_generic_prices(source: Source) -> Reading:
    """A unit that neither a column nor a header names is asked: a month read as an hour is wrong 730 times."""
    interview = source.interview
    collector = Collector("prices")
    sheet = read_sheet(source, collector)
    mapped = ask_mapping(sheet, FIELDS, interview)
    rows = TypedRows(sheet, FIELDS, mapped, interview)
    unit, currency = _ask_unit(sheet, mapped, interview), _ask_currency(sheet, mapped, interview)

    def finish(values: Values, record: Record) -> tuple[dict[str, Any], list[CellError]]:
        return _price(values, unit, currency)

    rows.collect(collector, finish)
    table = collector.table()
    facts = [*sheet.facts, *rows.facts(), f"A month is counted as {HOURS_PER_MONTH} hours."]
    currencies = sorted({code for code in table["currency"] if code})
    if len(currencies) > 1:
        facts.append(f"Prices are in {' and '.join(currencies)}: they are never added or converted.")
    return collector.reading(
        source,
        SLUG,
        VERSION,
        table,
        in_file=sheet.in_file,
        totals=_totals(table),
        facts=facts,
        head=tuple(sheet.head),
        columns=mapped.columns,
    )


def per_hour(amount: str, unit: str) -> str:
    """Hourly amount of a price, as a decimal: months are divided by 730, to ten decimals where that does not end."""
    value = Decimal(amount)
    if unit.endswith("-month"):
        value = (value / HOURS_PER_MONTH).quantize(Decimal("1e-10"), ROUND_HALF_EVEN).normalize()
    return f"{value:f}"


def unit_of(text: str) -> str | None:
    """The unit that words name (`per GPU hour`, `je Knoten und Monat`); None where scope or period is missing."""
    plain = plain_header(text)
    node = re.search(r"\b(nodes?|server|instance|knoten|noeud|machine)", plain)
    gpu = re.search(r"\b(gpus?|card|karte|device|accelerator)", plain)
    hour = re.search(r"(\bh\b|hour|hourly|stunde|stundlich|heure)", plain)
    month = re.search(r"(month|monat|mois|mensuel)", plain)
    if bool(node) == bool(gpu) or bool(hour) == bool(month):
        return None
    return f"{'node' if node else 'gpu'}-{'hour' if hour else 'month'}"


def _ask_unit(sheet: Sheet, mapped: Mapped, interview: Interview) -> str | None:
    """The unit of rows that do not state one of their own in full."""
    header = sheet.labels[mapped.places["amount"]] if "amount" in mapped.places else ""
    named = unit_of(header)
    if "unit" in mapped.places:
        written = [text for text in sheet.column(mapped.places["unit"]) if text.strip()]
        if len(written) == len(sheet.rows) and all(unit_of(text) for text in written):
            return None
        if len(written) == len(sheet.rows) and all(_period(text) for text in written):
            return _ask_scope(header, interview)
    return interview.ask(
        Question(
            "unit.amount",
            f"What is {header!r} a price of?",
            "choice",
            UNITS,
            named,
            "its header names it" if named else "a monthly price read as hourly is wrong 730 times",
        )
    )


def _ask_scope(header: str, interview: Interview) -> str | None:
    named = "gpu" if "gpu" in plain_header(header).split() else None
    answer = interview.ask(
        Question(
            "scope.amount",
            "Are the prices for one GPU or for one node?",
            "choice",
            (("gpu", "one GPU"), ("node", "one node with all its GPUs")),
            named,
            "the unit column names the period alone",
        )
    )
    return None if answer is None else f"{answer}-"


def _period(text: str) -> str | None:
    found = unit_of(f"gpu {re.sub(r'(?i)gpu|node', '', text)}")
    return None if found is None else found.removeprefix("gpu-")


def _ask_currency(sheet: Sheet, mapped: Mapped, interview: Interview) -> str | None:
    if "currency" in mapped.places and all(currency_of(text) for text in sheet.column(mapped.places["currency"])):
        return None
    return ask_currency(sheet.labels[mapped.places["amount"]], interview) if "amount" in mapped.places else None


def _price(values: Values, unit: str | None, currency: str | None) -> tuple[dict[str, Any], list[CellError]]:
    amount = values.get("amount")
    if amount is None:
        raise CellError("amount", "", "an amount", "a row without a price")
    oddities: list[CellError] = []
    own = values.get("unit") or ""
    kind = unit_of(own) or (unit + (_period(own) or "") if unit and unit.endswith("-") else unit)
    if kind is not None and kind not in dict(UNITS):
        raise CellError("unit", own, ", ".join(dict(UNITS)), "the unit of the price is not known")
    money = currency_of(values.get("currency") or "") or currency
    moment = values.get("date")
    row = {
        "gpu_model": values.get("gpu_model"),
        "pool": values.get("pool"),
        "purchase": _purchase(values.get("purchase"), oddities),
        "amount": amount,
        "unit": kind,
        "per_hour": None if kind is None else per_hour(amount, kind),
        "per_gpu_hour": per_hour(amount, kind) if kind and kind.startswith("gpu-") else None,
        "currency": money,
        "date": None if moment is None else _iso_day(moment),
        "region": values.get("region"),
    }
    return row, oddities


def _purchase(text: str | None, oddities: list[CellError]) -> str | None:
    if not text:
        return None
    for purchase, pattern in _PURCHASES.items():
        if re.search(pattern, plain_header(text)):
            return purchase
    oddities.append(CellError("purchase", text, ", ".join(_PURCHASES), "the purchase class is not known"))
    return None


def _iso_day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def _totals(table: Table) -> dict[str, Any]:
    """Number of prices in all, by currency and by unit; no sum of amounts, for that would mean nothing."""
    return {
        "prices": len(table),
        "by_currency": {code: table["currency"].count(code) for code in sorted({c for c in table["currency"] if c})},
        "by_unit": {unit: table["unit"].count(unit) for unit in sorted({u for u in table["unit"] if u})},
    }


FORMAT = Format(
    slug=SLUG,
    title="Table of prices",
    kind="prices",
    made_by=ANY_SHEET,
    detect=detect_generic_prices,
    read=read_generic_prices,
    reads="amount, unit, currency, GPU model, pool, purchase class, date, region",
    leaves=SHEET_LEAVES,
    unknowns=(
        "unit or currency that no column or header names is asked; currencies are never converted or added; a"
        " row without an amount is rejected"
    ),
)
