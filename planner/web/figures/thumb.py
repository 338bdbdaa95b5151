"""A front as a thumbnail: small, drawn by the server as SVG paths, without axes' numbers."""

from __future__ import annotations

from dataclasses import dataclass

from planner.compare.fronts import Front, Status
from planner.web.figures.axes import ruler
from planner.web.figures.front import Spot, spots

WIDTH, HEIGHT = 240, 128
LEFT, RIGHT, TOP, BOTTOM = 16, 224, 28, 100


@dataclass(frozen=True, slots=True)
class Thumb:
    """Paths in a box of 240 x 128, and the words for those who do not see them."""

    x: str
    y: str
    marks: tuple[str, ...]
    line: str
    picks: tuple[tuple[str, str], ...]  # (path, origin)
    words: str


def thumb(front: Front) -> Thumb | None:
    """None where no scenario has both values."""
    points = spots(front)
    if not points:
        return None
    x = ruler(front.x.title, front.x.unit, [p.x.value or 0.0 for p in points])
    y = ruler(front.y.title, front.y.unit, [p.y.value or 0.0 for p in points])

    def at(spot: Spot) -> tuple[float, float]:
        px, py = spot.at(x, y)
        return LEFT + (RIGHT - LEFT) * x.share(px), BOTTOM - (BOTTOM - TOP) * y.share(py)

    best = sorted((p for p in points if p.status is Status.FRONT), key=lambda p: p.at(x, y))
    knee = front.knee.scenario_id if front.knee else None
    return Thumb(
        x=front.x.title,
        y=front.y.title,
        marks=tuple(_mark(*at(p), p.origin) for p in points if p.point.scenario_id != knee),
        line=_stairs([at(p) for p in best]),
        picks=tuple((_mark(*at(p), p.origin, 4.6), str(p.origin)) for p in points if p.point.scenario_id == knee),
        words=f"{len(best)} of {len(points)} scenarios on the front of {front.y.title} against {front.x.title}",
    )


def _stairs(places: list[tuple[float, float]]) -> str:
    if len(places) < 2:
        return ""
    steps = "".join(f"H{px:.1f}V{py:.1f}" for px, py in places[1:])
    return f"M{places[0][0]:.1f} {places[0][1]:.1f}{steps}"


def _mark(px: float, py: float, origin: str, r: float = 3.2) -> str:
    """The origin's own shape, centred."""
    if origin == "illustrative":
        return f"M{px:.1f} {py - r:.1f}l{r:.1f} {1.75 * r:.1f}h{-2 * r:.1f}z"
    if origin in ("cited", "assumed"):
        return f"M{px - r:.1f} {py - r:.1f}h{2 * r:.1f}v{2 * r:.1f}h{-2 * r:.1f}z"
    if origin == "measured":
        return f"M{px - r:.1f} {py:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0z"
    return f"M{px:.1f} {py - r:.1f}l{r:.1f} {r:.1f}l{-r:.1f} {r:.1f}l{-r:.1f} {-r:.1f}z"
