"""Tables as files: CSV, XLSX and JSON. Equal tables give equal bytes."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.utils.text import slugify

from planner.web.exports.cells import Value, cells
from planner.web.exports.table import Table

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold; stands where a workbook would tell when it was written."""
_WRITTEN_AT = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_BOM = "\ufeff"
"""So that spreadsheets read UTF-8."""


@dataclass(frozen=True, slots=True)
class Format:
    content_type: str
    written: Callable[[Table], bytes]


def _csv(table: Table) -> bytes:
    """One header row. What holds for the whole table stands in columns at the right: no program has to skip a line."""
    head = [*table.head, *(f"about_{name}" for name in table.about)]
    out = io.StringIO()
    out.write(_BOM)
    csv.writer(out).writerows(cells([head, *([*row, *table.about.values()] for row in table.rows)]))
    return out.getvalue().encode()


def _json(table: Table) -> bytes:
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    told = {"title": table.title, "about": dict(table.about), "columns": list(table.head), "rows": rows}
    return json.dumps(told, ensure_ascii=False, indent=1, default=str).encode()


def _xlsx(table: Table) -> bytes:
    """Two sheets: the table, and what holds for all of it."""
    from openpyxl import Workbook  # loaded for this, not by every page

    book = Workbook(write_only=True)
    sheet = book.create_sheet("table")
    sheet.freeze_panes = "B2"
    for row in cells([table.head, *table.rows]):
        sheet.append([_writable(value) for value in row])
    about = book.create_sheet("about")
    for row in cells([("title", table.title), *table.about.items()]):
        about.append([_writable(value) for value in row])
    out = io.BytesIO()
    book.save(out)
    return _timeless(out.getvalue())


def _writable(value: Value) -> Value:
    """Signs that no workbook can hold are shown as such; texts are never taken for formulas (see `harmless`)."""
    return _CONTROL.sub("\ufffd", value) if isinstance(value, str) else value


def _timeless(content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as kept:
        for name in given.namelist():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            kept.writestr(info, _WRITTEN_AT.sub(rb"\g<1>1980-01-01T00:00:00Z", given.read(name)))
    return out.getvalue()


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FORMATS = {
    "csv": Format("text/csv; charset=utf-8", _csv),
    "xlsx": Format(XLSX, _xlsx),
    "json": Format("application/json", _json),
}


def format_for(format: str) -> Format:
    if format not in FORMATS:
        raise Http404(f"A table comes as {', '.join(FORMATS)}")
    return FORMATS[format]


def table_response(table: Table, format: str) -> HttpResponse:
    """`table` as a download; Http404 where there is no such format."""
    chosen = format_for(format)
    return download(f"{table.title} {table.name}", format, chosen.content_type, chosen.written(table))


def download(name: str, extension: str, content_type: str, content: bytes) -> HttpResponse:
    stem = slugify(name)[:80].strip("-") or "table"
    return HttpResponse(
        content,
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{stem}.{extension}"'},
    )
