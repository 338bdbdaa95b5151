"""Base and axes -> the scenarios of a study, each with a label and its changes in readable form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product, starmap
from typing import Any

from planner.studies.spec import Axes, Base, ClusterVariant, PolicyVariant, Problem, SpecError
from simulation.scenario import Choice, digest_of

Change = dict[str, Any]  # {path, old, new, unit}


@dataclass(frozen=True, slots=True)
class Names:
    """Words for what a spec refers to by id or slug: systems, price sheets, and the nodes of each pool."""

    systems: Mapping[str, str]
    prices: Mapping[str, str]
    pools: Mapping[str, int]
    regime: Callable[[Choice], str] = lambda choice: ""

    def system(self, slug: str) -> str:
        return self.systems.get(slug, slug)

    def sheet(self, revision: str | None) -> str:
        return self.prices.get(revision, revision) if revision else "no prices"


@dataclass(frozen=True, slots=True)
class Variant:
    label: str
    spec: dict[str, Any]
    changes: list[Change]


@dataclass(frozen=True, slots=True)
class Combination:
    """One value of each axis; None keeps what the base says."""

    training: PolicyVariant | None = None
    serving: PolicyVariant | None = None
    cluster: ClusterVariant | None = None
    prices: str | None = None
    demand: float | None = None


def expand(base: Base, axes: Axes, names: Names) -> list[Variant]:
    """All combinations, the base first (it is added where no combination equals it), without repeats."""
    _check_pools(base, axes, names)
    origin = _spec_of(base, Combination(), names)
    variants = {_key(origin): Variant(_base_label(base, axes, names), origin, [])}
    for combination in combinations(axes):
        spec = _spec_of(base, combination, names)
        label = ", ".join(_label_parts(base, combination, spec["pool_changes"] != origin["pool_changes"], names))
        variants.setdefault(_key(spec), Variant(label, spec, changes_between(origin, spec, names)))
    return _unique_labels(variants.values())


def combinations(axes: Axes) -> Iterator[Combination]:
    values = (axes.training, axes.serving, axes.clusters, axes.prices, axes.demand_factors)
    return starmap(Combination, product(*(axis or [None] for axis in values)))


def _spec_of(base: Base, chosen: Combination, names: Names) -> dict[str, Any]:
    """The base with one combination applied, as JSON with absolute pool sizes."""
    updates: dict[str, Any] = {"pool_changes": {}}
    if chosen.training:
        updates["training"] = chosen.training.choice
    if chosen.serving:
        updates["serving"] = chosen.serving.choice
    if chosen.prices:
        updates["prices"] = chosen.prices
    if chosen.demand is not None:
        updates["sampling"] = base.sampling.model_copy(update={"demand_factor": chosen.demand})
    document = base.model_copy(update=updates).model_dump(mode="json")
    return {**document, "pool_changes": _pool_sizes(base, chosen.cluster, names)}


def _pool_sizes(base: Base, cluster: ClusterVariant | None, names: Names) -> dict[str, dict[str, int]]:
    """Pools that differ from the cluster's revision: the base's change first, then the variant's."""
    steps = [base.pool_changes, cluster.pool_changes if cluster else {}]
    sizes: dict[str, dict[str, int]] = {}
    for pool in sorted({name for step in steps for name in step}):
        nodes = names.pools[pool]
        for change in (step[pool] for step in steps if pool in step):
            nodes = change.applied(nodes)
        if nodes < 0:
            raise SpecError([Problem("axes.clusters", f"pool {pool} would have {nodes} nodes")])
        if nodes != names.pools[pool]:
            sizes[pool] = {"nodes": nodes}
    return sizes


def _check_pools(base: Base, axes: Axes, names: Names) -> None:
    places = [("base.pool_changes", base.pool_changes)]
    places += [(f"axes.clusters.{i}.pool_changes", c.pool_changes) for i, c in enumerate(axes.clusters)]
    known = ", ".join(sorted(names.pools))
    problems = [
        Problem(f"{place}.{pool}", f"the cluster has no pool {pool}; it has {known}")
        for place, changes in places
        for pool in changes
        if pool not in names.pools
    ]
    if problems:
        raise SpecError(problems)


