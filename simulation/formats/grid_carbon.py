"""What files on the carbon of a grid share: checks of values, means over time, gaps."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.quantities import number
from simulation.formats.tables import Table

QUANTITIES = {
    "lifecycle": "average, life cycle",
    "direct": "average, direct",
    "marginal": "marginal",
    "unnamed": "not named in the file",
}
MOST_G_PER_KWH = 3000.0
"""Two and a half times what a kWh from lignite causes: more is another unit."""


def intensity(text: str, column: str) -> float | None:
    """gCO2e/kWh; CellError for what cannot be, such as another unit."""
    value = number(text, column)
    if value is not None and not 0 <= value <= MOST_G_PER_KWH:
        raise CellError(column, text, f"0 to {MOST_G_PER_KWH:g} gCO2e/kWh", "no such grid: another unit?")
    return value


def zones(table: Table) -> list[str]:
    return sorted({zone or "" for zone in table["zone"]})


def time_mean(table: Table, quantity: str, zone: str) -> float | None:
    """Mean of a quantity over time: each value holds for one step of the file, and for none of a gap."""
    steps = _steps(table, zone)
    known = [(held, table[f"{quantity}_g_per_kwh"][at]) for at, held in steps]
    weights = [held for held, value in known if value is not None]
    if not weights or not sum(weights):
        return None
    return math.fsum(held * value for held, value in known if value is not None) / math.fsum(weights)


def steps(table: Table, quantity: str, zone: str) -> list[tuple[float, float]]:
    """(seconds after the first known value, gCO2e/kWh), ascending in time; unknown values have no step."""
    column = table[f"{quantity}_g_per_kwh"]
    rows = [at for at, _ in _steps(table, zone) if column[at] is not None]
    return [(table["start_s"][at] - table["start_s"][rows[0]], column[at]) for at in rows]


def carbon_totals(table: Table) -> dict[str, Any]:
    """By zone: intervals, hours covered, gaps, estimated ones, and the mean of each quantity that the file has."""
    found: dict[str, Any] = {}
    for zone in zones(table):
        steps = _steps(table, zone)
        held = [span for _, span in steps]
        starts = [table["start_s"][at] for at, _ in steps]
        means = {name: time_mean(table, name, zone) for name in QUANTITIES}
        found[zone or "zone not stated"] = {
            "intervals": len(steps),
            "hours": math.fsum(held) / 3600,
            "gaps": sum(b - a > span for a, b, span in zip(starts, starts[1:], held, strict=False)),
            "estimated": sum(bool(table["estimated"][at]) for at, _ in steps),
            "mean_g_per_kwh": {name: mean for name, mean in means.items() if mean is not None},
        }
    return {"intervals": len(table), "zones": found}


def carbon_words(totals: dict[str, Any]) -> list[str]:
    """Sentences on the means, gaps and estimates of each zone."""
    said = []
    for zone, figures in totals["zones"].items():
        means = ", ".join(f"{mean:g} g/kWh ({QUANTITIES[name]})" for name, mean in figures["mean_g_per_kwh"].items())
        said.append(f"{zone}: mean over {figures['hours']:g} h: {means or 'nothing known'}.")
        if figures["gaps"] or figures["estimated"]:
            said.append(f"{zone}: {figures['gaps']} gaps, {figures['estimated']} intervals filled in by an estimate.")
        if figures["mean_g_per_kwh"] and max(figures["mean_g_per_kwh"].values()) < 2:
            said.append(f"{zone}: that is next to nothing; are these kg instead of g?")
    return said


def _steps(table: Table, zone: str) -> list[tuple[int, float]]:
    """(row, how long its value holds in s) of a zone, ascending in time; one alone holds for an hour."""
    rows = [at for at in range(len(table)) if (table["zone"][at] or "") == zone]
    rows.sort(key=lambda at: table["start_s"][at])
    starts = [table["start_s"][at] for at in rows]
    gaps = [b - a for a, b in pairwise(starts)]
    usual = Counter(gaps).most_common(1)[0][0] if gaps else 3600.0
    return [(at, min(gap, usual)) for at, gap in zip(rows, [*gaps, usual], strict=True)]
