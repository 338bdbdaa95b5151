"""Rows of a price file -> a price sheet. Where two rows price the same thing, a person says which one holds."""

from __future__ import annotations

from decimal import Decimal

from planner.catalog.documents import DocumentError
from planner.catalog.drafts.draft import Context, Draft
from planner.catalog.models import Kind
from planner.catalog.money import PriceEntry
from planner.catalog.services_entry import Tariff, price_document
from simulation.formats.errors import FormatError
from simulation.formats.interview import Interview
from simulation.formats.parts.models import Meant, meant
from simulation.formats.parts.part import ask_origin, counted
from simulation.formats.reading import Question, Reading
from simulation.formats.tables import Table


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.PRICES, ask_origin(interview, reading))
    table = reading.table
    rows = _chosen(interview, table, list(range(len(table))))
    models = meant(interview, {name for name in table["gpu_model"] if name})
    tariff = _tariff(interview, table)
    sizes = _ask_sizes(interview, table)
    if rows is None or models is None or tariff is None or sizes is None or not reading.ready or not rows:
        return made
    _refuse_overlaps(reading.file, table, rows)
    entries = [_entry(table, row, models, sizes) for row in rows]
    try:
        made.document = price_document(entries, tariff, made.origin)
    except DocumentError as error:
        raise interview.refusal("prices", "", str(error)) from None
    made.facts = {"left_out": made.left_out}
    made.amount = counted(len(entries), "price")
    return made


def _chosen(interview: Interview, table: Table, rows: list[int]) -> list[int] | None:
    """Rows of one region and one date; asked where the file holds several, for they never hold at once."""
    for column, word in (("region", "region"), ("date", "date")):
        values = sorted({table[column][row] for row in rows if table[column][row]})
        if len(values) < 2:
            continue
        answer = interview.ask(
            Question(
                word,
                f"The file has prices of {len(values)} {word}s: which one holds?",
                "choice",
                tuple((value, value) for value in values),
                None,
                "prices of different places or times are never mixed",
            )
        )
        if answer is None:
            return None
        rows = [row for row in rows if table[column][row] in (answer, None)]
    return rows


def _ask_sizes(interview: Interview, table: Table) -> dict[str, int] | None:
    """GPUs in a node, by model, for prices of whole nodes; None while a question is open."""
    names = {table["gpu_model"][row] or "" for row, unit in enumerate(table["unit"]) if unit and "node" in unit}
    sizes: dict[str, int] = {}
    for name in sorted(names):
        key = f"gpus_per_node.{name}"
        text = f"How many GPUs has a node of {name}?" if name else "How many GPUs has a node?"
        answer = interview.ask(Question(key, text, "text", (), None, "the price of a node is divided among its GPUs"))
        if not answer:
            return None
        if not answer.strip().isdigit() or not 1 <= int(answer) <= 64:
            raise interview.refusal(key, answer, "a whole number from 1 to 64")
        sizes[name] = int(answer)
    return sizes


def _tariff(interview: Interview, table: Table) -> Tariff | None:
    """The sheet's currency and, for any but USD, a dated rate. Mixed currencies are refused, never converted alike."""
    currencies = sorted({currency for currency in table["currency"] if currency})
    if len(currencies) > 1:
        raise interview.refusal("currency", " and ".join(currencies), "one currency in a price sheet; split the file")
    currency = currencies[0] if currencies else interview.ask(
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


def _entry(table: Table, row: int, models: dict[str, Meant], sizes: dict[str, int]) -> PriceEntry:
    written = table["gpu_model"][row]
    return PriceEntry(
        amount=Decimal(table["amount"][row]),
        unit=table["unit"][row],
        pool=table["pool"][row] or "",
        gpu_model=models[written].model if written else "",
        purchase=table["purchase"][row] or "",
        gpus_per_node=sizes.get(written or ""),
        currency=table["currency"][row] or "",
    )


def _refuse_overlaps(file: str, table: Table, rows: list[int]) -> None:
    seen: dict[tuple[str | None, ...], int] = {}
    for row in rows:
        key = (table["pool"][row], table["gpu_model"][row], table["purchase"][row])
        first = seen.setdefault(key, row)
        if first != row:
            what = ", ".join(part for part in key if part) or "every pool"
            raise FormatError(
                file,
                line=table["line"][row],
                column="amount",
                value=table["amount"][row],
                expected=f"one price for {what}; line {table['line'][first]} already gives {table['amount'][first]}",
            )
