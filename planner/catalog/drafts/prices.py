"""Rows of a price file -> a price sheet. Where two rows price the same thing, a person says which one holds."""

from __future__ import annotations

from decimal import Decimal

from planner.catalog.drafts.draft import Context, Draft
from planner.catalog.drafts.price_choice import choose
from planner.catalog.drafts.tariff import ask_tariff, sheet
from planner.catalog.models import Kind
from planner.catalog.money import PriceEntry
from simulation.formats.errors import FormatError
from simulation.formats.interview import Interview
from simulation.formats.parts.models import Meant, meant
from simulation.formats.parts.part import ask_origin, counted
from simulation.formats.reading import Question, Reading
from simulation.formats.tables import Table

FORMULAS_SHOWN = 5


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.PRICES, ask_origin(interview, reading))
    table = reading.table
    rows, made.left_out = choose(interview, table)
    among = range(len(table)) if rows is None else rows
    models = meant(interview, {table["gpu_model"][row] for row in among if table["gpu_model"][row]})
    tariff = ask_tariff(interview, (table["currency"][row] for row in among))
    sizes = _ask_sizes(interview, table, list(among))
    if rows is None or models is None or tariff is None or sizes is None or not reading.ready or not rows:
        return made
    _refuse_overlaps(reading.file, table, rows)
    entries = [_entry(table, row, models, sizes) for row in rows]
    made.document = sheet(interview, entries, tariff, made.origin)
    made.said = [_formula(table, row) for row in rows if table["formula"][row]][:FORMULAS_SHOWN]
    made.facts = {"left_out": made.left_out}
    made.amount = counted(len(entries), "price")
    return made


def _formula(table: Table, row: int) -> str:
    return f"{table['gpu_model'][row]}: {table['formula'][row]} {table['currency'][row]} an hour."


def _ask_sizes(interview: Interview, table: Table, rows: list[int]) -> dict[str, int] | None:
    """GPUs in a node, by model, where the file gives prices of whole nodes and not their GPUs; None while open."""
    names = {
        table["gpu_model"][row] or ""
        for row in rows
        if "node" in (table["unit"][row] or "") and table["gpus_per_node"][row] is None
    }
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


def _entry(table: Table, row: int, models: dict[str, Meant], sizes: dict[str, int]) -> PriceEntry:
    written = table["gpu_model"][row]
    return PriceEntry(
        amount=Decimal(table["amount"][row]),
        unit=table["unit"][row],
        pool=table["pool"][row] or "",
        gpu_model=models[written].model if written else "",
        purchase=table["purchase"][row] or "",
        gpus_per_node=table["gpus_per_node"][row] or sizes.get(written or ""),
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
