"""Numbers, spans and sizes as people write them. Each parser raises CellError; an empty cell is unknown (None)."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Literal

from simulation.formats.collector import CellError

DecimalMark = Literal[".", ","]

UNKNOWN_WORDS = frozenset({"", "n/a", "na", "none", "null", "nan", "unknown", "-", "--", "n/s", "(null)", "–", "?"})
MAX_COUNT = 2**53
MAX_DEVICES = 1_000_000
MAX_SPAN_S = 100 * 365.25 * 86_400
SPAN_UNITS = {"seconds": 1.0, "minutes": 60.0, "hours": 3_600.0, "days": 86_400.0}
_SPAN_LETTERS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0, "w": 604_800.0}
_SPAN_WORDS = "ms|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?"  # not months
_SPAN_TERM = re.compile(rf"([0-9]{{1,15}}(?:[.,][0-9]{{1,15}})?)\s*({_SPAN_WORDS})(?![a-z])\s*", re.IGNORECASE)
_CLOCK = re.compile(r"(?:(\d{1,9})-)?(\d{1,9}):(\d{1,2})(?::(\d{1,2}(?:\.\d+)?))?")
_CLOCK_FRACTION = re.compile(r"(\d{1,9}):(\d{1,2}\.\d+)")
_MEMORY = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([KMGTPE]?)(i?B?)", re.IGNORECASE)
_GROUP_MARKS = " \u00a0\u202f\u2009'\u2019"


def is_unknown(text: str) -> bool:
    """Whether a cell says nothing: empty, or one of the words that tools write for it."""
    return text.strip().lower() in UNKNOWN_WORDS


def count(text: str, column: str) -> int | None:
    """A whole number of 0 or more."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    if is_unknown(text):
        return None
    value = number(text, column)
    if value is None or value < 0 or value > MAX_COUNT or value != int(value):
        raise CellError(column, text, "a whole number, 0 or more", "not a count")
    return int(value)


def device_count(text: str, column: str) -> int | None:
    """A number of GPUs, 0 to 1,000,000."""
    devices = count(text, column)
    if devices is not None and devices > MAX_DEVICES:
        raise CellError(column, text, f"at most {MAX_DEVICES:,} GPUs", "beyond all measure")
    return devices


def checked_span(seconds: float, text: str, column: str) -> float:
    """`seconds`, where they are a span that a job can take."""
    if seconds < 0:
        raise CellError(column, text, "a span of 0 or more", "a negative duration")
    if seconds > MAX_SPAN_S:
        raise CellError(column, text, "a span under 100 years", "beyond all measure")
    return seconds


def number(text: str, column: str, mark: DecimalMark = ".") -> float | None:
    """A finite number; thousands may be grouped by blanks, apostrophes or the other mark."""
    if is_unknown(text):
        return None
    return float(decimal(text, column, mark))


def decimal(text: str, column: str, mark: DecimalMark = ".") -> Decimal:
    """An exact decimal; CellError also where the text is empty, infinite or not a number."""
    plain = text.strip()
    if plain.isascii() and plain.isdigit() and len(plain) < 16:
        return Decimal(plain)
    for group in _GROUP_MARKS:
        plain = plain.replace(group, "")
    other = "," if mark == "." else "."
    if other in plain:
        if not re.fullmatch(rf"[+-]?\d{{1,3}}(?:\{other}\d{{3}})+(?:\{mark}\d+)?", plain):
            raise CellError(column, text, f"a number with {mark!r} as decimal mark", "the marks do not fit")
        plain = plain.replace(other, "")
    plain = plain.replace(mark, ".")
    if not re.fullmatch(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", plain):
        raise CellError(column, text, "a number", "not a number")
    value = Decimal(plain)
    if not math.isfinite(float(value)):
        raise CellError(column, text, "a finite number", "beyond all measure")
    return value


def clock_span(text: str, column: str) -> float | None:
    """Seconds of `[D-]HH:MM[:SS]` or `MM:SS.mmm`, as Slurm writes spans; None where it is unknown or unlimited."""
    text = text.strip()
    if is_unknown(text) or text.lower() in {"unlimited", "partition_limit", "infinite"}:
        return None
    if fraction := _CLOCK_FRACTION.fullmatch(text):
        return checked_span(int(fraction[1]) * 60 + float(fraction[2]), text, column)
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise CellError(column, text, "a span such as 1-12:00:00", "not a span of time")
    days, first, second, third = match.groups()
    if days is None and third is None:
        return checked_span(int(first) * 60.0 + int(second), text, column)
    seconds = int(days or 0) * 86_400.0 + int(first) * 3_600.0 + int(second) * 60.0 + float(third or 0)
    return checked_span(seconds, text, column)


def span(text: str, column: str, unit: str | None, mark: DecimalMark = ".") -> float | None:
    """Seconds of a span in any usual form: `1-12:00:00`, `1:30:00`, `90m`, `1.5h`, `2h 30min`, or a number in `unit`.

    `unit` is a key of SPAN_UNITS and concerns bare numbers alone; CellError for a negative span.
    """
    text = text.strip()
    if is_unknown(text):
        return None
    if text.startswith("-"):
        raise CellError(column, text, "a span of 0 or more", "a negative duration")
    if ":" in text:
        return clock_span(text, column)
    if text[-1].isalpha():
        return _lettered_span(text, column)
    if unit is None:
        raise CellError(column, text, "a unit (seconds, minutes, hours)", "a bare number without a unit")
    return checked_span(float(decimal(text, column, mark)) * SPAN_UNITS[unit], text, column)


def _lettered_span(text: str, column: str) -> float:
    total, at = 0.0, 0
    while at < len(text):
        term = _SPAN_TERM.match(text, at)
        if term is None:
            raise CellError(column, text, "a span such as 90m, 1.5h or 1-12:00:00", "not a span of time")
        unit = term[2].lower()
        total += float(term[1].replace(",", ".")) * _SPAN_LETTERS[unit if unit == "ms" else unit[0]]
        at = term.end()
    return checked_span(total, text, column)


def memory_bytes(text: str, column: str, default_unit: str = "M") -> int | None:
    """Bytes of a size in powers of 1024 (`128G`, `386619M`, `62.50G`); a bare number is in `default_unit`."""
    text = text.strip()
    if is_unknown(text):
        return None
    match = _MEMORY.fullmatch(text)
    if match is None:
        raise CellError(column, text, "a size such as 128G", "not a size of memory")
    power = "_KMGTPE".index((match[2] or default_unit).upper()) if (match[2] or default_unit) else 0
    return int(Decimal(match[1]) * 1024**power)
