"""The points of a front as a figure for Plotly and as a picture that needs no program to draw it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, Final

from simulation.metrics.definitions import METRICS
from simulation.provenance import Origin

SYMBOLS: Final = {
    Origin.MEASURED: "circle",
    Origin.SIMULATED: "diamond-open",
    Origin.CITED: "square",
    Origin.ASSUMED: "square-open",
    Origin.ILLUSTRATIVE: "triangle-up-open",
}


@dataclass(frozen=True, slots=True)
class Point:
    scenario: str
    x: float | None
    y: float | None
    origin: Origin
    status: str


def figure(points: list[Point], x: str, y: str) -> dict[str, Any]:
    """A figure for Plotly: one trace a status, the mark telling the origin."""
    traces = []
    for status in dict.fromkeys(p.status for p in points):
        mine = [p for p in points if p.status == status and p.x is not None and p.y is not None]
        traces.append({
            "type": "scatter",
            "mode": "markers",
            "name": status,
            "x": [p.x for p in mine],
            "y": [p.y for p in mine],
            "text": [f"{p.scenario} ({p.origin})" for p in mine],
            "marker": {"symbol": [SYMBOLS[p.origin] for p in mine]},
        })  # fmt: skip
    return {"data": traces, "layout": {"xaxis": {"title": _axis(x)}, "yaxis": {"title": _axis(y)}}}


def _axis(metric: str) -> str:
    return f"{METRICS[metric].title} ({METRICS[metric].unit})"


WIDTH, HEIGHT, MARGIN = 720, 440, 60


def picture(points: list[Point], x: str, y: str) -> str:
    """The same as SVG: axes with their ends, one mark a scenario, filled where it is on the front."""
    known = [(p, p.x, p.y) for p in points if p.x is not None and p.y is not None]
    low_x, high_x = _ends([x for _, x, _ in known])
    low_y, high_y = _ends([y for _, _, y in known])
    marks = []
    for point, at_x, at_y in known:
        left = MARGIN + (at_x - low_x) / (high_x - low_x) * (WIDTH - 2 * MARGIN)
        top = HEIGHT - MARGIN - (at_y - low_y) / (high_y - low_y) * (HEIGHT - 2 * MARGIN)
        fill = "#C75300" if point.status == "front" else "none"
        title = escape(f"{point.scenario}: {point.status}, {point.origin}")
        place = f'cx="{left:.2f}" cy="{top:.2f}" r="5"'
        marks.append(f'<circle {place} fill="{fill}" stroke="#C75300"><title>{title}</title></circle>')
    bottom, right = HEIGHT - MARGIN, WIDTH - MARGIN
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12" role="img">',
        f"<title>{escape(_axis(y))} against {escape(_axis(x))}; filled: on the front</title>",
        f'<path d="M{MARGIN} {MARGIN}V{bottom}H{right}" fill="none" stroke="#444"/>',
        f'<text x="{MARGIN}" y="{bottom + 18}">{low_x:.6g}</text>',
        f'<text x="{right}" y="{bottom + 18}" text-anchor="end">{high_x:.6g}</text>',
        f'<text x="{WIDTH / 2:g}" y="{HEIGHT - 12}" text-anchor="middle">{escape(_axis(x))}</text>',
        f'<text x="{MARGIN - 6}" y="{bottom}" text-anchor="end">{low_y:.6g}</text>',
        f'<text x="{MARGIN - 6}" y="{MARGIN + 4}" text-anchor="end">{high_y:.6g}</text>',
        f'<text x="{MARGIN}" y="{MARGIN - 16}">{escape(_axis(y))}</text>',
        *marks,
        "</svg>\n",
    ])  # fmt: skip


def _ends(values: list[float]) -> tuple[float, float]:
    """Ends of an axis, a little beyond the values; never of no length."""
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    margin = 0.05 * (high - low) or max(abs(low), 1.0) * 0.05
    return low - margin, high + margin
