"""Writes docs/reference/formats.md: what each reader of the registry takes and leaves; a test holds both together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from simulation.formats.columns import COLUMNS
from simulation.formats.format import Format
from simulation.formats.registry import FORMATS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "formats.md"


def reference() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# File formats"
    yield ""
    yield "Made by `python -m scripts.formats_reference` out of `simulation/formats/registry.py`; do not edit."
    yield "Every row of a file is accepted, warned, rejected with a reason, folded or skipped, and the counts add up."
    yield "Times without a zone are asked about; unknown is never 0, still running is never finished."
    yield ""
    yield "| format | a row is | how to get such a file | what is read | what is not | how unknowns are treated |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from map(_row, FORMATS.values())
    yield ""
    for kind, columns in COLUMNS.items():
        yield f"## What comes out: {kind}"
        yield ""
        yield "| column | unit | meaning |"
        yield "| --- | --- | --- |"
        yield from (_cells(f"`{c.name}`", c.unit or "text or count", c.description) for c in columns)
        yield ""
    yield "`python -m simulation convert FORMAT FILE --out DIR` writes these tables without the website."


def _row(entry: Format) -> str:
    named = f"{entry.title} (`{entry.slug}`)"
    return _cells(named, entry.kind.removesuffix("s"), entry.made_by, entry.reads, entry.leaves, entry.unknowns)


def _cells(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(reference())
