"""Cells that a spreadsheet opens as text and numbers, never as formulas, and records as rows of such cells."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simulation.formats.tables import cell_text

Value = str | int | float | None


def harmless(text: str) -> str:
    """A cell that begins like a formula gets an apostrophe; a number with a minus stays a number."""
    return text if text.startswith("-") and _is_number(text) else cell_text(text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def flat(records: Iterable[Any]) -> tuple[list[str], list[list[Any]]]:
    """Records as a head and rows: nested values stand under dotted names, what a record has not is None."""
    rows = [dict(_named(record)) for record in records]
    head = list(dict.fromkeys(name for row in rows for name in row))
    return head, [[row.get(name) for name in head] for row in rows]


def _named(record: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(record, dict):
        yield path or "value", record
        return
    for key, value in record.items():
        name = f"{path}.{key}" if path else str(key)
        if isinstance(value, dict):
            yield from _named(value, name)
        else:
            yield name, value


def cell(value: Any) -> Value:
    """Texts made harmless, lists in one cell, yes and no in words; unknown stays empty."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        plain = all(isinstance(one, str | int | float) for one in value)
        return harmless("; ".join(map(str, value)) if plain else json.dumps(value))
    return value if value is None or isinstance(value, int | float) else harmless(str(value))


def cells(rows: Iterable[Sequence[Any]]) -> Iterator[list[Value]]:
    return ([cell(value) for value in row] for row in rows)
