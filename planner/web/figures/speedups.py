"""How many times faster than other simulators: a row a peer, a mark a case, on one logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from planner.web.figures.axes import log_ticks
from planner.web.figures.figure import SYMBOLS, Figure, Json, Source, axis, inert, line, nothing, words
from planner.web.numbers import times
from simulation.provenance import Origin

_AIR = 1.5  # of the axis, on either side


@dataclass(frozen=True, slots=True)
class Ratios:
    """(case, their CPU seconds over ours) of one peer."""

    peer: str
    cases: tuple[tuple[str, float], ...]

    @property
    def values(self) -> list[float]:
        return [ratio for _, ratio in self.cases]


def speedup_figure(peers: Sequence[Ratios]) -> Figure:
    """`peers` must have a case each."""
    title = "Times faster than other simulators, case by case"
    if not peers:
        return nothing("speedups", title, "no reference case has been run whose time is known.")
    everything = [ratio for peer in peers for ratio in peer.values]
    low, high = min(1.0, *everything) / _AIR, max(everything) * _AIR
    caption = f"n = {len(everything)} cases; CPU seconds of their whole process over ours. Bar: the middle one."
    said = [
        f"{p.peer}: {times(min(p.values))} to {times(max(p.values))}, middle {times(median(p.values))}" for p in peers
    ]
    return Figure(
        name="speedups",
        title=title,
        summary=f"{'; '.join(said)}.",
        data=tuple(_marks(peer) for peer in peers),
        layout=_layout(peers, low, high),
        labels={"left": [peer.peer for peer in peers]},
        head=("Case", "Times faster"),
        rows=tuple((f"{peer.peer}, {case}", times(ratio)) for peer in peers for case, ratio in peer.cases),
        sources=(Source(Origin.MEASURED, caption),),
    )


def _marks(peer: Ratios) -> Json:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": peer.values,
        "y": [peer.peer] * len(peer.cases),
        "marker": {"symbol": SYMBOLS[Origin.MEASURED], "size": 9, "color": "@measured/.55", "line": {"width": 0}},
        "hovertemplate": [f"{inert(case)}<br>{times(ratio)} times faster<extra></extra>" for case, ratio in peer.cases],
    }


def _layout(peers: Sequence[Ratios], low: float, high: float) -> Json:
    ticks = log_ticks(low, high)
    middles = [median(peer.values) for peer in peers]
    return {
        "margin": {"l": 80, "r": 20, "t": 20, "b": 46},
        "xaxis": axis(
            "Times faster (log)", type="log", range=[math.log10(low), math.log10(high)], tickvals=ticks,
            ticktext=[f"{tick:,.10g}" for tick in ticks],
        ),
        "yaxis": {
            "type": "category",
            "autorange": False,
            "range": [len(peers) - 0.5, -0.5],
            "gridcolor": "@line",
            "tickfont": {"color": "@ink"},
            "ticksuffix": "  ",
            "fixedrange": True,
        },
        "shapes": [
            line(1, 0, 1, 1, "@ink2", yref="paper"),
            *(line(middle, at - 0.3, middle, at + 0.3, "@ink") for at, middle in enumerate(middles)),
        ],
        "annotations": [
            words(times(middle), math.log10(middle), at, yshift=27, xanchor="center")
            for at, middle in enumerate(middles)
        ],
    }  # fmt: skip
