"""What does not fit together in the scenarios of a study, before any run is queued."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planner.catalog import consistency
from planner.catalog.models import Kind
from planner.studies.assembly import Materials, resized
from planner.studies.expansion import Variant
from planner.studies.spec import Problem
from simulation.scenario import digest_of

BASE = {"cluster": "base.cluster", "price sheet": "base.prices", "prices": "base.prices",
        "workload": "base.workload", "SLO set": "base.slos"}  # fmt: skip
AXES = {"cluster": "axes.clusters", "price sheet": "axes.prices", "prices": "axes.prices"}
"""Part that a complaint speaks of -> the field that can change it: the base's, or an axis where the base is fine."""
VARIED = ("cluster", "pool_changes", "prices", "sampling")
"""What a complaint can depend on; variants that agree in it have the same ones."""

Case = tuple[consistency.Problem, list[Variant]]
"""A complaint and the variants that it is about."""


@dataclass(frozen=True, slots=True)
class Complaints:
    """`stops` stand in the way, each with its field; `warnings` are said and do not."""

    stops: list[Problem]
    warnings: list[str]


def complaints_about(materials: Materials, variants: Sequence[Variant]) -> Complaints:
    """All complaints about the variants, each once; one that not all have names the first that has it."""
    groups: dict[str, list[Variant]] = {}
    for variant in variants:
        groups.setdefault(digest_of({key: variant.spec[key] for key in VARIED}), []).append(variant)
    found: dict[tuple[str, str, str], list[Case]] = {}
    for alike in groups.values():
        for problem in _problems(materials, alike[0]):
            found.setdefault(_same(problem), []).append((problem, alike))
    stopping = [cases for cases in found.values() if _stopping(cases)]
    return Complaints(
        stops=[Problem(_field(cases, variants[0]), _sentence(cases, len(variants))) for cases in stopping],
        warnings=[_sentence(cases, len(variants)) for cases in found.values() if not _stopping(cases)],
    )


def _stopping(cases: list[Case]) -> bool:
    return any(problem.stops for problem, _ in cases)


def _field(cases: list[Case], base: Variant) -> str:
    part = cases[0][0].part
    in_base = any(base in alike for _, alike in cases)
    return BASE[part] if in_base else AXES.get(part, BASE[part])


def _sentence(cases: list[Case], of: int) -> str:
    text = f"{cases[0][0]}{_where(cases, of)}."
    return text[:1].upper() + text[1:]


def _same(problem: consistency.Problem) -> tuple[str, str, str]:
    """Complaints that differ only in figures, as those about demand at other factors do, are one."""
    return problem.part, problem.row, re.sub(r"[\d.,]+", "", problem.text)


def _where(cases: list[Case], of: int) -> str:
    """Which variants a complaint is about, "" where it is about all of them."""
    having = [variant for _, alike in cases for variant in alike]
    if len(having) == of and len({one.text for one, _ in cases}) == 1:
        return ""
    more = f" and {len(having) - 1} more" if len(having) > 1 else ""
    return f" ({having[0].label}{more})"


def _problems(materials: Materials, variant: Variant) -> list[consistency.Problem]:
    spec = variant.spec
    cluster = resized(materials.cluster(spec["cluster"]), spec["pool_changes"])
    prices = materials.prices(spec["prices"]) if spec["prices"] else None
    return consistency.of_scenario(cluster, prices, _demand(materials, spec), materials.slos(spec["slos"]))


def _demand(materials: Materials, spec: dict[str, Any]) -> dict[str, Any]:
    """The workload's summary with the work that the demand factor of the variant makes of it."""
    summary = materials.revision(spec["workload"], Kind.WORKLOAD).summary
    return {**summary, "gpu_h": summary.get("gpu_h", 0.0) * spec["sampling"]["demand_factor"]}
