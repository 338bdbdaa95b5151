"""Writes docs/reference/agreement.md and speed.md out of the kept snapshots; a test holds them together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from planner.evidence.fidelity import MAKE as MAKE_AGREEMENT
from planner.evidence.fidelity import VERDICTS, Group, Row, agreement
from planner.evidence.speed import MAKE as MAKE_SPEED
from planner.evidence.speed import Measure, speed

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
AGREEMENT, SPEED = FOLDER / "agreement.md", FOLDER / "speed.md"
NEAR = 0.001  # in the unit of a figure: below it two are called equal
HEAD = "Made by `python -m scripts.engine_reference` out of {}, which `{}` makes; do not edit."


def agreement_reference() -> str:
    return "\n".join(_agreement()) + "\n"


def _agreement() -> Iterator[str]:
    found = agreement()
    yield "# Agreement with other simulators"
    yield ""
    yield HEAD.format("`fixtures/fidelity.json`", MAKE_AGREEMENT)
    if found is None:
        return
    yield f"Engine {found.engine}, {found.made_on}, `{found.command}`: {len(found.rows)} figures."
    yield ""
    yield "A case is a trace and a cluster that another simulator was run on, under one policy. The engine replays it"
    yield "under a profile of that simulator, and both results are held against each other."
    yield ""
    yield from (f"- *{word}*: {meaning}" for word, meaning in VERDICTS.items())
    yield ""
    yield "| peer | their figures | where from | cases | " + " | ".join(VERDICTS) + " | jobs alike | times faster |"
    yield "| --- | --- | --- | --- | " + "--- | " * len(VERDICTS) + "--- | --- |"
    yield from map(_peer, found.groups())
    for group in found.groups():
        apart = [row for row in group.rows if row.verdict != "pass" or (row.error or 0.0) > NEAR]
        yield ""
        yield f"## {group.peer.title}: {len(group.rows) - len(apart)} figures are equal, {len(apart)} are not"
        if not apart:
            continue
        yield ""
        yield "| case | quantity | theirs | ours | error | tolerance | unit | verdict |"
        yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
        yield from map(_row, apart)


def _peer(group: Group) -> str:
    alike = "" if group.alike is None else "{:,} of {:,}".format(*group.alike)
    faster = "" if group.faster is None else "{0:.3g} to {2:.3g}, middle {1:.3g}".format(*group.faster)
    counts = [str(count) for count in group.counts.values()]
    theirs = f"{group.peer.origin}: {group.peer.by}"
    return _cells(group.peer.title, theirs, group.peer.source, str(len(group.cases)), *counts, alike, faster)


def _row(row: Row) -> str:
    numbers = (_number(value) for value in (row.theirs, row.ours, row.error, row.tolerance))
    return _cells(f"`{row.run}`", row.quantity, *numbers, row.unit, row.verdict)


def speed_reference() -> str:
    return "\n".join(_speed()) + "\n"


def _speed() -> Iterator[str]:
    found = speed()
    yield "# How fast it is"
    yield ""
    yield HEAD.format("`fixtures/speed.json`", MAKE_SPEED)
    if found is None:
        return
    yield f"Engine {found.engine}, {found.made_on}, {', '.join(found.machine.values())}. One run on one machine; the"
    yield "yardstick ran in the same run. Against other simulators: [agreement](agreement.md)."
    for group in found.groups:
        yield ""
        yield f"## {group.about}"
        yield ""
        yield "| what | figure | asked | yardstick | times as fast | met |"
        yield "| --- | --- | --- | --- | --- | --- |"
        yield from map(_measure, group.figures)


def _measure(measure: Measure) -> str:
    asked = [f"{word} {_number(end)}" for word, end in (("≥", measure.least), ("≤", measure.most)) if end is not None]
    met = {True: "yes", False: "no", None: ""}[measure.met]
    value = f"{_number(measure.value)} {measure.unit}".strip()
    return _cells(measure.text, value, ", ".join(asked), _number(measure.beside), _number(measure.as_fast), met)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.6g}"


def _cells(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    AGREEMENT.write_text(agreement_reference(), encoding="utf-8")
    SPEED.write_text(speed_reference(), encoding="utf-8")
