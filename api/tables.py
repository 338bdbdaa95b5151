"""Tables as CSV: one row a record, nested values under dotted names, no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from rest_framework.renderers import BaseRenderer

from planner.web.exports import harmless


class CsvRenderer(BaseRenderer):
    """Takes a list of records, or a page of them (whose `results` are the rows)."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> str:
        rows = [dict(_flat(row)) for row in _records(data)]
        head = list(dict.fromkeys(name for row in rows for name in row))
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(harmless(name) for name in head)
        writer.writerows([_cell(row.get(name)) for name in head] for row in rows)
        return out.getvalue()


def _records(data: Any) -> list[Any]:
    found = data.get("results", data.get("rows", [data])) if isinstance(data, dict) else data
    return found or []


def _flat(record: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(record, dict):
        yield path or "value", record
        return
    for key, value in record.items():
        name = f"{path}.{key}" if path else str(key)
        if isinstance(value, dict):
            yield from _flat(value, name)
        else:
            yield name, value


def _cell(value: Any) -> Any:
    """Texts made harmless, lists in one cell, yes and no in words; unknown stays empty."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        plain = all(isinstance(one, str | int | float) for one in value)
        return harmless("; ".join(map(str, value)) if plain else json.dumps(value))
    return harmless(value) if isinstance(value, str) else value
