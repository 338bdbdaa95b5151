"""Excel workbooks, behind a guard: sizes counted while unpacking, no entities, no links, no formula ever run."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from simulation.formats import archive
from simulation.formats.errors import FormatError
from simulation.formats.limits import Limits
from simulation.formats.source import Source

WHAT = ".xlsx workbook"


class Canonical(str):
    """A value that the workbook holds with its type, written in one form: point as decimal mark, ISO dates."""

    __slots__ = ()


def sheet_names(source: Source) -> list[str]:
    """Names of the sheets of a workbook that has passed the guard."""
    guard(source)
    return list(_open(source).sheetnames)


def rows_of(source: Source, sheet: str) -> Iterator[tuple[int, list[str]]]:
    """(row number from 1, cells) of one sheet; typed cells as Canonical, text as str, empty cells as ""."""
    limits = source.limits
    book = _open(source)
    try:
        worksheet = book[sheet]
        worksheet.reset_dimensions()  # the stated size may be a lie
        for number, values in enumerate(worksheet.iter_rows(values_only=True), start=1):
            if number > limits.rows:
                raise FormatError(source.name, line=number, expected=f"at most {limits.rows:,} rows")
            if len(values) > limits.columns:
                raise FormatError(source.name, line=number, expected=f"at most {limits.columns:,} columns")
            yield number, [_text(value, source.name, number, limits) for value in values]
    except FormatError:
        raise
    except Exception:  # the parser raises whatever its XML provokes
        raise FormatError(source.name, expected="a sound .xlsx workbook; this one is damaged") from None
    finally:
        book.close()


def guard(source: Source) -> None:
    """FormatError for whatever is hostile or broken in the archive; every entry is unpacked once, piece by piece."""

    def refuse_entities(entry: str, data: bytes) -> None:
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            raise FormatError(source.name, value=entry, expected="XML without entities")

    if "xl/workbook.xml" not in archive.names_in(source, WHAT):
        raise FormatError(source.name, value="a zip archive", expected="an .xlsx workbook or a text file")
    archive.guard(source, WHAT, entry_bytes=source.limits.entry_bytes, inspect=refuse_entities)


def _open(source: Source) -> Any:
    import openpyxl  # here, as it brings numpy with it: a web process that reads no workbook needs neither

    source.stream.seek(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and extensions, which are not read
            return openpyxl.load_workbook(source.stream, read_only=True, data_only=True, keep_links=False)
    except Exception:  # the parser raises whatever its XML provokes
        raise FormatError(source.name, expected="a sound .xlsx workbook; this one is damaged") from None


def _text(value: Any, name: str, line: int, limits: Limits) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        if len(value) > limits.cell_chars:
            raise FormatError(name, line=line, expected=f"cells of at most {limits.cell_chars:,} characters")
        return value
    if isinstance(value, bool):
        return Canonical("true" if value else "false")
    if isinstance(value, datetime | date | time):
        return Canonical(value.isoformat())
    if isinstance(value, timedelta):
        return Canonical(f"{value.total_seconds():g}s" if value >= timedelta(0) else f"-{-value.total_seconds():g}s")
    if isinstance(value, float) and value == int(value) and abs(value) < 2**53:
        return Canonical(int(value))
    return Canonical(repr(value))
