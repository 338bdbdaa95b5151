"""Tables to take along: CSV that a spreadsheet opens as text and numbers, never as formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse
from django.utils.text import slugify

from simulation.formats.tables import cell_text


def csv_response(name: str, rows: Iterable[Sequence[str | int | float | None]]) -> HttpResponse:
    out = io.StringIO()
    out.write("﻿")  # so that spreadsheets read UTF-8
    csv.writer(out).writerows([harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    stem = slugify(name)[:80] or "table"
    return HttpResponse(
        out.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{stem}.csv"'},
    )


def harmless(text: str) -> str:
    """A cell that begins like a formula gets an apostrophe; a number with a minus stays a number."""
    return text if text.startswith("-") and _is_number(text) else cell_text(text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
