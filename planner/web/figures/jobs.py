"""Who pays for whom: the JCT of each tenant under each scenario, when there are few enough to be read one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planner.web.figures.figure import Figure, Key, Source, axis, inert, nothing
from planner.web.numbers import fine_scale
from simulation.provenance import Origin

MOST = 6  # tenants or scenarios; beyond that a table reads better
_BAR = 0.42


def jct_figure(tenants: Mapping[str, Sequence[Mapping[str, Any]]], colors: Mapping[str, int], origin: Origin) -> Figure:
    """`tenants`: label of a scenario -> its per-tenant rows of one seed; `colors`: label -> number of its colour."""
    name, title = "jct-by-tenant", "Mean JCT of each tenant"
    rows = {
        label: {row["tenant"]: row["jct_mean_s"] for row in found if row["jct_mean_s"] is not None}
        for label, found in tenants.items()
    }
    who = sorted({tenant for found in rows.values() for tenant in found})
    if not who or len(rows) > MOST or len(who) > MOST:
        return nothing(name, title, "there are too many tenants or scenarios to be read one by one.")
    scale = fine_scale("s", [v for found in rows.values() for v in found.values()])
    names = [inert(tenant) for tenant in who]
    bars = [
        {
            "type": "bar", "orientation": "h", "name": inert(label), "y": names,
            "x": [scale.of(found[t]) if t in found else None for t in who],
            "marker": {"color": f"@sc{colors.get(label, 0)}", "line": {"color": "@edge", "width": 1}},
            "text": [scale.with_unit(found.get(t)) for t in who], "textposition": "outside", "cliponaxis": False,
            "textfont": {"color": "@ink"},
            "hovertemplate": f"{inert(label)}: %{{x:.4g}} {scale.unit}<extra>%{{y}}</extra>",
        }
        for label, found in rows.items()
    ]  # fmt: skip
    longest = max(scale.of(v) for found in rows.values() for v in found.values())
    return Figure(
        name=name,
        title=title,
        summary=". ".join(
            f"{label}: " + ", ".join(f"{t} {scale.with_unit(found.get(t))}" for t in who)
            for label, found in rows.items()
        ),
        data=tuple(bars),
        layout={
            "barmode": "group", "bargap": _BAR, "margin": {"l": 80, "r": 70, "t": 12, "b": 46},
            "xaxis": axis(f"Mean JCT ({scale.unit})", range=[0, longest * 1.02]),
            "yaxis": {"type": "category", "autorange": "reversed", "showgrid": False, "tickfont": {"color": "@ink"},
                      "ticksuffix": "  ", "fixedrange": True},
        },
        labels={"left": names, "right": [scale.with_unit(longest)]},
        head=("Tenant", *(f"{label} ({scale.unit})" for label in rows)),
        rows=tuple((t, *(scale.text(found.get(t)) for found in rows.values())) for t in who),
        sources=(Source(origin, "one seed; a mean over all hides who waits for whom."),),
        key=tuple(Key(label, f"sc{colors.get(label, 0)}") for label in rows),
    )  # fmt: skip
