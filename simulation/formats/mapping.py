"""Which column of a free table is which: guesses by header words in English, German and French, confirmed by people."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from simulation.formats.interview import Interview
from simulation.formats.quantities import SPAN_UNITS
from simulation.formats.reading import Question, SourceColumn
from simulation.formats.sheet import Sheet

Reads = Literal["text", "count", "number", "span", "instant", "day", "money", "memory"]
NOT_THERE = ("", "not in this file")
MEMORY_UNITS = {"B": "bytes", "M": "MiB", "G": "GiB"}


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a normalised table that a free layout may hold. `words`: a pattern for its plain header."""

    target: str
    title: str
    reads: Reads
    words: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Mapped:
    """Where each mapped field stands in the sheet, and the unit of bare numbers where it has one (None: unknown)."""

    places: dict[str, int]
    units: dict[str, str | None]
    columns: tuple[SourceColumn, ...]


def plain_header(label: str) -> str:
    """Lower case, without accents, words apart: `Preis je GPU-Stunde (EUR)` -> `preis je gpu stunde (eur)`."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", label.lower()) if not unicodedata.combining(c))
    bare = re.sub(r"[_\-./#:\s]+", " ", bare.replace("ß", "ss"))
    return bare.strip()


def guess(labels: list[str], fields: tuple[Field, ...]) -> dict[str, int]:
    """Target -> position of the first free column whose header fits; fields are tried in order."""
    places: dict[str, int] = {}
    for field in fields:
        for position, label in enumerate(labels):
            if position not in places.values() and re.search(field.words, plain_header(label)):
                places[field.target] = position
                break
    return places


def ask_mapping(sheet: Sheet, fields: tuple[Field, ...], interview: Interview) -> Mapped:
    """Ask for the column of each field, then for the units of bare numbers in spans and sizes."""
    guesses = guess(sheet.labels, fields)
    places: dict[str, int] = {}
    options = tuple((label, label) for label in sheet.labels)
    for field in fields:
        at = guesses.get(field.target)
        found = None if at is None else sheet.labels[at]
        answer = interview.ask(
            Question(
                f"column.{field.target}",
                f"Which column holds {field.title}?",
                "mapping",
                options if field.required else (NOT_THERE, *options),
                found if found is not None else None if field.required else "",
                "guessed from its header" if found else "no header looks like it",
            )
        )
        if answer:
            places[field.target] = sheet.labels.index(answer)
    units = {
        field.target: _ask_unit(sheet, field, places[field.target], interview)
        for field in fields
        if field.target in places
    }
    target_of = {position: target for target, position in places.items()}
    columns = tuple(
        SourceColumn(label, sheet.samples(position), target_of.get(position))
        for position, label in enumerate(sheet.labels)
    )
    return Mapped(places, units, columns)


_UNIT_WORDS = {
    "seconds": r"\b(s|sec|secs|seconds?|sekunden?|secondes?)\b",
    "minutes": r"\b(min|mins|minutes?|minuten?)\b",
    "hours": r"\b(h|hr|hrs|hours?|stunden?|std|heures?)\b",
    "days": r"\b(d|days?|tagen?|jours?)\b",
}
_MEMORY_WORDS = {"B": r"\b(b|bytes?|octets?)\b", "M": r"\b(mib|mb|mo)\b", "G": r"\b(gib|gb|go)\b"}


def unit_in_header(label: str, words: dict[str, str]) -> str | None:
    """The one unit that a header names; None where it names none or several."""
    found = [unit for unit, pattern in words.items() if re.search(pattern, plain_header(label))]
    return found[0] if len(found) == 1 else None


def _ask_unit(sheet: Sheet, field: Field, position: int, interview: Interview) -> str | None:
    if field.reads not in {"span", "memory"}:
        return None
    if not any(re.fullmatch(r"\s*[\d.,'\s]+\s*", cell) for cell in sheet.column(position)):
        return None
    label = sheet.labels[position]
    spans = field.reads == "span"
    options = tuple((unit, unit) for unit in SPAN_UNITS) if spans else tuple(MEMORY_UNITS.items())
    named = unit_in_header(label, _UNIT_WORDS if spans else _MEMORY_WORDS)
    return interview.ask(
        Question(
            f"unit.{field.target}",
            f"In which unit are the bare numbers of {label!r}?",
            "choice",
            options,
            named,
            "its header names it" if named else "its header does not name a unit",
        )
    )
