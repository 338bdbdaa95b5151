"""How much a table of free layout looks like jobs, nodes or prices, judged by its header words."""

from __future__ import annotations

import csv

from simulation.formats.dialect import SAMPLE_LINES, fitting_separators
from simulation.formats.mapping import Field, guess

WORKBOOK = "workbook"
"""What detectors get as text where the file is a zip archive."""


def sheet_confidence(
    text: str, fields: tuple[Field, ...], telling: tuple[str, ...], filename: str
) -> tuple[float, str]:
    """Up to 0.6, so that a format that knows its own header wins; `telling` are the fields that set this kind apart."""
    if text == WORKBOOK:
        return (0.3, "an Excel workbook") if filename.lower().endswith((".xlsx", ".xlsm")) else (0.1, "a zip archive")
    lines = [line for line in text.split("\n")[:SAMPLE_LINES] if line.strip()]
    if lines and lines[0].lower().startswith("sep="):
        lines = lines[1:]
    if len(lines) > 1:
        lines.pop()  # the head may end in the middle of a line
    separators = fitting_separators(lines)
    if not separators:
        return 0.0, ""
    header = next(csv.reader(lines, delimiter=separators[0]))
    found = guess([cell.strip() for cell in header], fields)
    told = [target for target in telling if target in found]
    if not told:
        return 0.0, ""
    share = len(found) / len(header)
    confidence = min(0.6, 0.1 + 0.3 * share + 0.3 * len(told) / len(telling))
    return confidence, f"a table whose header fits {len(found)} of {len(header)} columns"
