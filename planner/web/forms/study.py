"""The study builder: what was typed -> base and axes of a study, with every complaint beside its field."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from planner.studies.spec import Problem

OVERHEADS: dict[str, float | None] = {
    "start_s": 0.0, "checkpoint_s": 0.0, "restart_s": 0.0, "resize_s": 0.0, "checkpoint_interval_s": None,
}  # fmt: skip
"""Overhead -> what an empty field means."""
_FIELDS = {  # start of a problem's path -> the field that it is shown beside, longest first
    "axes.demand_factors": "demand", "axes.training": "policy", "axes.serving": "serving", "axes.clusters": "nodes",
    "axes.prices": "sheet", "axes.seeds": "seeds", "base.cluster": "cluster", "base.workload": "workload",
    "base.prices": "prices", "base.slos": "slos", "base.training": "base_policy", "base.serving": "base_serving",
    "base.overheads": "overheads", "base.quotas": "quotas", "base.horizon_s": "horizon", "base.pool_changes": "nodes",
    "question": "question",
}  # fmt: skip
FIELDS = tuple(dict.fromkeys([*_FIELDS.values(), "form"]))


@dataclass(slots=True)
class Asked:
    question: str
    base: dict[str, Any]
    axes: dict[str, Any]
    errors: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def complain(self, problems: list[Problem] | tuple[Problem, ...]) -> None:
        """Problems that the planner found, each beside the field that it speaks of."""
        for problem in problems:
            name = next((n for start, n in _FIELDS.items() if problem.field.startswith(start)), "form")
            self.errors[name].append(problem.sentence)


def asked(given: QueryDict, pools: list[str], *, services: bool) -> Asked:
    """Read the form. What cannot be read stands in `errors` and is left out of the study.

    Without `services` in the workload, what was chosen for them (the page hides it) is left out too.
    """
    made = Asked(" ".join(given.get("question", "").split()), {}, {})
    read = _Reader(given, made.errors)
    today = given.get("base_policy", "")
    serving = given.get("base_serving") if services else ""
    made.base = {
        "cluster": given.get("cluster", ""),
        "workload": given.get("workload", ""),
        "prices": given.get("prices") or None,
        "slos": given.get("slos") or None,
        "training": {"system": today, "parameters": read.parameters(today)},
        "serving": {"system": serving or "static-replicas", "parameters": {}},
        "overheads": {n: read.number(f"overhead-{n}", "overheads", empty) for n, empty in OVERHEADS.items()},
        "quotas": read.quotas(),
        "sampling": {"mode": given.get("sampling") or "replay", "demand_factor": 1.0},
        "horizon_s": read.days("horizon"),
        "pool_changes": {},
    }  # fmt: skip
    made.axes = {
        "training": [{"system": slug, "parameters": read.parameters(slug)} for slug in given.getlist("policy")],
        "serving": [{"system": slug} for slug in given.getlist("serving") if services],
        "clusters": read.clusters(pools),
        "prices": _sheets(given),
        "demand_factors": read.demand(),
        "seeds": read.whole("seeds", 10),
    }
    return made


def _sheets(given: QueryDict) -> list[str]:
    """Further price sheets are crossed with the base's own."""
    more = [s for s in given.getlist("sheet") if s != given.get("prices")]
    return [given["prices"], *more] if more and given.get("prices") else more


class _Reader:
    """Turns texts into values; complaints go beside the field."""

    def __init__(self, given: QueryDict, errors: dict[str, list[str]]) -> None:
        self.given, self.errors = given, errors

    def number(self, name: str, field: str, default: float | None) -> float | None:
        text = self.given.get(name, "").strip().replace(",", ".")
        if not text:
            return default
        value = _float(text)
        if value is None:
            self.errors[field].append(f"“{text[:40]}” is no number.")
        return default if value is None else value

    def whole(self, name: str, default: int) -> int:
        value = self.number(name, name, default)
        if value is None or not float(value).is_integer():
            self.errors[name].append("A whole number is expected.")
            return default
        return int(value)

    def days(self, name: str) -> float | None:
        value = self.number(name, name, None)
        return None if value is None else value * 86_400

    def demand(self) -> list[float]:
        texts = [t for t in self.given.get("demand", "").replace(";", " ").replace(", ", " ").split() if t]
        values = [_float(t.removeprefix("x").replace(",", ".")) for t in texts]
        self.errors["demand"] += [f"“{t[:40]}” is no number." for t, v in zip(texts, values, strict=True) if v is None]
        known = [v for v in values if v is not None]
        return known if known != [1.0] else []

    def clusters(self, pools: list[str]) -> list[dict[str, Any]]:
        """The cluster as it is, then one variant for each change of each pool."""
        changes = [change for pool in pools for change in self._nodes(pool)]
        return [{"label": "", "pool_changes": {}}, *changes] if changes else []

    def _nodes(self, pool: str) -> list[dict[str, Any]]:
        found = []
        for text in self.given.get(f"nodes-{pool}", "").replace(",", " ").replace(";", " ").split():
            value = _float(text.replace("−", "-"))
            if value is None or not value.is_integer():
                self.errors["nodes"].append(f"{pool}: “{text[:40]}” is no number of nodes; write +4, -2 or 16.")
            elif value or text[:1] not in "+-":
                key = "nodes_delta" if text[0] in "+-−" else "nodes"
                found.append({"label": "", "pool_changes": {pool: {key: int(value)}}})
        return found

    def quotas(self) -> dict[str, float]:
        """Lines or commas of "tenant share"; a share may be given in per cent."""
        shares: dict[str, float] = {}
        for text in self.given.get("quotas", "").replace("\n", ",").split(","):
            name, _, share = text.strip().removesuffix("%").strip().rpartition(" ")
            value = _float(share) if name else None
            if text.strip() and value is None:
                self.errors["quotas"].append(f"“{text.strip()[:40]}” is no tenant with a share; write vision 30 %.")
            elif value is not None:
                shares[name.strip(" :=")] = value
        return shares

    def parameters(self, slug: str) -> dict[str, Any]:
        """Lines of "stage.parameter = value", the value as JSON or a plain word."""
        found: dict[str, Any] = {}
        for text in self.given.get(f"parameters-{slug}", "").replace("\n", ";").split(";"):
            key, sign, value = (part.strip() for part in text.partition("="))
            if not text.strip():
                continue
            if not sign or not value:
                self.errors["policy"].append(f"{slug}: “{text.strip()[:60]}” is no setting; write walk.depth = 4.")
            else:
                found[key] = _value(value)
        return found


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
