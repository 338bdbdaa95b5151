"""Billing rows -> a price sheet: what a GPU-hour of each model and class cost in this bill."""

from __future__ import annotations

from decimal import Decimal

from planner.catalog.drafts.draft import Context, Draft
from planner.catalog.drafts.tariff import ask_tariff, sheet
from planner.catalog.models import Kind
from planner.catalog.money import PriceEntry
from simulation.formats.charges import rounded_costs, unit_prices
from simulation.formats.interview import Interview
from simulation.formats.machine_price import plain
from simulation.formats.parts.models import meant
from simulation.formats.parts.part import ask_origin, counted
from simulation.formats.reading import Question, Reading

COSTS = (
    ("effective_cost", "effective: amortised, what the use really cost"),
    ("billed_cost", "billed: on the invoice"),
    ("contracted_cost", "contracted: at the negotiated price"),
    ("list_cost", "list: at the public price"),
)


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.PRICES, ask_origin(interview, reading))
    cost = _ask_cost(interview, reading)
    prices, made.left_out = unit_prices(reading.table, cost)
    models = meant(interview, {price.gpu_model for price in prices})
    tariff = ask_tariff(interview, {price.currency for price in prices}) if prices else None
    if models is None or tariff is None or not reading.ready:
        return made
    entries = [
        PriceEntry(
            Decimal(plain(price.amount)),
            gpu_model=models[price.gpu_model].model,
            purchase=price.purchase or "",
            currency=price.currency,
        )
        for price in prices
    ]
    made.document = sheet(interview, entries, tariff, made.origin)
    made.said = [f"{price.gpu_model}, {price.purchase or 'class not stated'}: {price.formula}." for price in prices]
    made.amount = counted(len(entries), "price")
    return made


def _ask_cost(interview: Interview, reading: Reading) -> str:
    """Which of the costs counts; billed where the effective one is rounded, or not there."""
    table = reading.table
    usable = any(table["effective_cost"]) and "effective_cost" not in rounded_costs(table)
    answer = interview.ask(
        Question(
            "cost",
            "Which cost counts?",
            "choice",
            COSTS,
            "effective_cost" if usable else "billed_cost",
            "they are never mixed" if usable else "the effective cost is rounded to whole amounts, or not in this file",
        )
    )
    return answer or "billed_cost"
