"""Instants as logs write them, to seconds since 1970 UTC; hours that a clock change repeats or leaves out are told."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo

from simulation.formats.collector import CellError
from simulation.formats.quantities import is_unknown

EARLIEST = datetime(1990, 1, 1, tzinfo=UTC).timestamp()
LATEST = datetime(2100, 1, 1, tzinfo=UTC).timestamp()
EXCEL_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - a spreadsheet knows no zone
EXPECTED = "a time such as 2026-03-01T08:00:00, from 1990 to 2099"
_FRACTION = re.compile(r"\.(\d+)")


@dataclass(slots=True)
class Clock:
    """Turns text into instants. `zone` is for times without an offset; None stands in UTC until it is answered.

    Counts what it met: times that occur twice, that never occurred, that had an offset, and epoch zeros.
    """

    zone: tzinfo | None
    repeated: int = 0
    skipped: int = 0
    with_offset: int = 0
    zeros: int = 0
    oddities: list[CellError] = field(default_factory=list)
    fold: int = 0

    def read(self, text: str, column: str) -> float | None:
        """Seconds since 1970 UTC; None where the cell says nothing or is the zero of 1970; CellError else."""
        text = text.strip()
        if is_unknown(text):
            return None
        return self.instant(parse_iso(text, column), text, column)

    def instant(self, moment: datetime, text: str, column: str) -> float | None:
        """Seconds since 1970 UTC of a parsed moment, naive or aware."""
        if moment.year == 1970 or (moment.year == 1969 and moment.month == 12):
            self.zeros += 1
            self._tell(column, text, "a real time", "1970-01-01 stands for an unknown time")
            return None
        if moment.tzinfo is not None:
            self.with_offset += 1
        else:
            moment = self._placed(moment, text, column)
        seconds = moment.timestamp()
        if not EARLIEST <= seconds < LATEST:
            raise CellError(column, text, EXPECTED, "a date that cannot be")
        return seconds

    def take_oddities(self) -> list[CellError]:
        """What was odd since the last call."""
        taken, self.oddities = self.oddities, []
        return taken

    def facts(self) -> list[str]:
        """Sentences about clock changes and zeros met so far."""
        name = str(self.zone or "UTC")
        found = []
        if self.repeated:
            found.append(f"{self.repeated} times fall in an hour that a clock change in {name} repeats.")
        if self.skipped:
            found.append(f"{self.skipped} times fall in an hour that never was in {name}: is the zone right?")
        if self.zeros:
            found.append(f"{self.zeros} times are 1970-01-01 and were taken as unknown.")
        return found

    def _placed(self, moment: datetime, text: str, column: str) -> datetime:
        if self.zone is None or self.zone is UTC:
            return moment.replace(tzinfo=UTC)
        placed = moment.replace(tzinfo=self.zone)
        first, second = placed.utcoffset(), placed.replace(fold=1).utcoffset()
        if first == second or first is None or second is None:
            return placed
        if first > second:
            self.repeated += 1
            which = "second" if self.fold else "first"
            self._tell(column, text, "a time that occurs once", f"this hour occurs twice; the {which} was taken")
            return placed.replace(fold=self.fold)
        self.skipped += 1
        self._tell(column, text, "a time that occurs", "the clocks leave this hour out")
        return placed

    def _tell(self, column: str, text: str, expected: str, reason: str) -> None:
        self.oddities.append(CellError(column, text, expected, reason))


def parse_iso(text: str, column: str) -> datetime:
    """A datetime of an ISO form, `T` or blank between, any number of decimals, offset or not."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        shortened = _FRACTION.sub(lambda match: "." + (match[1] + "000000")[:6], text, count=1)
    try:
        return datetime.fromisoformat(shortened)
    except ValueError:
        raise CellError(column, text, EXPECTED, "not a time that can be") from None


def from_excel_serial(serial: float, text: str, column: str) -> datetime:
    """The moment of a spreadsheet's day number (1 = 1900-01-01, 25569 = 1970-01-01), to the nearest millisecond."""
    if not math.isfinite(serial) or not 1 <= serial < 80_000:
        raise CellError(column, text, "a day number from 1 to 80,000", "not a day number")
    return EXCEL_EPOCH + timedelta(milliseconds=round(serial * 86_400_000))
