"""Agreement with other simulators: ours against theirs, and how far off each case is beside what is allowed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from planner.web.figures.axes import Ruler, log_ticks, ruler
from planner.web.figures.figure import (
    CROSSED,
    SYMBOLS,
    Figure,
    Json,
    Key,
    Source,
    axis,
    inert,
    line,
    nothing,
    upright,
)  # fmt: skip
from planner.web.numbers import span, written
from simulation.provenance import Origin

NEAR = 1e-6  # share of theirs below which a case counts as equal: sums of floats differ in their last bits
MOST = 16  # rows of the figure of errors
_AIR = 1.6  # of a logarithmic axis, on either side


@dataclass(frozen=True, slots=True)
class Pair:
    """A figure of theirs and of ours, in s. `allowed`: the tolerance as a share of theirs, None where none is known."""

    case: str
    theirs: float
    ours: float
    failed: bool
    allowed: float | None

    @property
    def name(self) -> str:
        """The case without its peer, for where room is short."""
        return self.case.partition("/")[2] or self.case

    @property
    def off(self) -> float:
        """The error as a share of theirs."""
        return abs(self.ours - self.theirs) / self.theirs


def identity_figure(pairs: Sequence[Pair]) -> Figure:
    """Mean JCT: one mark a case, on the line where both agree. `pairs` must be positive."""
    title = "Mean job completion time: ours against theirs"
    if not pairs:
        return nothing("agreement", title, "no case that is shown has a mean JCT.")
    both = ruler("Theirs", "s", [v for pair in pairs for v in (pair.theirs, pair.ours)])
    off = [pair for pair in pairs if pair.off > NEAR]
    said = f"{len(pairs)} cases, {len(pairs) - len(off)} of them equal"
    worst = max(pairs, key=lambda pair: pair.off)
    classes = ((failed, [p for p in pairs if p.failed is failed]) for failed in (False, True))
    return Figure(
        name="agreement",
        title=title,
        summary=f"{said}; furthest off is {worst.case}, by {_percent(worst.off)} %.",
        data=tuple(_points(some, both, failed) for failed, some in classes if some),
        layout=_square(both),
        labels=_names(off, pairs, both),
        head=("Case", "Theirs (s)", "Ours (s)", "Error (%)"),
        rows=tuple((p.case, written(p.theirs, 3), written(p.ours, 3), _percent(p.off)) for p in pairs),
        sources=(
            Source(Origin.SIMULATED, f"{said}: theirs by the simulator that is named, ours by this engine."),
            Source(None, "Line: no difference."),
        ),
        height="tall",
    )


def _points(pairs: Sequence[Pair], both: Ruler, failed: bool) -> Json:
    marks = CROSSED if failed else SYMBOLS
    color = "@fail" if failed else "@ink"
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [both.of(p.theirs) for p in pairs],
        "y": [both.of(p.ours) for p in pairs],
        "marker": {"symbol": marks[Origin.SIMULATED], "size": 9, "color": color, "line": {"width": 1.5}},
        "hovertemplate": [
            f"{inert(p.case)}<br>theirs {span(p.theirs)}, ours {span(p.ours)}<br>{_percent(p.off)} % off<extra></extra>"
            for p in pairs
        ],
    }


def _square(both: Ruler) -> Json:
    mine = replace(both, title="Ours")
    return {
        "margin": {"l": 64, "r": 20, "t": 32, "b": 48},
        "xaxis": both.layout(titled=True),
        "yaxis": mine.layout(titled=False),
        "shapes": [line(both.low, both.low, both.high, both.high, "@ink2", layer="below")],
        "annotations": [upright(mine.name)],
    }


def _names(off: Sequence[Pair], pairs: Sequence[Pair], both: Ruler) -> Json:
    """Cases that lie visibly beside the line are named, the furthest first."""
    named = sorted((p for p in off if p.off > 0.02), key=lambda p: -p.off)
    return {
        "wanted": [{"text": inert(p.name), "x": both.of(p.theirs), "y": both.of(p.ours)} for p in named],
        "marks": [[both.of(p.theirs), both.of(p.ours), 6] for p in pairs],
        "lines": [[[both.low, both.low], [both.high, both.high]]],
    }


def error_figure(pairs: Sequence[Pair]) -> Figure:
    """The cases that are not equal, furthest first, each with the tolerance that is asked for."""
    title = "How far off: mean job completion time by case"
    off = sorted((p for p in pairs if p.off > NEAR), key=lambda p: -p.off)[:MOST]
    if not off:
        why = "every mean JCT that is shown is equal." if pairs else "no case that is shown has a mean JCT."
        return nothing("errors", title, why, "tall")
    drawn = [100 * share for p in off for share in (p.off, p.allowed) if share]
    equal = sum(p.off <= NEAR for p in pairs)
    return Figure(
        name="errors",
        title=title,
        summary=f"{'; '.join(f'{p.case} {_percent(p.off)} %{_allowed(p)}' for p in off)}. {equal} cases are equal.",
        data=(_errors(off),),
        layout=_rows(off, min(drawn) / _AIR, max(drawn) * _AIR),
        labels={"left": [p.name for p in off]},
        head=("Case", "Error (%)", "Tolerance (%)"),
        rows=tuple((p.case, _percent(p.off), _percent(p.allowed) if p.allowed else "") for p in off),
        sources=(Source(Origin.SIMULATED, f"{equal} further cases are equal and not drawn."),),
        key=(Key("error", "ink", mark="S"), Key("tolerance", "ink2", dash="solid")),
        height="tall",
    )


def _errors(off: Sequence[Pair]) -> Json:
    symbols = [(CROSSED if p.failed else SYMBOLS)[Origin.SIMULATED] for p in off]
    colors = ["@fail" if p.failed else "@ink" for p in off]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [100 * p.off for p in off],
        "y": [inert(p.name) for p in off],
        "marker": {"symbol": symbols, "size": 10, "color": colors, "line": {"width": 1.5}},
        "hovertemplate": [f"{inert(p.case)}<br>{_percent(p.off)} %{_allowed(p)}<extra></extra>" for p in off],
    }


def _rows(off: Sequence[Pair], low: float, high: float) -> Json:
    ticks = log_ticks(low, high)
    ticks = [tick for tick in ticks if math.log10(tick).is_integer()] or ticks
    across = {"type": "log", "tickvals": ticks, "ticktext": [f"{t:.10g}" for t in ticks]}
    return {
        "margin": {"l": 80, "r": 20, "t": 12, "b": 46},
        "xaxis": axis("Error (% of theirs, log)", tickangle=0, range=[math.log10(low), math.log10(high)], **across),
        "yaxis": {
            "type": "category",
            "autorange": False,
            "range": [len(off) - 0.5, -0.5],
            "gridcolor": "@line",
            "tickfont": {"color": "@ink"},
            "ticksuffix": "  ",
            "fixedrange": True,
        },
        "shapes": [
            line(100 * p.allowed, i - 0.35, 100 * p.allowed, i + 0.35, "@ink2") for i, p in enumerate(off) if p.allowed
        ],
    }


def _logs(low: float, high: float) -> list[float]:
    from math import log10

    return [log10(low), log10(high)]


def _allowed(pair: Pair) -> str:
    return f", {_percent(pair.allowed)} % allowed" if pair.allowed else ""


def _percent(share: float) -> str:
    percent = 100 * share
    return written(percent, 1 if percent >= 10 else 2 if percent >= 0.1 else 4)
