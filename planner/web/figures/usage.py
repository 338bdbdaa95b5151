"""Utilisation over time: capacity held, computing, and of lasting use; and the GPUs nobody held."""

from __future__ import annotations

from typing import Any

from planner.web.figures.figure import Figure, Json, Source, axis, line, nothing, upright, words
from planner.web.numbers import scale_for, span, written
from simulation.provenance import Origin

_LINES = (("allocated", "@ink", 1.5, "6px,3px"), ("useful", "@sc1", 1.5, "6px,3px"), ("busy", "@ink2", 1.0, "2px,2px"))
_THERE = ("nodes there", "@ink", 1.0, "solid")  # where some are ever down, switched off or booting


def usage_figure(timeline: dict[str, Any], origin: Origin, text: str = "") -> Figure:
    """`timeline` as in a result document: shares of capacity in equal bins."""
    times, width = timeline.get("t_s") or [], timeline.get("bin_s") or 0.0
    title = f"Utilisation, means of {span(width)}" if times else "Utilisation"
    if not times or not any(v is not None for v in timeline["allocated"]):
        return nothing("usage", title, "the run has no time in which a GPU could have been used.")
    scale = scale_for("s", [times[-1] + width])
    at = [scale.of(t + width / 2) for t in times]
    series = {name: [None if v is None else 100 * v for v in timeline[name]] for name, *_ in _LINES}
    if away := timeline.get("away"):
        series["nodes there"] = [100 * (1 - v) for v in away]
    means = {name: _mean(values) for name, values in series.items()}
    gpus = f"Share of {timeline['capacity_gpus']:,} GPUs (%)"
    low = max(0.0, 10 * ((min(v for v in series["useful"] if v is not None) - 5) // 10))
    return Figure(
        name="usage",
        title=title,
        summary=f"Mean over the run: {', '.join(f'{mean:.1f} % {name}' for name, mean in means.items())}.",
        data=tuple(_line(at, series[one[0]], *one) for one in (*_LINES, _THERE) if one[0] in series),
        layout={
            "hovermode": "x unified",
            "margin": {"l": 44, "r": 110, "t": 32, "b": 46},
            "xaxis": axis(f"Time since the start ({scale.unit})", range=[0, scale.of(times[-1] + width)]),
            "yaxis": axis(range=[low, 103], ticksuffix=" "),
            "shapes": [line(0, 100, scale.of(times[-1] + width), 100, "@ink")],
            "annotations": [upright(gpus), *_ends(at, series, means, low)],
        },
        labels={"right": [_end(name, means[name]) for name in means]},
        head=(f"From ({scale.unit})", *(f"{name.capitalize()} (%)" for name in series), "Jobs waiting"),
        rows=tuple(_rows(times, timeline, series, scale)),
        sources=(Source(origin, text),),
    )


def _mean(values: list[float | None]) -> float:
    known = [v for v in values if v is not None]
    return sum(known) / len(known)


def _line(at: list[float], values: list[float | None], name: str, color: str, width: float, dash: str) -> Json:
    fill = {"fill": "tonexty", "fillcolor": "@sc0/.13"} if name == "useful" else {}
    return {
        "type": "scatter",
        "mode": "lines",
        "x": at,
        "y": values,
        "name": name,
        "line": {"color": color, "width": width, "dash": dash},
        "hovertemplate": f"{name} %{{y:.0f}} %<extra></extra>",
        **fill,
    }


def _end(name: str, mean: float) -> str:
    return f"{name} {mean:.1f} %"


def _ends(at: list[float], series: dict[str, list[float | None]], means: dict[str, float], low: float) -> list[Json]:
    """Names at the line ends, at least one line of text apart."""
    gap = (103 - low) * 0.055
    ends = sorted(((next((v for v in reversed(series[n]) if v is not None), 0.0), n) for n in series), reverse=True)
    placed: list[Json] = []
    ceiling = 101.0
    for value, name in ends:
        y = min(value, ceiling)
        placed.append(words(_end(name, means[name]), at[-1], y, xshift=8))
        ceiling = y - gap
    return placed


def _rows(times: list[float], timeline: dict[str, Any], series: dict[str, Any], scale: Any) -> list[tuple[str, ...]]:
    rows = []
    for i, t in enumerate(times):
        shares = ["–" if values[i] is None else written(values[i], 1) for values in series.values()]
        rows.append((scale.text(t), *shares, f"{timeline['waiting'][i]:g}"))
    return rows
