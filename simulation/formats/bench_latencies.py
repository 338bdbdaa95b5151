"""Latencies of a serving benchmark: as stated, and as its lists by request give them."""

from __future__ import annotations

import math
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.columns import LATENCIES, LATENCY_PARTS
from simulation.formats.measured import quantile
from simulation.formats.quantities import count, number

STATED = {"mean": "mean", "p50": "median", "p99": "p99"}
OTHER_NAMES = {"e2el": ("e2el", "e2e_latency")}
AGREES_MS = 0.01
AGREES = 0.01


def latencies(run: dict[str, Any], completed: int) -> tuple[dict[str, float | None], list[CellError]]:
    """Columns in ms: the file's own figures, from its lists where it has none; told where both differ."""
    lists = _from_lists(run, completed)
    figures: dict[str, float | None] = {}
    oddities = []
    for name in LATENCIES:
        for part in LATENCY_PARTS:
            column, stated = f"{name}_{part}_ms", _stated(run, name, STATED[part])
            ours = _figure(lists.get(name, []), part)
            figures[column] = ours if stated is None else stated
            if stated is not None and ours is not None and abs(stated - ours) > max(AGREES_MS, AGREES * ours):
                expected = f"{ours:g} ms, by the lists"
                oddities.append(CellError(column, f"{stated:g}", expected, "the file's figures do not agree"))
    return figures, oddities


def _stated(run: dict[str, Any], name: str, part: str) -> float | None:
    for written in OTHER_NAMES.get(name, (name,)):
        key = f"{part}_{written}_ms"
        if run.get(key) is not None:
            value = number(str(run[key]), key)
            if value is not None and value < 0:
                raise CellError(key, str(run[key]), "0 or more", "a negative latency")
            return value
    return None


def _figure(values: list[float], part: str) -> float | None:
    if not values:
        return None
    ordered = sorted(values)
    return math.fsum(ordered) / len(ordered) if part == "mean" else quantile(ordered, {"p50": 0.5, "p99": 0.99}[part])


def _from_lists(run: dict[str, Any], completed: int) -> dict[str, list[float]]:
    """ms by latency. TTFT and TPOT have one value a request, ITL pools all gaps; failed requests have none."""
    names = ("output_lens", "ttfts", "itls")
    if not all(isinstance(run.get(name), list) for name in names):
        return {}
    lengths, ttfts, itls = (run[name] for name in names)
    errors = run["errors"] if isinstance(run.get("errors"), list) else [""] * len(ttfts)
    if len({len(lengths), len(ttfts), len(itls), len(errors)}) != 1:
        raise CellError("ttfts", f"{len(ttfts)} values", f"{len(lengths)}, as output_lens", "lists of unequal length")
    found: dict[str, list[float]] = {"ttft": [], "tpot": [], "itl": [], "e2el": []}
    for tokens, ttft, gaps, error in zip(lengths, ttfts, itls, errors, strict=True):
        generated = count(str(tokens), "output_lens")
        if error or not generated:
            continue
        if not isinstance(gaps, list):
            raise CellError("itls", str(gaps), "a list of seconds for each request", "not a list")
        first, rest = _seconds(ttft, "ttfts"), [_seconds(gap, "itls") for gap in gaps]
        found["ttft"].append(first * 1000)
        found["itl"] += [gap * 1000 for gap in rest]
        found["e2el"].append((first + math.fsum(rest)) * 1000)
        if generated > 1:
            found["tpot"].append(math.fsum(rest) * 1000 / (generated - 1))
    if len(found["ttft"]) != completed:
        expected = f"{completed}, as completed"
        raise CellError("ttfts", f"{len(found['ttft'])} requests", expected, "the lists are of another run")
    return found


def _seconds(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 86_400:
        raise CellError(name, str(value), "seconds, 0 or more", "not a span of time")
    return float(value)
