"""What a pod asks for: whole GPUs, a share of one, CPUs and memory; what cannot be counted in cards is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.kubernetes import listed, mapping, quantity, text
from simulation.formats.kubernetes_gpus import MIG, PRODUCT, SHARED, whole_gpus

FRACTION = "gpu-fraction"
"""Annotation of Run:ai: the part of one card that the pod gets."""
CORES = ("nvidia.com/gpucores", "volcano.sh/vgpu-cores")
"""Percent of a card's time, as HAMi and the vGPU of Volcano count."""
PARTS = ("nvidia.com/gpumem", "nvidia.com/gpumem-percentage", "volcano.sh/vgpu-number", "volcano.sh/vgpu-memory")
"""Parts of cards whose share of the card the manifest does not say."""


@dataclass(frozen=True, slots=True)
class Pod:
    """`gpus` None: asks for GPUs that cannot be counted in whole cards, for the reason in `oddity`."""

    gpus: int | None
    share: float | None
    models: tuple[str, ...]
    cpus: Decimal
    memory_bytes: int
    oddity: CellError | None = None


def pod_of(template: Any) -> Pod:
    """The demand of one pod made from `template` ({metadata, spec})."""
    spec = mapping(template, "spec")
    gpus: int | None = _at_most(spec, lambda resources: whole_gpus(resources))
    share, oddity = _share(template, spec)
    if oddity is not None:
        gpus = None
    elif share is not None:
        gpus = 1
    return Pod(
        gpus,
        share,
        _models(spec),
        _at_most(spec, lambda resources: quantity(resources.get("cpu", "0"), "cpu")),
        int(_at_most(spec, lambda resources: quantity(resources.get("memory", "0"), "memory"))),
        oddity,
    )


def _at_most(spec: dict[str, Any], of: Callable[[dict[str, Any]], Any]) -> Any:
    """The most that runs at once: containers together, or one that comes before them; side-cars run beside both."""
    beside, most = 0, 0
    for container in listed(spec, "initContainers"):
        amount = of(_resources(container))
        most = max(most, beside + amount)
        if text(container, "restartPolicy") == "Always":
            beside += amount
    return max(most, beside + sum(of(_resources(one)) for one in listed(spec, "containers")))


def _resources(container: Any) -> dict[str, Any]:
    """Requests, with limits for the resources that only they name (of a GPU both are equal)."""
    return {**mapping(container, "resources", "limits"), **mapping(container, "resources", "requests")}


def _share(template: Any, spec: dict[str, Any]) -> tuple[float | None, CellError | None]:
    """(share of one card, why GPUs cannot be counted)."""
    if listed(spec, "resourceClaims"):
        return None, CellError("resourceClaims", "", "nvidia.com/gpu", "devices by claim: their number is not said")
    fraction = text(template, "metadata", "annotations", FRACTION)
    if fraction:
        return _part(quantity(fraction, FRACTION), FRACTION, fraction), None
    asked = [pair for one in _all_containers(spec) for pair in _resources(one).items()]
    cores = [(name, amount) for name, amount in asked if name in CORES]
    if len(cores) == 1:
        name, amount = cores[0]
        return _part(quantity(amount, name) / 100, name, str(amount)), None
    for name, amount in asked:
        if name in PARTS or name in SHARED or name in CORES or name.startswith(MIG):
            return None, CellError(name, str(amount), "nvidia.com/gpu", "parts of cards, not whole GPUs: unknown")
    return None, None


def _part(share: Decimal, column: str, value: str) -> float | None:
    if not 0 < share <= 1:
        raise CellError(column, value, "a part of one card, above 0", "not a part of a card")
    return None if share == 1 else float(share)


def _all_containers(spec: dict[str, Any]) -> Iterable[Any]:
    return (*listed(spec, "initContainers"), *listed(spec, "containers"))


def _models(spec: dict[str, Any]) -> tuple[str, ...]:
    """Models that the node selector, or a required affinity, binds the pod to."""
    selected = text(spec, "nodeSelector", PRODUCT)
    if selected:
        return (selected,)
    terms = listed(
        spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"
    )
    rules = [rule for term in terms for rule in listed(term, "matchExpressions")]
    named = [rule for rule in rules if text(rule, "key") == PRODUCT and text(rule, "operator") == "In"]
    return tuple(sorted({str(value) for rule in named for value in listed(rule, "values")}))
