"""`kubectl get nodes -o json` (or yaml): cards installed and usable, slices and shares apart, price class, state."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import Any

from simulation.catalogues.instance_types import instance_types
from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.interview import Interview
from simulation.formats.kubernetes import (
    Object,
    kinds_in,
    listed,
    mapping,
    objects_of,
    quantity,
    text,
    whole,
)
from simulation.formats.kubernetes_gpus import MODEL_LABELS, SHARED, mig_profile, model_of, slices, whole_gpus
from simulation.formats.limits import DEFAULT_LIMITS
from simulation.formats.node_totals import node_totals
from simulation.formats.quantities import MAX_DEVICES
from simulation.formats.reading import RAW_CHARS, Reading
from simulation.formats.source import HEAD_LINES, Source, open_source

SLUG, VERSION = "kubernetes-nodes", "1"
COUNT, REPLICAS = "nvidia.com/gpu.count", "nvidia.com/gpu.replicas"
INSTANCE = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")
CLASSES: dict[tuple[str, str], str] = {
    ("karpenter.sh/capacity-type", "spot"): "spot",
    ("karpenter.sh/capacity-type", "on-demand"): "on-demand",
    ("karpenter.sh/capacity-type", "reserved"): "reserved",
    ("eks.amazonaws.com/capacitytype", "spot"): "spot",
    ("eks.amazonaws.com/capacitytype", "on_demand"): "on-demand",
    ("eks.amazonaws.com/capacitytype", "capacity_block"): "reserved",
    ("cloud.google.com/gke-spot", "true"): "spot",
    ("kubernetes.azure.com/scalesetpriority", "spot"): "spot",
}
"""Label and value in lower case -> price class. Classes that are none of ours (low priority) stay unknown."""
CLASS_LABELS = frozenset({*(label for label, _ in CLASSES), "cloud.google.com/gke-preemptible"})
BLOCKING = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "ToBeDeletedByClusterAutoscaler")


def detect_kubernetes_nodes(head: str, filename: str) -> tuple[float, str]:
    if "Node" in kinds_in(head) and "apiVersion" in head:
        return 0.95, "objects of kind Node, as kubectl get nodes prints them"
    return 0.0, ""


def read_kubernetes_nodes(source: Source) -> Reading:
    """A row of the counts is one object; those that are no nodes are skipped."""
    objects = _anonymous(objects_of(source))
    if not any(one["kind"] == "Node" for one in objects):
        raise FormatError(source.name, value=objects[0]["kind"] if objects else "", expected="objects of kind Node")
    collector = Collector("nodes")
    for place, one in enumerate(objects, start=1):
        if one["kind"] != "Node":
            collector.skipped += 1
            continue
        raw = json.dumps(one)
        try:
            row, oddities = _node(one, place)
            collector.keep_once(row["name"], row, oddities, raw)
        except CellError as error:
            collector.reject(place, error, raw)
    table = collector.table()
    head = tuple(json.dumps(one)[:RAW_CHARS] for one in objects[:HEAD_LINES])
    facts = [
        *source.facts(),
        "Names of nodes are replaced by numbers.",
        "Lines are places of objects in the file, from 1.",
    ]
    return collector.reading(
        source, SLUG, VERSION, table, in_file=len(objects), totals=node_totals(table), facts=facts, head=head
    )


def without_hosts(content: bytes) -> bytes:
    """The objects of a file with no more than is read of them, names of hosts replaced by numbers."""
    source, _ = open_source(io.BytesIO(content), filename="", limits=DEFAULT_LIMITS, interview=Interview())
    return json.dumps({"kind": "List", "items": _anonymous(objects_of(source))}, indent=1).encode()


def _anonymous(objects: list[Object]) -> list[Object]:
    """Nodes under numbers in the order of their names, with what is read of them; of other objects the kind alone."""
    names = sorted({text(one, "metadata", "name") for one in objects if one["kind"] == "Node"} - {""})
    width = len(str(len(names)))
    numbers = {name: f"node-{number:0{width}}" for number, name in enumerate(names, start=1)}
    return [_nameless(one, numbers) if one["kind"] == "Node" else {"kind": one["kind"]} for one in objects]


def _nameless(node: Object, numbers: dict[str, str]) -> Object:
    labels = mapping(node, "metadata", "labels")
    ready = [c for c in listed(node, "status", "conditions") if text(c, "type") == "Ready"]
    return {
        "kind": "Node",
        "metadata": {
            "name": numbers.get(text(node, "metadata", "name"), ""),
            "labels": {name: value for name, value in labels.items() if _is_read(name)},
        },
        "spec": {"unschedulable": text(node, "spec", "unschedulable"), "taints": listed(node, "spec", "taints")},
        "status": {
            "capacity": mapping(node, "status", "capacity"),
            "allocatable": mapping(node, "status", "allocatable"),
            "conditions": [{"type": "Ready", "status": text(c, "status")} for c in ready],
        },
    }


def _is_read(label: str) -> bool:
    return label in {COUNT, REPLICAS, *INSTANCE, *MODEL_LABELS} or label.lower() in CLASS_LABELS


@dataclass(frozen=True, slots=True)
class _Cards:
    """Whole cards installed and usable (None: not said), slices as profile -> number."""

    installed: int | None
    usable: int | None
    slices: dict[str, int]
    oddity: CellError | None = None


def _node(node: Object, place: int) -> tuple[dict[str, Any], list[CellError]]:
    name, labels = text(node, "metadata", "name"), mapping(node, "metadata", "labels")
    if not name:
        raise CellError("metadata.name", "", "the name of a node", "a node without a name")
    capacity = mapping(node, "status", "capacity")
    cards = _cards(capacity, mapping(node, "status", "allocatable"), labels)
    state, flags, schedulable = _state(node)
    purchase, oddities = _purchase(labels)
    oddities += [cards.oddity] if cards.oddity else []
    gpus_in_sight = bool(cards.installed or cards.slices) or cards.installed is None
    row = {
        "name": name,
        "gpus": cards.installed,
        "gpu_model": _model(labels) if gpus_in_sight else None,
        "slices": tuple(f"{profile}:{amount}" for profile, amount in cards.slices.items()),
        "gpus_usable": cards.usable,
        "cpus": float(quantity(capacity["cpu"], "cpu")) if "cpu" in capacity else None,
        "memory_bytes": int(quantity(capacity["memory"], "memory")) if "memory" in capacity else None,
        "state": state,
        "flags": flags,
        "schedulable": schedulable,
        "gpus_in_use": None if gpus_in_sight else 0,
        "partitions": (),
        "purchase": purchase,
        "line": place,
    }
    return row, oddities


def _cards(capacity: dict[str, Any], allocatable: dict[str, Any], labels: dict[str, Any]) -> _Cards:
    """What the resources say. Labels can outlive a device: they only tell how many cards the resources are cut of."""
    given, usable = whole_gpus(capacity), whole_gpus(allocatable or capacity)
    if usable > given:
        raise CellError("allocatable", str(usable), f"at most the capacity of {given}", "more usable than installed")
    cut = slices(allocatable or capacity)
    shares = sum(whole(capacity[name], name, MAX_DEVICES) for name in SHARED if name in capacity)
    labelled = whole(labels[COUNT], COUNT, MAX_DEVICES) if labels.get(COUNT) else None
    profile = mig_profile(model_of(labels))
    if profile and given:
        return _single(profile, given, usable, labelled)
    if cut:
        if labelled is None:
            said = CellError(COUNT, "", "the number of cards that are cut", "slices alone do not say how many cards")
            return _Cards(None, usable, cut, said)
        return _Cards(labelled, usable, cut)
    replicas = whole(labels[REPLICAS], REPLICAS, MAX_DEVICES) if labels.get(REPLICAS) else 1
    if shares or (replicas > 1 and given):
        return _shared(shares or given, replicas, labelled)
    if labelled and labelled != given:
        word = "a label says otherwise than the resources, which count"
        return _Cards(given, usable, {}, CellError(COUNT, str(labelled), f"{given}, as in capacity", word))
    return _Cards(given, usable, {})


def _single(profile: str, given: int, usable: int, labelled: int | None) -> _Cards:
    """Strategy single: each nvidia.com/gpu is a slice. The label counts cards only where it is another number."""
    cards = labelled if labelled is not None and labelled < given else None
    word = f"{given} slices of {profile}, not whole GPUs"
    said = CellError("nvidia.com/gpu", str(given), "slices counted apart", word)
    return _Cards(cards, 0, {profile: usable}, said)


def _shared(shares: int, replicas: int, labelled: int | None) -> _Cards:
    """Time slicing: several shares of each card; the cards are counted."""
    cards = labelled if labelled is not None else shares // replicas if replicas > 1 else None
    word = f"{shares} shares of {'an unknown number of' if cards is None else cards} cards; cards are counted"
    return _Cards(cards, cards, {}, CellError("nvidia.com/gpu", str(shares), "whole cards", word))


def _model(labels: dict[str, Any]) -> str | None:
    """The label's model, else that of the instance type where we know it."""
    instance = next((str(labels[name]) for name in INSTANCE if labels.get(name)), "")
    known = instance_types().get(instance)
    return model_of(labels) or (known.gpu_model if known else None)