def _key(spec: Mapping[str, Any]) -> str:
    return digest_of({name: value for name, value in spec.items() if name != "slos"})


def _policy_label(variant: PolicyVariant, names: Names) -> str:
    """As the author calls it, else by its name and settings. Who knows the future is marked wherever numbers stand."""
    label = variant.label or _policy_name(variant, names)
    knows_all = names.regime(variant.choice) == "oracle" and "oracle" not in label.lower()
    return f"{label} (oracle)" if knows_all else label


def _policy_name(variant: PolicyVariant, names: Names) -> str:
    settings = ", ".join(f"{k} {v}" for k, v in sorted(variant.parameters.items()))
    return names.system(variant.system) + (f" ({settings})" if settings else "")


def _cluster_label(variant: ClusterVariant) -> str:
    if variant.label:
        return variant.label
    parts = []
    for pool, change in sorted(variant.pool_changes.items()):
        parts.append(f"{change.nodes} {pool}" if change.nodes is not None else f"{change.nodes_delta:+d} {pool}")
    return " and ".join(parts)


def _base_label(base: Base, axes: Axes, names: Names) -> str:
    """The base by its policy, under the label that the axis gives to that policy."""
    same = [v for v in axes.training if v.choice == base.training]
    return _policy_label(same[0], names) if same else _choice_label(base.training, names)


def _choice_label(choice: Choice, names: Names) -> str:
    return _policy_label(PolicyVariant(system=choice.system, parameters=choice.parameters), names)


def _label_parts(base: Base, chosen: Combination, resized: bool, names: Names) -> list[str]:
    """Policy first, then only what differs from the base."""
    policy = _policy_label(chosen.training, names) if chosen.training else _choice_label(base.training, names)
    parts = [policy]
    if chosen.serving and chosen.serving.choice != base.serving:
        parts.append(_policy_label(chosen.serving, names))
    if chosen.cluster and resized:
        parts.append(_cluster_label(chosen.cluster))
    if chosen.prices and chosen.prices != base.prices:
        parts.append(names.sheet(chosen.prices))
    if chosen.demand is not None and chosen.demand != base.sampling.demand_factor:
        parts.append(f"demand x{chosen.demand:g}")
    return [p for p in parts if p]


def _unique_labels(variants: Iterable[Variant]) -> list[Variant]:
    taken: set[str] = set()
    unique: list[Variant] = []
    for variant in variants:
        label, n = variant.label[:110], 1
        while label in taken:
            n += 1
            label = f"{variant.label[:110]} ({n})"
        taken.add(label)
        unique.append(Variant(label, variant.spec, variant.changes))
    return unique


def changes_between(old: Mapping[str, Any], new: Mapping[str, Any], names: Names) -> list[Change]:
    """What differs between two specs, as rows {path, old, new, unit} in the words of the catalogue."""
    changes: list[Change] = []

    def note(path: str, before: Any, after: Any, unit: str = "") -> None:
        if before != after:
            changes.append({"path": path, "old": before, "new": after, "unit": unit})

    for role in ("training", "serving"):
        note(role, names.system(old[role]["system"]), names.system(new[role]["system"]))
        before, after = old[role]["parameters"], new[role]["parameters"]
        for key in sorted({*before, *after}):
            note(f"{role}.{key}", before.get(key, "default"), after.get(key, "default"))
    for pool in sorted({*old["pool_changes"], *new["pool_changes"]}):
        sizes = [spec["pool_changes"].get(pool, {}).get("nodes", names.pools[pool]) for spec in (old, new)]
        note(f"cluster.{pool}", *sizes, unit="nodes")
    note("prices", names.sheet(old["prices"]), names.sheet(new["prices"]))
    note("demand", old["sampling"]["demand_factor"], new["sampling"]["demand_factor"], unit="x")
    return changes
