"""Tables as CSV: one row a record, nested values under dotted names, no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
from typing import Any

from rest_framework.renderers import BaseRenderer

from planner.web.exports.cells import cells, flat


class CsvRenderer(BaseRenderer):
    """Takes a list of records, or a page of them (whose `results` are the rows)."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> str:
        head, rows = flat(_records(data))
        out = io.StringIO()
        csv.writer(out).writerows(cells([head, *rows]))
        return out.getvalue()


def _records(data: Any) -> list[Any]:
    found = data.get("results", data.get("rows", [data])) if isinstance(data, dict) else data
    return found or []
