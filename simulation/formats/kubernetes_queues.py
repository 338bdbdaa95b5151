"""Quotas of Kueue and Volcano: what a queue may use, what it may borrow, and whether a job can ever fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simulation.formats.kubernetes import Object, inside, listed, mapping, text, whole
from simulation.formats.kubernetes_gangs import group_and_kind
from simulation.formats.kubernetes_gpus import PRODUCT, WHOLE
from simulation.formats.quantities import MAX_DEVICES

KUEUE = "kueue.x-k8s.io"
QUEUE_NAME = f"{KUEUE}/queue-name"


@dataclass(frozen=True, slots=True)
class Quota:
    """GPUs of one flavour that a queue may use: `nominal` its own, `borrowing` on top (None: as much as is free)."""

    queue: str
    flavour: str
    model: str | None
    nominal: int
    borrowing: int | None


@dataclass(frozen=True, slots=True)
class Queues:
    """All queues of a file; `local`: (namespace, local queue) -> cluster queue."""

    quotas: tuple[Quota, ...]
    local: dict[tuple[str, str], str]

    def of(self, job: Object) -> str:
        """The queue that a job waits in, that of the whole cluster where the file says which; '' for none."""
        named = text(job, "metadata", "labels", QUEUE_NAME)
        return self.local.get((namespace(job), named), named) or text(job, "spec", "queue")

    def models(self, queue: str) -> tuple[str, ...]:
        """Models of the queue's flavours; () where one of them is not bound to any."""
        found = [quota.model for quota in self.quotas if quota.queue == queue]
        return tuple(sorted({model for model in found if model})) if found and all(found) else ()

    def fit(self, queue: str, gpus: int) -> str | None:
        """Whether a gang fits in some flavour of its queue; None where the queue has no GPU quota in the file."""
        quotas = [quota for quota in self.quotas if quota.queue == queue]
        if not quotas:
            return None
        own = max(quota.nominal for quota in quotas)
        if gpus <= own:
            return "within the own quota" + (", exactly full" if gpus == own else "")
        borrowed = any(quota.borrowing is None or gpus <= quota.nominal + quota.borrowing for quota in quotas)
        return "only with borrowed GPUs" if borrowed else "never"


def namespace(one: Object) -> str:
    return text(one, "metadata", "namespace")


def queues_in(objects: list[Object]) -> Queues:
    """CellError for a quota that is no count."""
    flavours: dict[str, str | None] = {}
    local: dict[tuple[str, str], str] = {}
    for one in objects:
        name = text(one, "metadata", "name")
        if group_and_kind(one) == (KUEUE, "ResourceFlavor"):
            flavours[name] = text(one, "spec", "nodeLabels", PRODUCT) or None
        elif group_and_kind(one) == (KUEUE, "LocalQueue"):
            local[namespace(one), name] = text(one, "spec", "clusterQueue")
    return Queues(tuple(quota for one in objects for quota in _quotas(one, flavours)), local)


def _quotas(one: Object, flavours: dict[str, str | None]) -> Iterator[Quota]:
    if group_and_kind(one) == (KUEUE, "ClusterQueue"):
        for group in listed(one, "spec", "resourceGroups"):
            for flavour in listed(group, "flavors"):
                yield from _flavour_quotas(one, flavour, flavours)
    elif group_and_kind(one) == ("scheduling.volcano.sh", "Queue"):
        spec = mapping(one, "spec")
        limit, deserved = _gpus(mapping(spec, "capability")), _gpus(mapping(spec, "deserved"))
        own = deserved if deserved is not None else limit
        if own is not None:
            more = None if limit is None else max(0, limit - own)
            yield Quota(text(one, "metadata", "name"), "", None, own, more)


def _flavour_quotas(queue: Object, flavour: Any, flavours: dict[str, str | None]) -> Iterator[Quota]:
    name = text(flavour, "name")
    cohort = text(queue, "spec", "cohort") or text(queue, "spec", "cohortName")
    for resource in listed(flavour, "resources"):
        if text(resource, "name") not in WHOLE:
            continue
        limit = inside(resource, "borrowingLimit")
        more = whole(limit, "borrowingLimit", MAX_DEVICES) if limit not in (None, "") else None
        yield Quota(
            text(queue, "metadata", "name"),
            name,
            flavours.get(name),
            whole(inside(resource, "nominalQuota"), "nominalQuota", MAX_DEVICES),
            more if cohort else 0,
        )


def _gpus(resources: dict[str, Any]) -> int | None:
    named = [whole(resources[name], name, MAX_DEVICES) for name in WHOLE if name in resources]
    return sum(named) if named else None
