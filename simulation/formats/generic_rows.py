"""Cells of a mapped sheet to typed values, one row at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.delimited import Record
from simulation.formats.interview import Interview
from simulation.formats.mapping import Field, Mapped
from simulation.formats.quantities import (
    DecimalMark,
    count,
    decimal,
    device_count,
    is_unknown,
    memory_bytes,
    number,
    span,
)
from simulation.formats.sheet import Sheet
from simulation.formats.workbook import Canonical
from simulation.formats.writing_style import TimeStyle, ask_decimal_mark

Values = dict[str, Any]
Finish = Callable[[Values, Record], tuple[dict[str, Any], list[CellError]]]


class TypedRows:
    """Reads the mapped cells of a sheet under one decimal mark and one style of times."""

    def __init__(self, sheet: Sheet, fields: tuple[Field, ...], mapped: Mapped, interview: Interview) -> None:
        self._sheet = sheet
        self._fields = [field for field in fields if field.target in mapped.places]
        self._mapped = mapped
        numeric = [field for field in self._fields if field.reads in {"number", "count", "span", "money", "memory"}]
        self._mark = ask_decimal_mark(
            (cell for field in numeric for cell in sheet.column(mapped.places[field.target])), interview
        )
        instants = {
            sheet.labels[mapped.places[field.target]]: sheet.column(mapped.places[field.target])
            for field in self._fields
            if field.reads in {"instant", "day"}
        }
        zoned = any(field.reads == "instant" for field in self._fields)
        self.times = TimeStyle(instants, interview, zoned=zoned) if instants else None

    def collect(self, collector: Collector, finish: Finish) -> None:
        """`finish(values, record)` gives the row and its oddities, or raises CellError; every row is accounted for."""
        for record in self._sheet.rows:
            try:
                row, oddities = finish(self._values(record), record)
            except CellError as error:
                collector.reject(record.line, error, record.raw)
            else:
                told = self.times.clock.take_oddities() if self.times else []
                collector.keep({**row, "line": record.line}, [*told, *oddities], record.raw)

    def facts(self) -> list[str]:
        return self.times.clock.facts() if self.times else []

    def _values(self, record: Record) -> Values:
        if self.times:
            self.times.clock.take_oddities()
        return {field.target: self._value(field, record) for field in self._fields}

    def _value(self, field: Field, record: Record) -> Any:
        position = self._mapped.places[field.target]
        cell, column = record.cells[position], self._sheet.labels[position]
        mark: DecimalMark = "." if isinstance(cell, Canonical) else self._mark
        if field.reads == "text":
            return cell.strip() or None
        if is_unknown(cell):
            return None
        if field.reads in {"instant", "day"}:
            return self.times.read(cell, column) if self.times else None
        if field.reads == "span":
            return span(cell, column, self._mapped.units[field.target], mark)
        return _amount(field, cell, column, mark, self._mapped.units[field.target])


def _amount(field: Field, cell: str, column: str, mark: DecimalMark, unit: str | None) -> Any:
    if field.reads == "count":
        value = number(cell, column, mark)
        if value is None:
            return None
        whole = str(int(value)) if value == int(value) else cell
        return device_count(whole, column) if field.target.startswith("gpus") else count(whole, column)
    if field.reads == "money":
        amount = decimal(cell, column, mark)
        if amount < 0:
            raise CellError(column, cell, "an amount of 0 or more", "a negative price")
        return str(amount)
    if field.reads == "memory":
        return memory_bytes(cell.replace(mark, "."), column, {"B": ""}.get(unit or "", unit or "M"))
    value = number(cell, column, mark)
    if value is not None and value < 0:
        raise CellError(column, cell, "a number of 0 or more", "a negative amount")
    return value