def _state(node: Object) -> tuple[str, tuple[str, ...], bool]:
    """(state, flags, whether new work can land): cordoned, not ready and taints of the system keep it away."""
    ready = next((text(c, "status") for c in listed(node, "status", "conditions") if text(c, "type") == "Ready"), "")
    flags = ["cordoned"] if text(node, "spec", "unschedulable") == "true" else []
    blocked = bool(flags)
    for taint in listed(node, "spec", "taints"):
        key, effect = text(taint, "key"), text(taint, "effect")
        flags.append(f"taint {key}:{effect}")
        blocked |= key.startswith(BLOCKING) and effect in ("NoSchedule", "NoExecute")
    state = {"True": "ready", "False": "not-ready"}.get(ready, "unknown")
    return state, tuple(flags), state == "ready" and not blocked


def _purchase(labels: dict[str, Any]) -> tuple[str | None, list[CellError]]:
    """The price class of a node; two that differ, or one that is none of ours, leave it unknown."""
    told = {name: str(labels[name]) for name in labels if name.lower() in CLASS_LABELS}
    found = {CLASSES.get((name.lower(), value.lower())) for name, value in told.items()}
    if len(found) == 1 and None not in found:
        return found.pop(), []
    if not found:
        return None, []
    name, value = sorted(told.items())[0]
    return None, [CellError(name, value, "spot, on-demand or reserved", "the price class is not known")]


FORMAT = Format(
    slug=SLUG,
    title="Kubernetes nodes",
    kind="nodes",
    made_by="kubectl get nodes -o json",
    detect=detect_kubernetes_nodes,
    read=read_kubernetes_nodes,
    reads=(
        "cards installed and usable (capacity, allocatable), model (GPU feature labels, else instance type), MIG "
        "slices, time-sliced shares, CPUs, memory, readiness, cordon and taints, price class"
    ),
    leaves="names of nodes (numbers take their place), addresses, provider ids, images: nothing of them is stored",
    unknowns=(
        "slices without a count of cards: cards unknown; what is in use is not in the file; Ready=Unknown takes no "
        "work; a price class that is none of ours stays unknown"
    ),
    redact=without_hosts,
)
