"""`nvidia-smi --query-gpu=... --format=csv`: one row a card and moment, with or without header and units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.instants import Clock
from simulation.formats.power_figures import energy_words, sample_totals
from simulation.formats.quantities import is_unknown
from simulation.formats.reading import Question, Reading
from simulation.formats.samples import mebibytes, percent, watts
from simulation.formats.source import Source

SLUG, VERSION = "nvidia-smi", "1"
POWER = ("power.draw", "power.draw.average", "power.draw.instant")
CARD = ("uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "index")
"""Fields that tell cards apart, the one that lasts longest first."""
NAME = ("name", "gpu_name")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where each field stands."""

    places: dict[str, int]
    width: int

    def cell(self, cells: list[str], *fields: str) -> str:
        """The first of `fields` that the layout has, '' where it has none of them."""
        return next((cells[self.places[field]] for field in fields if field in self.places), "")


def detect_nvidia_smi(text: str, filename: str) -> tuple[float, str]:
    first = text.split("\n", 1)[0]
    if _is_header(first) and {*CARD, *NAME} & set(_fields(first)):
        return 0.95, "the first line names fields of nvidia-smi --query-gpu"
    if ", " in first and "GPU-" in first and " W" in first:
        return 0.6, "cells with a card's UUID and a power in W, as nvidia-smi prints them without header"
    return 0.0, ""


def read_nvidia_smi(source: Source) -> Reading:
    """A row of the counts is one line; a header that comes again, as after a restart, may name other fields."""
    collector, clock = Collector("samples"), Clock(None)
    layout = _first_layout(source)
    if layout is None or "timestamp" in layout.places:
        clock.zone = source.interview.ask_zone("timestamp", None, "nvidia-smi writes local time without an offset")
    in_file = 0
    for line, text in source.lines():
        in_file += 1
        if layout is None or not text.strip():
            collector.skipped += 1
        elif _is_header(text):
            layout = _layout(_fields(text))
            collector.skipped += 1
        else:
            _take(collector, layout, clock, line, text)
    table = collector.table()
    facts = [*source.facts(), *clock.facts(), *energy_words(table)]
    if layout is not None and not {*CARD[:4]} & layout.places.keys():
        facts.append("Cards are told apart by index, which may change when a machine starts anew.")
    totals = sample_totals(table)
    return collector.reading(source, SLUG, VERSION, table, in_file=in_file, totals=totals, facts=facts)


def _is_header(line: str) -> bool:
    return not {*POWER, "timestamp", "utilization.gpu", "memory.used"}.isdisjoint(_fields(line))


def _fields(line: str) -> list[str]:
    """Names without the units in brackets."""
    return [cell.split("[", 1)[0].strip().lower() for cell in line.split(",")]


def _layout(fields: list[str]) -> _Layout:
    return _Layout({field: at for at, field in reversed(list(enumerate(fields)))}, len(fields))


def _first_layout(source: Source) -> _Layout | None:
    """That of the header, else of the fields that somebody names; None while that is open."""
    first = next((line for _, line in source.lines() if line.strip()), None)
    if first is None:
        raise FormatError(source.name, expected="a header or a sample; there are only blank lines")
    if _is_header(first):
        return _layout(_fields(first))
    width = first.count(",") + 1
    answer = source.interview.ask(
        Question(
            "fields",
            "The file has no header line: which fields were queried, in order?",
            "text",
            (("timestamp,index,name,uuid,utilization.gpu,memory.used,memory.total,power.draw", "a usual query"),),
            None,
            f"the first line has {width} cells; type what stood behind --query-gpu=",
        )
    )
    if answer is None:
        return None
    fields = _fields(answer)
    if len(fields) != width:
        raise source.interview.refusal("fields", answer, f"{width} names with commas between, as many as cells")
    return _layout(fields)


def _take(collector: Collector, layout: _Layout, clock: Clock, line: int, text: str) -> None:
    try:
        row, oddities = _sample(layout, clock, line, text)
        if row["at_s"] is None:
            collector.keep(row, oddities, text)
        else:
            collector.keep_once(f"{row['gpu']} at {layout.cell(text.split(','), 'timestamp')}", row, oddities, text)
    except CellError as error:
        clock.take_oddities()
        collector.reject(line, error, text)


def _sample(layout: _Layout, clock: Clock, line: int, text: str) -> tuple[dict[str, Any], list[CellError]]:
    cells = [cell.strip() for cell in text.split(",")]
    if len(cells) != layout.width:
        raise CellError(None, text, f"{layout.width} cells", f"{len(cells)} cells: a line is broken")
    card = layout.cell(cells, *CARD)
    if is_unknown(card) or card.startswith("["):
        raise CellError("uuid", card, "a uuid, pci.bus_id or index", "it is not known which card this is")
    row = {
        "gpu": card,
        "gpu_model": layout.cell(cells, *NAME) or None,
        "at_s": clock.read(layout.cell(cells, "timestamp").replace("/", "-"), "timestamp"),
        "watts": watts(layout.cell(cells, *POWER), "power.draw"),
        "utilisation": percent(layout.cell(cells, "utilization.gpu"), "utilization.gpu"),
        "memory_used_bytes": mebibytes(layout.cell(cells, "memory.used"), "memory.used"),
        "line": line,
    }
    oddities = clock.take_oddities()
    if row["watts"] is None:
        oddities.append(CellError("power.draw", layout.cell(cells, *POWER), "a number of W", "not measured, not 0 W"))
    return row, oddities


FORMAT = Format(
    slug=SLUG,
    title="nvidia-smi samples",
    kind="samples",
    made_by="nvidia-smi --query-gpu=timestamp,index,name,uuid,utilization.gpu,memory.used,power.draw --format=csv",
    detect=detect_nvidia_smi,
    read=read_nvidia_smi,
    reads="time, card (uuid, else bus, else index), model, power, share of time with a running kernel, memory in use",
    leaves="clocks, temperatures, limits and all other fields; whether the power is an average is not in the file",
    unknowns=(
        "[N/A] and other words in brackets: not measured, never 0; no zone in the times: asked; no header: the fields "
        "are asked; gaps of more than three usual ones count in no energy"
    ),
)
