"""Sentences about a front: which limit binds, who misses it by how much, how large the dominated area is."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.html import format_html
from django.utils.safestring import SafeString

from planner.compare.board import Board
from planner.compare.fronts import Front
from planner.web.numbers import number, scale_for
from simulation.metrics.definitions import OBJECTIVES


def binding(front: Front) -> SafeString:
    """What stands under the sliders."""
    miss = front.nearest
    nearest = f"{miss.label}, misses {_title(front, miss.metric)} by {_amount(miss.unit, miss.by)}" if miss else ""
    if not front.counts["survive"] and nearest:
        return format_html("<b>None survives.</b> The nearest, {}. Nothing is put in its place.", nearest)
    if front.binding is None:
        return format_html("{}", "No limit binds.")
    head = format_html("<b>Binding: {}.</b> It alone turns {} away", front.binding.title, front.binding.alone)
    return format_html("{}; the nearest, {}.", head, nearest) if nearest else format_html("{}.", head)


def _title(front: Front, metric: str) -> str:
    return next((limit.title for limit in front.limits if limit.metric == metric), metric)


def _amount(unit: str, by: float) -> str:
    return scale_for(unit, [by]).with_unit(by)


def volume(front: Front) -> str:
    """The hypervolume with the corner that it is measured from."""
    if front.hypervolume is None or front.reference is None:
        return ""
    x, y = (scale_for(c.unit, [v]) for c, v in zip((front.x, front.y), front.reference, strict=True))
    area = front.hypervolume * x.factor * y.factor
    units = "·".join(u for u in (x.unit, y.unit) if u)
    corner = f"({x.with_unit(front.reference[0])}, {y.with_unit(front.reference[1])})"
    return f"Hypervolume {number(area)} {units} from {corner}."


def equal_in_all(board: Board, shown: Collection[str]) -> str:
    """Objectives that are known and the same everywhere, so that their absence from the table is explained."""
    same = [c for c in board.metrics if c.name in OBJECTIVES and c.known and not c.varies]
    return ", ".join(c.title for c in same if c.name not in shown)
