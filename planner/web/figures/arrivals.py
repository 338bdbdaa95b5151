"""Arrivals of a workload by day: how much work each day brought, and how many jobs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from planner.catalog.models import Revision
from planner.web.figures.figure import Figure, Source, axis, upright
from planner.web.numbers import written
from simulation.provenance import Origin


def arrivals_figure(said: dict[str, Any], revision: Revision) -> Figure:
    """GPU-hours by day of submission, from the summary of a workload revision."""
    arrivals = said["arrivals"]
    step, work, jobs = arrivals["bin_days"], arrivals["gpu_h"], arrivals["jobs"]
    begin = datetime.fromisoformat(said["starts_at"]) if said.get("starts_at") else None
    days = [_day(begin, at * step) for at in range(len(work))]
    each = "day" if step == 1 else f"{step} days"
    days_are = "day (UTC)" if begin else "day of the trace"
    peak = max(range(len(work)), key=work.__getitem__)
    tips = [f"{day}: {written(h, 0)} GPU-h, {written(n, 0)} jobs" for day, h, n in zip(days, work, jobs, strict=True)]
    return Figure(
        name="arrivals",
        title=f"Work that arrives, by {each} of submission",
        summary=f"{len(work)} bars; most on {days[peak]} with {written(work[peak], 0)} GPU-h in {jobs[peak]} jobs.",
        data=(
            {
                "type": "bar",
                "x": days,
                "y": work,
                "text": tips,
                "textposition": "none",
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {"color": "@p3"},
            },
        ),
        layout={
            "bargap": 0.15,
            "xaxis": axis(days_are, type="category", nticks=10, showgrid=False),
            "yaxis": axis(rangemode="tozero", tickformat=",~r"),
            "annotations": [upright(f"GPU-h a {each}" if step == 1 else f"GPU-h in {each}")],
            "margin": {"l": 56, "r": 12, "t": 28, "b": 48},
        },
        head=("Day", "GPU-h", "Jobs"),
        rows=tuple((day, written(h, 1), written(n, 0)) for day, h, n in zip(days, work, jobs, strict=True)),
        sources=(Source(Origin(revision.source.origin), f"{revision.source.title}, revision {revision.number}"),),
    )


def _day(begin: datetime | None, offset: int) -> str:
    return f"{offset + 1}" if begin is None else (begin + timedelta(days=offset)).date().isoformat()
