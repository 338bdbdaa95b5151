"""Prices that change -> a price sheet: their mean over time, or every change from a day on."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from planner.catalog.drafts.draft import Context, Draft
from planner.catalog.drafts.tariff import ask_tariff, sheet
from planner.catalog.models import Kind
from planner.catalog.money import PriceEntry, plain
from simulation.formats.interview import Interview
from simulation.formats.machine_price import plain as listed
from simulation.formats.parts.models import Meant, meant
from simulation.formats.parts.part import ask_origin, counted
from simulation.formats.quotes import Series, series_of, time_mean
from simulation.formats.reading import Question, Reading

GPUS_UNKNOWN = "GPUs of the machine unknown"
OTHERS = "of another zone or product than the one that holds"


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.PRICES, ask_origin(interview, reading))
    found = series_of(reading.table)
    chosen = _choose(interview, [one for one in found if one.per_gpu is not None])
    models = meant(interview, {one.gpu_model for one in found if one.per_gpu is not None})
    changing = _ask_changing(interview)
    tariff = ask_tariff(interview, reading.table["currency"])
    made.left_out = _left_out(reading, found, chosen or [])
    if not chosen or models is None or tariff is None or changing is None or not reading.ready:
        return made
    entries = [_entry(one, models, changing, tariff.currency) for one in chosen]
    made.document = sheet(interview, entries, tariff, made.origin)
    rate = tariff.rate_usd or Decimal(1)
    if changing:
        for line, one in zip(made.document["prices"]["lines"], chosen, strict=True):
            line["steps"] = [_step(start, price * rate) for start, price in one.steps(one.window_s[0]) if start > 0]
    made.document["as_given"]["series"] = {
        one.name: [[at, str(price)] for at, price in one.per_machine] for one in chosen
    }
    made.said = [_said(one, changing) for one in chosen]
    made.amount = counted(len(entries), "price")
    return made


def _choose(interview: Interview, found: list[Series]) -> list[Series] | None:
    """One series for each GPU model; None while one is open."""
    by_model: dict[str, list[Series]] = {}
    for one in found:
        by_model.setdefault(one.gpu_model, []).append(one)
    chosen: list[Series | None] = []
    for model, several in sorted(by_model.items()):
        names = {one.name: one for one in several}
        answer = several[0].name if len(several) == 1 else interview.ask(
            Question(f"series.{model}", f"Which series prices {model}?", "choice",
                     tuple((name, name) for name in names), None,
                     "zones, machines and products have prices of their own, and are never mixed")
        )  # fmt: skip
        chosen.append(None if answer is None else names[answer])
    return None if None in chosen else [one for one in chosen if one is not None]


def _ask_changing(interview: Interview) -> bool | None:
    answer = interview.ask(
        Question(
            "over_time",
            "How do the prices count?",
            "choice",
            (
                ("mean", "their mean over the time of the file"),
                ("changes", "as they changed: time 0 of a run is the first change in the file"),
            ),
            "mean",
            "the mean weighs each price by how long it held, not by rows",
        )
    )
    return None if answer is None else answer == "changes"


def _entry(one: Series, models: dict[str, Meant], changing: bool, currency: str) -> PriceEntry:
    start, end = one.window_s
    steps = one.per_gpu or ()
    amount = steps[0][1] if changing else time_mean(steps, start, end)
    return PriceEntry(
        Decimal(listed(amount)), gpu_model=models[one.gpu_model].model, purchase="spot", currency=currency
    )


def _step(start_s: float, usd: Decimal) -> dict[str, Any]:
    return {"start_s": start_s, "usd_per_gpu_h": plain(usd)}


def _left_out(reading: Reading, found: list[Series], chosen: list[Series]) -> dict[str, int]:
    names = {(one.instance, one.zone, one.product) for one in chosen}
    unknown = {(one.instance, one.zone, one.product) for one in found if one.per_gpu is None}
    table = reading.table
    keys = list(zip(table["instance"], table["zone"], table["product"], strict=True))
    reasons = {GPUS_UNKNOWN: sum(key in unknown for key in keys)}
    if chosen:
        reasons[OTHERS] = sum(key not in names and key not in unknown for key in keys)
    return {reason: rows for reason, rows in reasons.items() if rows}


def _said(one: Series, changing: bool) -> str:
    start, end = one.window_s
    if changing:
        return f"{one.name}: {counted(len(one.per_machine), 'price')} as they changed."
    hours = f"{(end - start) / 3600:g} h"
    return f"{one.name}: mean over {hours}, each price by the time that it held; the changes are kept beside it."
