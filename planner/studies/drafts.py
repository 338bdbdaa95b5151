"""A study before it is saved: read, checked against the workspace, and expanded into its scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from pydantic import ValidationError

from planner.accounts.models import Workspace
from planner.catalog.models import Kind
from planner.studies import vocabulary
from planner.studies.assembly import Materials, digest_of_spec
from planner.studies.expansion import Names, Variant, expand
from planner.studies.soundness import complaints_about
from planner.studies.spec import Axes, Base, Problem, SpecError, over_caps, read
from planner.studies.terms import family_of, terms_of
from simulation.scenario import Choice


@dataclass(frozen=True, slots=True)
class Mark:
    """What a scenario is known by: see the columns of the model of the same names."""

    digest: str
    family: str
    regime: str


@dataclass(frozen=True, slots=True)
class Draft:
    base: Base
    axes: Axes
    variants: list[Variant]
    marks: list[Mark]  # of each variant
    slos: list[dict[str, Any]]
    jobs: int  # in the workload
    policies: list[Choice]  # of training: the base's and those of the axis
    warnings: list[str]  # what does not fit together, and does not stop it


def draft(workspace: Workspace, base: Mapping[str, Any], axes: Mapping[str, Any]) -> Draft:
    """The study that `base` and `axes` describe; SpecError names every field that stands in the way."""
    spec, along = read(base, axes)
    materials = Materials(workspace)
    _refuse(_missing(materials, spec, along) + _unknown_policies(spec, along))
    slos = materials.slos(spec.slos)
    jobs = int(materials.revision(spec.workload, Kind.WORKLOAD).summary.get("jobs", 0))
    demand = max([spec.sampling.demand_factor, *along.demand_factors])
    _refuse(over_caps(along.combinations, along.seeds, jobs, demand))
    variants = expand(spec, along, _names(materials, spec, along))
    _refuse(over_caps(len(variants), along.seeds, jobs, demand))  # the base may be one more
    marks = [_mark(materials, variant, along) for variant in variants]
    found = complaints_about(materials, variants)
    _refuse(found.stops)
    return Draft(
        base=spec,
        axes=along,
        variants=variants,
        marks=marks,
        slos=[slo.model_dump(mode="json") for slo in slos],
        jobs=jobs,
        policies=[spec.training, *(v.choice for v in along.training)],
        warnings=found.warnings,
    )


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise SpecError(problems)


def _mark(materials: Materials, variant: Variant, axes: Axes) -> Mark:
    """Digest, family and regime of a variant; one that no engine could take is named by its label."""
    try:
        digest = digest_of_spec(materials, variant.spec)
    except ValidationError as error:
        said = "; ".join(str(e["msg"]).removeprefix("Value error, ") for e in error.errors())
        raise SpecError([Problem("axes", f"{variant.label}: {said}")]) from None
    terms = terms_of(materials, variant.spec)
    return Mark(digest, family_of(terms, axes.varied), str(terms["regime"].key))


def _missing(materials: Materials, base: Base, axes: Axes) -> list[Problem]:
    """References that lead nowhere in this workspace."""
    wanted = [("base.cluster", base.cluster, Kind.CLUSTER), ("base.workload", base.workload, Kind.WORKLOAD)]
    wanted += [("base.prices", base.prices, Kind.PRICES)] if base.prices else []
    wanted += [("base.slos", base.slos, Kind.SLOS)] if base.slos else []
    wanted += [(f"axes.prices.{i}", id, Kind.PRICES) for i, id in enumerate(axes.prices)]
    problems = []
    for field, id, kind in wanted:
        try:
            materials.revision(id, kind)
        except Http404 as error:
            problems.append(Problem(field, f"{error} in this workspace"))
    return problems


def _unknown_policies(base: Base, axes: Axes) -> list[Problem]:
    """Systems and parameters that the engine does not have."""
    chosen = [("base.training", "training", base.training), ("base.serving", "serving", base.serving)]
    for role, variants in (("training", axes.training), ("serving", axes.serving)):
        chosen += [(f"axes.{role}.{i}", role, v.choice) for i, v in enumerate(variants)]
    return [
        Problem(f"{field}.{part}", sentence)
        for field, role, choice in chosen
        for part, sentence in vocabulary.complaints(role, choice)
    ]


def _names(materials: Materials, base: Base, axes: Axes) -> Names:
    sheets = {id: materials.revision(id, Kind.PRICES) for id in {base.prices, *axes.prices} if id}
    return Names(
        systems=vocabulary.titles(),
        prices={id: f"{sheet.item.name} rev {sheet.number}" for id, sheet in sheets.items()},
        pools={pool.name: pool.nodes for pool in materials.cluster(base.cluster).pools},
        regime=vocabulary.regime,
    )
