"""How a spreadsheet writes numbers and dates: proved by its own cells where they prove it, asked where they do not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo

from simulation.formats.collector import CellError
from simulation.formats.instants import EXPECTED, Clock, from_excel_serial, parse_iso
from simulation.formats.interview import Interview
from simulation.formats.quantities import DecimalMark, is_unknown, number
from simulation.formats.reading import Question
from simulation.formats.workbook import Canonical

_LOCAL_DATE = re.compile(
    r"(\d{1,4})([./-])(\d{1,2})\2(\d{2,4})(?:[ T,]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*([AaPp][Mm])?)?"
)
_ISO_DATE = re.compile(r"\d{4}-?\d{2}-?\d{2}(?:[ T].*)?")
_BARE_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_OFFSET = re.compile(r"(?:Z|[+-]\d{2}:?\d{2})$", re.IGNORECASE)
_EITHER_WAY = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
EPOCH_SECONDS, EPOCH_MILLISECONDS = (600_000_000, 4_200_000_000), (600_000_000_000, 4_200_000_000_000)
TIME_FORMS = (
    ("epoch-s", "seconds since 1970 UTC"),
    ("epoch-ms", "milliseconds since 1970 UTC"),
    ("excel", "day numbers of a spreadsheet, 25569 = 1970-01-01"),
    ("relative-s", "seconds since the log began"),
)


def ask_decimal_mark(cells: Iterable[str], interview: Interview) -> DecimalMark:
    """The decimal mark of text cells; the question `decimal_mark` with a default only where the cells prove it."""
    proofs: set[str] = set()
    unsure = ""
    for cell in cells:
        if isinstance(cell, Canonical) or not ("," in cell or "." in cell):
            continue
        proof = _proved_mark(cell.strip())
        if proof:
            proofs.add(proof)
        elif _EITHER_WAY.fullmatch(cell.strip()):
            unsure = unsure or cell.strip()
    if not proofs and not unsure:
        return "."
    known = proofs.pop() if len(proofs) == 1 else None
    why = f"{unsure!r} could be read both ways" if unsure and not known else "the numbers in the file show it"
    question = Question(
        "decimal_mark",
        "Which is the decimal mark?",
        "choice",
        ((".", "point: 1,234.5"), (",", "comma: 1.234,5")),
        known,
        why if known or unsure else "the file has numbers of both kinds",
    )
    return "," if interview.ask(question) == "," else "."


def _proved_mark(text: str) -> DecimalMark | None:
    """The decimal mark that a number can only have; None where it is no number, or fits both."""
    plain = re.sub(r"[\s'\u2019+-]", "", text)
    if not re.fullmatch(r"[\d.,]*\d[\d.,]*", plain) or _EITHER_WAY.fullmatch(plain):
        return None
    points, commas = plain.count("."), plain.count(",")
    if points and commas:
        return "." if plain.rfind(".") > plain.rfind(",") else ","
    if points + commas > 1:  # a mark that repeats groups thousands
        return "," if points else "."
    return "." if points else "," if commas else None


class TimeStyle:
    """Reads the instants of a sheet; asks once for zone, order of day and month, and meaning of bare numbers."""

    def __init__(self, columns: dict[str, list[str]], interview: Interview, *, zoned: bool = True) -> None:
        """`columns`: label -> cells of all columns that hold instants; not `zoned`: days, whose zone is no matter."""
        cells = [cell.strip() for column in columns.values() for cell in column if not is_unknown(cell)]
        text_cells = [cell for cell in cells if not _BARE_NUMBER.fullmatch(cell)]
        self._form = _ask_time_form([cell for cell in cells if _BARE_NUMBER.fullmatch(cell)], interview)
        self._order = _ask_date_order(text_cells, interview)
        naive = any(not _OFFSET.search(cell) or _LOCAL_DATE.fullmatch(cell) for cell in text_cells)
        self.relative = self._form == "relative-s" and not text_cells
        zone: tzinfo | None = (
            interview.ask_zone(" and ".join(columns)) if zoned and (naive or self._form == "excel") else UTC
        )
        self.clock = Clock(zone)

    def read(self, text: str, column: str) -> float | None:
        """Seconds since 1970 UTC, or since the log began where the numbers mean that."""
        text = text.strip()
        if is_unknown(text):
            return None
        if _BARE_NUMBER.fullmatch(text) and not _ISO_DATE.fullmatch(text):
            return self._from_number(text, column)
        local = _LOCAL_DATE.fullmatch(text)
        moment = self._local(local, text, column) if local else parse_iso(text, column)
        return self.clock.instant(moment, text, column)

    def _from_number(self, text: str, column: str) -> float | None:
        value = number(text.replace(",", "."), column)
        if value is None or value < 0:
            raise CellError(column, text, EXPECTED, "a negative time")
        if self._form == "excel":
            return self.clock.instant(from_excel_serial(value, text, column), text, column)
        if self._form == "relative-s":
            return value
        seconds = value / 1000 if self._form == "epoch-ms" else value
        if not EPOCH_SECONDS[0] <= seconds < EPOCH_SECONDS[1]:
            raise CellError(column, text, EXPECTED, "a date that cannot be")
        return seconds

    def _local(self, match: re.Match[str], text: str, column: str) -> datetime:
        first, _, second, third, clock, half = match.groups()
        order = "ymd" if len(first) > 2 else self._order or "dmy"
        parts = dict(zip(order, (int(first), int(second), int(third)), strict=True))
        year = parts["y"] + 2000 if parts["y"] < 100 else parts["y"]
        try:
            day = datetime(year, parts["m"], parts["d"])  # noqa: DTZ001 - the zone is put on by the clock
            hours, minutes, seconds = (float(part) for part in f"{clock or '0:0'}:0".split(":")[:3])
            if half:
                hours = hours % 12 + (12 if half.lower() == "pm" else 0)
            return day.replace(
                hour=int(hours), minute=int(minutes), second=int(seconds), microsecond=round(seconds % 1 * 1_000_000)
            )
        except ValueError:
            raise CellError(column, text, EXPECTED, "not a time that can be") from None


def _ask_date_order(cells: list[str], interview: Interview) -> str | None:
    local = [match for match in map(_LOCAL_DATE.fullmatch, cells) if match and len(match[1]) <= 2]
    if not local:
        return None
    if all(match[2] == "." for match in local):
        default, why = "dmy", "dates with points are written day first"
    elif any(int(match[1]) > 12 for match in local):
        default, why = "dmy", "a first number above 12 can only be a day"
    elif any(int(match[3]) > 12 for match in local):
        default, why = "mdy", "a second number above 12 can only be a day"
    else:
        default, why = None, f"{local[0][0]!r} could be read both ways"
    options = (("dmy", "day, month, year"), ("mdy", "month, day, year"), ("ymd", "year, month, day"))
    return interview.ask(Question("date_order", "In which order are dates written?", "choice", options, default, why))


def _ask_time_form(cells: list[str], interview: Interview) -> str | None:
    bare = [cell for cell in cells if not _ISO_DATE.fullmatch(cell)]
    if not bare:
        return None
    values = [float(cell.replace(",", ".")) for cell in bare]
    default = None
    if all(EPOCH_SECONDS[0] <= value < EPOCH_SECONDS[1] for value in values):
        default = "epoch-s"
    elif all(EPOCH_MILLISECONDS[0] <= value < EPOCH_MILLISECONDS[1] for value in values):
        default = "epoch-ms"
    why = "numbers of this size can hardly be anything else" if default else f"{bare[0]!r} could mean several things"
    return interview.ask(
        Question(
            "time_form", "Times are written as bare numbers: what do they count?", "choice", TIME_FORMS, default, why
        )
    )
