"""Arrivals of a workload over time: how much work each hour or day brought, and in how many jobs."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from planner.catalog.models import Revision
from planner.catalog.profile import DAY_S, HOUR_S
from planner.web.figures.figure import Figure, Json, Source, axis, nothing, upright
from planner.web.numbers import written
from simulation.provenance import Origin

TICKS = 8


def arrivals_figure(said: dict[str, Any], revision: Revision) -> Figure:
    """GPU-hours by time of submission, from the summary of a workload revision."""
    arrivals = said["arrivals"]
    width, work, jobs = arrivals["bin_s"], arrivals["gpu_h"], arrivals["jobs"]
    each = "hour" if width == HOUR_S else "day" if width == DAY_S else f"{width / DAY_S:g} days"
    title = f"Work that arrives, by {each} of submission"
    if len(work) < 2:
        return nothing("arrivals", title, f"all jobs were submitted within one {each}")
    begin = datetime.fromisoformat(said["starts_at"]) if said.get("starts_at") else None
    times = [_time(begin, at, width) for at in range(len(work))]
    rows = list(zip(times, work, jobs, strict=True))
    most = max(rows, key=lambda row: row[1])
    return Figure(
        name="arrivals",
        title=title,
        summary=f"{len(rows)} bars; most at {most[0]} with {written(most[1], 0)} GPU-h in {most[2]} jobs.",
        data=(
            {
                "type": "bar",
                "x": times,
                "y": work,
                "text": [f"{time}: {written(h, 1)} GPU-h, {written(n, 0)} jobs" for time, h, n in rows],
                "textposition": "none",
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {"color": "@p3"},
            },
        ),
        layout={
            "bargap": 0.15,
            "xaxis": axis(_named(begin, width), type="category", tickangle=0, showgrid=False, **_ticks(times)),
            "yaxis": axis(rangemode="tozero", tickformat=",~r"),
            "annotations": [upright("GPU-h")],
            "margin": {"l": 56, "r": 12, "t": 28, "b": 48},
        },
        head=(each, "GPU-h", "Jobs"),
        rows=tuple((time, written(h, 1), written(n, 0)) for time, h, n in rows),
        sources=(Source(Origin(revision.source.origin), f"{revision.source.title}, revision {revision.number}"),),
    )


def _ticks(times: list[str]) -> Json:
    """A few labels at equal distances; a narrow page drops every other one."""
    shown = times[:: max(1, math.ceil(len(times) / TICKS))]
    return {"tickvals": shown, "ticktext": shown}


def _named(begin: datetime | None, width: float) -> str:
    unit = "hour" if width < DAY_S else "day"
    return f"{unit} (UTC)" if begin else f"{unit} of the trace"


def _time(begin: datetime | None, at: int, width: float) -> str:
    """The start of a bin as its label; bins begin with the first submission."""
    if begin is None:
        return f"{at * width / (HOUR_S if width < DAY_S else DAY_S):g}"
    start = begin + timedelta(seconds=at * width)
    return f"{start:%Y-%m-%d %H:%M}" if width < DAY_S else f"{start:%Y-%m-%d}"
