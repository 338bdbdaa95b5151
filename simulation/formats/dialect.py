"""Which character separates the cells of a spreadsheet export: `sep=`, else the one that fits all first lines."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from simulation.formats.errors import FormatError
from simulation.formats.reading import Question
from simulation.formats.source import Source

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
SAMPLE_LINES = 50
FITTING_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class Dialect:
    """The separator, and how many lines (the `sep=` line) come before the header."""

    separator: str
    skip_lines: int


def fitting_separators(lines: list[str]) -> list[str]:
    """Separators that cut the header into two cells or more, and nearly all lines into as many."""
    fitting = []
    for separator in SEPARATORS:
        widths = _widths(lines, separator)
        if widths and widths[0] > 1 and widths.count(widths[0]) >= FITTING_SHARE * len(widths):
            fitting.append(separator)
    return fitting


def find_dialect(source: Source) -> Dialect:
    """FormatError where nothing separates cells; where several characters might, the question `separator`."""
    lines = [line for (_, line), _ in zip(source.lines(), range(SAMPLE_LINES), strict=False)]
    if lines and lines[0].lower().startswith("sep=") and len(lines[0]) == 5:
        return Dialect(lines[0][4], 1)
    written = [line for line in lines if line.strip()]
    if not written:
        raise FormatError(source.name, expected="a header line; there are only blank lines")
    fitting = fitting_separators(written)
    if not fitting:
        fitting = [separator for separator in SEPARATORS if separator in written[0]][:1]
    if not fitting:
        names = ", ".join(SEPARATORS.values())
        raise FormatError(source.name, line=1, value=written[0], expected=f"a header of two columns or more ({names})")
    if len(fitting) == 1:
        return Dialect(fitting[0], 0)
    answer = source.interview.ask(
        Question(
            "separator",
            "Which character separates the cells?",
            "choice",
            tuple((SEPARATORS[each], f"{SEPARATORS[each]} ({each!r})") for each in fitting),
            None,
            "several characters cut the lines into equal numbers of cells",
        )
    )
    by_name = {name: separator for separator, name in SEPARATORS.items()}
    return Dialect(by_name[answer] if answer else fitting[0], 0)


def _widths(lines: list[str], separator: str) -> list[int]:
    try:
        return [len(cells) for cells in csv.reader((line + "\n" for line in lines), delimiter=separator) if cells]
    except csv.Error:
        return []
