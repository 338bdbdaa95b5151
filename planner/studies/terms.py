"""What must agree before two runs may be compared: the terms under which each was computed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from planner.catalog.models import Kind, Revision
from planner.studies import vocabulary
from planner.studies.assembly import Materials
from simulation.scenario import Choice, digest_of


@dataclass(frozen=True, slots=True)
class Term:
    """One condition: `key` is what is compared, `words` is what a person reads."""

    key: Any
    words: str


Terms = Mapping[str, Term]

NAMES = {
    "workload": "workload",
    "sampling": "sampling of the workload",
    "demand": "demand",
    "cluster": "cluster",
    "prices": "price sheet",
    "horizon": "horizon",
    "overheads": "overheads",
    "quotas": "quotas",
    "regime": "information regime",
    "engine": "engine version",
}


def terms_of(materials: Materials, spec: Mapping[str, Any]) -> dict[str, Term]:
    """The terms of a scenario's spec. The engine's version is a term of a result and is added where one is at hand."""
    workload = materials.revision(spec["workload"], Kind.WORKLOAD)
    cluster = materials.revision(spec["cluster"], Kind.CLUSTER)
    prices = materials.revision(spec["prices"], Kind.PRICES) if spec["prices"] else None
    sizes = {pool: change["nodes"] for pool, change in spec["pool_changes"].items()}
    resized = "".join(f", {pool} with {nodes} nodes" for pool, nodes in sorted(sizes.items()))
    horizon = spec["horizon_s"]
    regime = vocabulary.regime(Choice.model_validate(spec["training"]))
    return {
        "workload": Term(workload.digest, f"{_named(workload)} (sha256 {workload.digest[:8]})"),
        "sampling": Term(spec["sampling"]["mode"], spec["sampling"]["mode"]),
        "demand": Term(spec["sampling"]["demand_factor"], f"x{spec['sampling']['demand_factor']:g}"),
        "cluster": Term([cluster.digest, sizes], _named(cluster) + resized),
        "prices": Term(prices.digest, _named(prices)) if prices else Term(None, "none"),
        "horizon": Term(horizon, f"{horizon:g} s" if horizon else "until all work has ended"),
        "overheads": Term(spec["overheads"], _list(spec["overheads"])),
        "quotas": Term(spec["quotas"], _list(spec["quotas"]) or "equal shares"),
        "regime": Term(regime, regime),
    }


def family_of(terms: Terms, varied: Collection[str]) -> str:
    """Digest of the terms that a study does not vary itself: equal families may share a front."""
    loose = loosened(varied)
    return digest_of({name: term.key for name, term in terms.items() if name not in loose})


def loosened(varied: Collection[str]) -> set[str]:
    """Terms that may differ inside a study which varies `varied`: a policy brings its information regime along."""
    return {*varied, "regime"} if "policy" in varied else set(varied)


def _named(revision: Revision) -> str:
    return f"{revision.item.name} rev {revision.number}"


def _list(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in sorted(values.items()) if value is not None)
