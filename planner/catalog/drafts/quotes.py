"""Prices that change -> a price sheet: their mean over time, or every change from a day on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from planner.catalog.drafts.draft import Context, Draft
from planner.catalog.drafts.tariff import ask_tariff, sheet
from planner.catalog.models import Kind
from planner.catalog.money import PriceEntry, plain
from simulation.formats.collector import CellError
from simulation.formats.instants import Clock
from simulation.formats.interview import Interview
from simulation.formats.machine_price import plain as listed
from simulation.formats.parts.models import Meant, meant
from simulation.formats.parts.part import ask_origin, counted
from simulation.formats.quotes import Series, series_of, time_mean
from simulation.formats.reading import Question, Reading

GPUS_UNKNOWN = "GPUs of the machine unknown"
OTHERS = "of another zone or product than the one that holds"


@dataclass(frozen=True, slots=True)
class Window:
    """The time that counts (s since 1970 UTC); None: from the first change, to the last."""

    since_s: float | None
    until_s: float | None

    @classmethod
    def asked(cls, interview: Interview, chosen: list[Series]) -> Window:
        """FormatError where the file has no price at its begin, or it ends before it begins."""
        since = _ask_time(interview, "since", "From which time on? (empty: from the first change)")
        until = _ask_time(interview, "until", "Until when? (empty: until the last change)")
        made = cls(since, until)
        for one in chosen:
            start, end = made.of(one)
            if start < one.window_s[0] or end < start:
                first = datetime.fromtimestamp(one.window_s[0], UTC).isoformat()
                raise interview.refusal("since", f"{start:g} to {end:g} s", f"a window from {first} on, for {one.name}")
        return made

    def of(self, one: Series) -> tuple[float, float]:
        start, end = one.window_s
        return (start if self.since_s is None else self.since_s, end if self.until_s is None else self.until_s)


def _ask_time(interview: Interview, key: str, text: str) -> float | None:
    why = "the price in force at the begin counts from there; times without an offset are UTC"
    answer = interview.ask(Question(key, text, "text", (), "", why)) or ""
    try:
        return Clock(UTC).read(answer, key)
    except CellError as error:
        raise interview.refusal(key, answer, error.expected) from None


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.PRICES, ask_origin(interview, reading))
    found = series_of(reading.table)
    chosen = _choose(interview, [one for one in found if one.per_gpu is not None])
    models = meant(interview, {one.gpu_model for one in found if one.per_gpu is not None})
    changing, window = _ask_changing(interview), Window.asked(interview, chosen or [])
    tariff = ask_tariff(interview, reading.table["currency"])
    made.left_out = _left_out(reading, found, chosen or [])
    if not chosen or models is None or tariff is None or changing is None or not reading.ready:
        return made
    entries = [_entry(one, models, changing, window, tariff.currency) for one in chosen]
    made.document = sheet(interview, entries, tariff, made.origin)
    rate = tariff.rate_usd or Decimal(1)
    if changing:
        for line, one in zip(made.document["prices"]["lines"], chosen, strict=True):
            line["steps"] = [_step(start, price * rate) for start, price in one.steps(window.of(one)[0]) if start > 0]
    made.document["as_given"]["series"] = {
        one.name: [[at, str(price)] for at, price in one.per_machine] for one in chosen
    }
    made.said = [_said(one, changing, window) for one in chosen]
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


def _entry(one: Series, models: dict[str, Meant], changing: bool, window: Window, currency: str) -> PriceEntry:
    start, end = window.of(one)
    amount = one.steps(start)[0][1] if changing else time_mean(one.per_gpu or (), start, end)
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


def _said(one: Series, changing: bool, window: Window) -> str:
    start, end = window.of(one)
    if changing:
        return f"{one.name}: {counted(len(one.steps(start)), 'price')} as they changed."
    hours = f"{(end - start) / 3600:g} h"
    return f"{one.name}: mean over {hours}, each price by the time that it held; the changes are kept beside it."
