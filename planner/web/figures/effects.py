"""Effects with their intervals, one a row, against what has to be exceeded: a signature, and its ablation beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.web.figures.figure import DASHES, SYMBOLS, Figure, Json, Source, axis, line, nothing, words
from planner.web.numbers import written
from simulation.provenance import Origin

_AIR = 0.08


@dataclass(frozen=True, slots=True)
class Gain:
    """In percent; `low` and `high` are the ends of the interval."""

    name: str
    mean: float
    low: float
    high: float
    least: float
    shown: bool
    n: int

    @property
    def said(self) -> str:
        return "shown" if self.shown else "no difference shown" if self.low <= 0 <= self.high else "not shown"

    @property
    def text(self) -> str:
        return f"{_percent(self.mean)} [{_percent(self.low)}, {_percent(self.high)}] %"


def effect_figure(
    name: str, title: str, quantity: str, rows: Sequence[Gain], beside: Sequence[Gain], *, source: Source
) -> Figure:
    """`beside`: rows of the figure next to it; both have one axis."""
    if not rows:
        return nothing(name, title, "no seed in which both are known.")
    low, high = _ends([*rows, *beside])
    return Figure(
        name=name,
        title=title,
        summary=f"{quantity}: {'; '.join(f'{g.name} {g.text}, {g.said}' for g in rows)}.",
        data=(_points(rows, source.origin or Origin.SIMULATED),),
        layout=_layout(quantity, rows, low, high),
        labels={"left": [g.name for g in (*rows, *beside)]},
        head=("", f"{quantity} (%)", "From (%)", "To (%)", "More than (%)", "n", ""),
        rows=tuple(
            (g.name, _percent(g.mean), _percent(g.low), _percent(g.high), _percent(g.least), f"{g.n}", g.said)
            for g in rows
        ),
        sources=(source,),
        height="wee",
    )


def _percent(value: float) -> str:
    return written(value, 1)


def _ends(rows: Sequence[Gain]) -> tuple[float, float]:
    low, high = min(0.0, *(g.low for g in rows)), max(0.0, *(max(g.high, g.least) for g in rows))
    air = _AIR * ((high - low) or 1.0)
    return low - air, high + air


def _points(rows: Sequence[Gain], origin: Origin) -> Json:
    return {
        "type": "scatter",
        "mode": "markers",
        "y": [g.name for g in rows],
        "x": [g.mean for g in rows],
        "marker": {"symbol": SYMBOLS[origin], "size": 11, "color": "@ink", "line": {"width": 2}},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [g.high - g.mean for g in rows],
            "arrayminus": [g.mean - g.low for g in rows],
            "color": "@ink",
            "thickness": 1.5,
            "width": 5,
        },
        "hovertemplate": [f"{g.text}<extra>%{{y}}</extra>" for g in rows],
    }


def _layout(quantity: str, rows: Sequence[Gain], low: float, high: float) -> Json:
    marks = [line(0, -0.5, 0, len(rows) - 0.5, "@ink2")]
    notes = [words(g.said, g.mean, i, yshift=18, xanchor="center") for i, g in enumerate(rows)]
    for i, gain in enumerate(rows):
        if gain.least:
            threshold = line(gain.least, i - 0.4, gain.least, i + 0.4, "@ink")
            marks.append({**threshold, "line": {**threshold["line"], "dash": DASHES[Origin.ASSUMED]}})
            notes.append(
                words(
                    f"more than {_percent(gain.least)} %", gain.least, i, yshift=-30, xanchor="center", bgcolor="@paper"
                )
                | {"font": {"color": "@ink2"}}
            )
    return {
        "margin": {"l": 80, "r": 20, "t": 12, "b": 46},
        "xaxis": axis(f"{quantity} (%)", range=[low, high]),
        "yaxis": {
            "type": "category",
            "autorange": False,
            "range": [len(rows) - 0.5, -0.5],
            "showgrid": False,
            "tickfont": {"color": "@ink"},
            "ticksuffix": "  ",
            "fixedrange": True,
        },
        "shapes": marks,
        "annotations": notes,
    }
