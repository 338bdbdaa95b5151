"""Which rows of a price file hold: of one region and day, of classes that pools can have, one offer for each model."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from simulation.formats.interview import Interview
from simulation.formats.reading import Question
from simulation.formats.tables import Table
from simulation.hardware import Purchase


def choose(interview: Interview, table: Table) -> tuple[list[int] | None, dict[str, int]]:
    """(rows that make the sheet, rows left out by reason); None for the rows while a question is open."""
    left_out: Counter[str] = Counter()
    rows = []
    for row, purchase in enumerate(table["purchase"]):
        if purchase is None or purchase in get_args(Purchase):
            rows.append(row)
        else:
            left_out[f"class {purchase}: no pool is bought like that"] += 1
    for choice in (_of_one_region, _of_one_day, _of_one_offer):
        kept = choice(interview, table, rows)
        if kept is None:
            return None, dict(left_out)
        rows = kept
    return rows, dict(left_out)


def _of_one_region(interview: Interview, table: Table, rows: list[int]) -> list[int] | None:
    return _of_one(interview, table, rows, "region", rows)


def _of_one_day(interview: Interview, table: Table, rows: list[int]) -> list[int] | None:
    """Rows of one date; a price list of machines is as of today, whatever the days since which its prices hold."""
    return _of_one(interview, table, rows, "date", [row for row in rows if table["instance"][row] is None])


def _of_one(interview: Interview, table: Table, rows: list[int], column: str, among: list[int]) -> list[int] | None:
    values = sorted({table[column][row] for row in among if table[column][row]})
    if len(values) < 2:
        return rows
    answer = interview.ask(
        Question(
            column,
            f"The file has prices of {len(values)} {column}s: which one holds?",
            "choice",
            tuple((value, value) for value in values),
            None,
            "prices of different places or times are never mixed",
        )
    )
    return None if answer is None else [row for row in rows if table[column][row] in (answer, None)]


def _of_one_offer(interview: Interview, table: Table, rows: list[int]) -> list[int] | None:
    """One machine type and term for each GPU model and class, as several may have the model."""
    offers: dict[tuple[str, str], dict[str, int]] = {}
    kept = []
    for row in rows:
        if table["instance"][row] is None:
            kept.append(row)
        else:
            key = (table["gpu_model"][row], table["purchase"][row] or "")
            offers.setdefault(key, {}).setdefault(_words(table, row), row)
    open_ = False
    for (model, purchase), by_words in sorted(offers.items()):
        chosen = _ask_offer(interview, model, purchase, list(by_words))
        open_ = open_ or chosen is None
        if chosen is not None:
            kept.append(by_words[chosen])
    return None if open_ else sorted(kept)


def _ask_offer(interview: Interview, model: str, purchase: str, words: list[str]) -> str | None:
    if len(words) == 1:
        return words[0]
    return interview.ask(
        Question(
            f"offer.{model}.{purchase}",
            f"Which price holds for {model}, {purchase or 'class not stated'}?",
            "choice",
            tuple((each, each) for each in sorted(words)),
            None,
            "machines of several sizes and terms have this GPU, each at a price of its own",
        )
    )


def _words(table: Table, row: int) -> str:
    amount = table["per_gpu_hour"][row] or table["per_hour"][row]
    what = "a GPU-hour" if table["per_gpu_hour"][row] else "a machine-hour"
    parts = (table["instance"][row], table["term"][row], f"{amount} {table['currency'][row]} {what}")
    return ", ".join(part for part in parts if part)
