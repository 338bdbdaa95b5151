"""Values of several metrics brought together: one row for each card and moment, each card's power once."""

from __future__ import annotations

import math
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.quantities import decimal, is_unknown

MAX_WATTS = 10_000.0
"""No card draws as much."""


class SampleRows:
    """Rows of a samples table in the making. Lines that add to a row, or repeat it, are folded into it."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._rows: dict[tuple[str, float | None], dict[str, Any]] = {}

    def take(self, gpu: str, at: float | None, found: dict[str, Any], line: int, raw: str) -> None:
        """Add `found` (columns that are known) to the row of a card and moment; CellError where it says otherwise.

        An exporter repeats the power of a card for each of its slices and pods: equal values are one measurement.
        """
        row = self._rows.get((gpu, at))
        if row is None:
            row = self._rows[gpu, at] = {"gpu": gpu, "at_s": at, "line": line, **found}
            self._collector.keep(row, raw=raw)
            return
        for column, value in found.items():
            if column == "held_by":
                row[column] = _joined(row.get(column), value)
            elif row.setdefault(column, value) != value:
                raise CellError(column, str(value), str(row[column]), "the card has another value for the same moment")
        self._collector.folded += 1


def _joined(before: str | None, now: str) -> str:
    return "|".join(sorted({*(before.split("|") if before else ()), now}))


def watts(text: str, column: str) -> float | None:
    """Power of one card, W; None where it was not measured."""
    return _measured(text, column, "W", 1.0, MAX_WATTS)


def percent(text: str, column: str) -> float | None:
    """A share from 0 to 1 of a number of percent."""
    return _measured(text, column, "%", 0.01, 1.0)


def millijoules(text: str, column: str) -> float | None:
    """J of a counter in mJ."""
    return _measured(text, column, "mJ", 0.001, math.inf)


def mebibytes(text: str, column: str) -> int | None:
    """Bytes of an amount in MiB."""
    found = _measured(text, column, "MiB", 1024.0**2, 1e15)
    return None if found is None else round(found)


def _measured(text: str, column: str, unit: str, factor: float, most: float) -> float | None:
    """A number, bare or with its unit; words in brackets such as [N/A] say that there is none."""
    text = text.strip()
    if is_unknown(text) or text.startswith("["):
        return None
    plain = text.removesuffix(unit).strip()
    value = float(decimal(plain, column)) * factor
    if value < 0:
        raise CellError(column, text, "0 or more", "a negative amount")
    if value > most:
        raise CellError(column, text, f"at most {most / factor:,.0f} {unit}", "beyond all measure")
    return value
