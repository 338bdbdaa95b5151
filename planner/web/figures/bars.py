"""Bars: parts that add up to a whole, and one value a row with its tail beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.web.figures.figure import Figure, Json, Key, Source, axis, line, nothing, words
from planner.web.numbers import Scale, scale_for
from simulation.provenance import Origin

_INKS = ("@paper", "@paper", "@on3", "@ink", "@ink", "@ink")  # of texts on the parts
_SHOWN_FROM = 0.06  # a part's own text needs this share of the longest bar


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    parts: tuple[float, ...]
    n: int = 0
    note: str = ""

    @property
    def total(self) -> float:
        return sum(self.parts)


def stacked_figure(
    name: str, title: str, quantity: str, unit: str, parts: Sequence[str], bars: Sequence[Bar],
    *, source: Source, limit: float | None = None, why_empty: str = "nothing was recorded.",
) -> Figure:  # fmt: skip
    """One bar a row, its parts in stacking order; sums stand at the ends."""
    if not any(b.total > 0 for b in bars):
        return nothing(name, title, why_empty)
    scale = scale_for(unit, [b.total for b in bars])
    longest = max(b.total for b in bars)
    sums = [scale.with_unit(b.total) for b in bars]
    return Figure(
        name=name,
        title=title,
        summary=f"{quantity}: {', '.join(f'{b.name} {s}' for b, s in zip(bars, sums, strict=True))}. Parts add up.",
        data=tuple(_part(i, part, bars, scale, longest) for i, part in enumerate(parts)),
        layout=_layout(quantity, bars, scale, max(longest, limit or 0.0), limit),
        labels={"left": [b.name for b in bars], "right": sums},
        head=(quantity, *(f"{p} ({scale.unit})" for p in parts), f"Sum ({scale.unit})", "n"),
        rows=tuple((b.name, *map(scale.text, b.parts), scale.text(b.total), f"{b.n:,}") for b in bars),
        sources=(source,),
        key=tuple(Key(part, f"p{i + 1}") for i, part in enumerate(parts)) if len(parts) > 1 else (),
    )


def _part(i: int, part: str, bars: Sequence[Bar], scale: Scale, longest: float) -> Json:
    values = [b.parts[i] for b in bars]
    return {
        "type": "bar",
        "orientation": "h",
        "name": part,
        "y": [b.name for b in bars],
        "x": [scale.of(v) for v in values],
        "marker": {"color": f"@p{i + 1}", "line": {"color": "@edge", "width": 1}},
        "text": [scale.text(v) if len(bars[0].parts) > 1 and v / longest > _SHOWN_FROM else "" for v in values],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "insidetextfont": {"color": _INKS[i], "size": 12},
        "hovertemplate": f"{part}: %{{x:.3g}} {scale.unit}<extra>%{{y}}</extra>",
    }


def _layout(quantity: str, bars: Sequence[Bar], scale: Scale, longest: float, limit: float | None) -> Json:
    ends = [words(f"<b>{scale.text(b.total)}</b> {scale.unit}", scale.of(b.total), i, xshift=6, bgcolor="@paper")
            for i, b in enumerate(bars)]  # fmt: skip
    shapes: list[Json] = []
    if limit is not None:
        at = scale.of(limit)
        shapes.append(line(at, -0.5, at, len(bars) - 0.5, "@ink"))
        said = words(f"SLO {scale.with_unit(limit)}", at, 1, yref="paper", yanchor="bottom", xanchor="center", yshift=2)
        ends.append({**said, "font": {"color": "@ink2"}})
    upright = {"type": "category", "autorange": "reversed", "showgrid": False, "tickfont": {"color": "@ink"}}
    return {
        "barmode": "stack",
        "bargap": 0.42,
        "margin": {"l": 80, "r": 60, "t": 32 if limit is not None else 12, "b": 46},
        "uniformtext": {"minsize": 11, "mode": "hide"},
        "xaxis": axis(f"{quantity} ({scale.unit})", range=[0, scale.of(longest) * 1.02]),
        "yaxis": {**upright, "ticksuffix": "  ", "fixedrange": True},
        "shapes": shapes,
        "annotations": ends,
    }


def gang_figure(rows: Sequence[Json], origin: Origin) -> Figure:
    """Who waits: mean wait by the number of GPUs that a job needs at once."""
    bars = [Bar(_gang(row["gang"]), (row["mean_s"],), row["n"]) for row in rows if row["mean_s"] is not None]
    count = sum(b.n for b in bars)
    source = Source(origin, f"n = {count:,} finished jobs. A gang starts when all of its GPUs are free.")
    return stacked_figure(
        "wait-by-gang", "Who waits: mean wait by gang size", "Mean wait", "s", ("wait",), bars, source=source,
        why_empty="no finished job waited." if bars else "no job has finished.",
    )  # fmt: skip


def _gang(gpus: str) -> str:
    return f"{gpus.replace('-', '–')} GPU{'' if gpus == '1' else 's'}"


def latency_figure(service: str, rows: Sequence[Json], origin: Origin, slo_s: float | None) -> Figure:
    """What makes a slow request slow: the four parts of the latency at each percentile."""
    keys = ("queue_s", "batch_wait_s", "load_s", "execute_s")
    bars = [Bar(f"P{row['percentile']:g}", tuple(row[k] for k in keys), row["n"]) for row in rows]
    source = Source(origin, f"service {service}; parts are means of the requests near that percentile.")
    return stacked_figure(
        f"latency-{service}", f"What makes a slow request slow: {service}", "Request latency", "s",
        ("queue", "batch wait", "weights load", "execute"), bars, source=source, limit=slo_s,
        why_empty="no request was served.",
    )  # fmt: skip
