"""Alibaba openb 2023: node list and pod list of a cluster whose pods may share a GPU."""

from __future__ import annotations

from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.headed import HeadedRows, header_detector
from simulation.formats.job_totals import job_totals
from simulation.formats.node_totals import node_totals
from simulation.formats.quantities import count, device_count
from simulation.formats.reading import Reading
from simulation.formats.source import Source

NODES_SLUG, PODS_SLUG, VERSION = "openb-nodes", "openb-pods", "1"
NODE_COLUMNS = ("sn", "cpu_milli", "memory_mib", "gpu", "model")
POD_COLUMNS = (
    *("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec"),
    *("qos", "pod_phase", "creation_time", "deletion_time", "scheduled_time"),
)
SECRET_MODELS = ("G2", "G3")
WHOLE_MILLI = 1000
MIB = 1024**2
OUTCOMES = {"Running": "running", "Succeeded": "finished", "Failed": "failed", "Pending": "waiting"}
Row = tuple[dict[str, Any], list[CellError]]


def read_openb_nodes(source: Source) -> Reading:
    """G2 and G3 are nicknames of models that the authors keep secret: nothing may be looked up for them."""
    rows = HeadedRows(source, ",", NODE_COLUMNS)
    at = [rows.place(name) for name in NODE_COLUMNS]
    collector = Collector("nodes")
    rows.read_into(collector, lambda cells, line: _node([cells[i] for i in at], line), unique="name")
    table = collector.table()
    totals = node_totals(table)
    facts = [*source.facts(), "The list does not say what is in use, nor the state of the nodes."]
    for model in SECRET_MODELS:
        if model in totals["by_model"]:
            facts.append(f"{model} stands for a model that the authors do not name: no price or power is known for it.")
    return collector.reading(source, NODES_SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _node(cells: list[str], line: int) -> Row:
    name, cpu_milli, memory_mib, gpu, model = cells
    if not name.strip():
        raise CellError("sn", name, "the name of a node", "a node without a name")
    cpus, memory, gpus = count(cpu_milli, "cpu_milli"), count(memory_mib, "memory_mib"), device_count(gpu, "gpu")
    oddities = []
    if gpus is None:
        oddities.append(CellError("gpu", gpu, "a number of GPUs", "GPU count unknown, not 0"))
    if gpus and not model.strip():
        oddities.append(CellError("model", model, "a model, as there are GPUs", "the model is not named"))
    row = {
        "name": name.strip(),
        "gpus": gpus,
        "gpu_model": model.strip() or None,
        "slices": (),
        "cpus": None if cpus is None else cpus / 1000,
        "memory_bytes": None if memory is None else memory * MIB,
        "line": line,
    }
    return row, oddities


def read_openb_pods(source: Source) -> Reading:
    """Times are seconds since the trace began. Running pods end with the recording: their run time is a lower bound."""
    rows = HeadedRows(source, ",", POD_COLUMNS)
    at = [rows.place(name) for name in POD_COLUMNS]
    collector = Collector("jobs")
    rows.read_into(
        collector,
        lambda cells, line: _pod(dict(zip(POD_COLUMNS, (cells[i] for i in at), strict=True)), line),
        unique="id",
    )
    table = collector.table()
    never = sum(1 for start in table["start_s"] if start is None)
    totals = {**job_totals(table), "never_scheduled": never}
    facts = [
        *source.facts(),
        "Times are seconds since the trace began, not dates.",
        f"{never} pods were never scheduled: they have no wait and no run time.",
        f"{totals['gpu_sharing_jobs']} pods ask for a part of one GPU; each counts with its part only.",
        f"{totals['outcomes'].get('running', 0)} pods were still running when the recording ended.",
    ]
    return collector.reading(source, PODS_SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _pod(cells: dict[str, str], line: int) -> Row:
    if not cells["name"].strip():
        raise CellError("name", cells["name"], "the name of a pod", "a pod without a name")
    oddities: list[CellError] = []
    gpus, share = _devices(cells)
    created, deleted, scheduled = (
        count(cells[name], name) for name in ("creation_time", "deletion_time", "scheduled_time")
    )
    outcome = OUTCOMES.get(cells["pod_phase"])
    if outcome is None:
        oddities.append(CellError("pod_phase", cells["pod_phase"], ", ".join(OUTCOMES), "the outcome is not known"))
    if scheduled is not None and deleted is not None and deleted < scheduled:
        raise CellError("deletion_time", cells["deletion_time"], f"{scheduled} or more", "ends before it starts")
    if created is not None and scheduled is not None and scheduled < created:
        oddities.append(
            CellError("scheduled_time", cells["scheduled_time"], f"{created} or more", "the wait is not known")
        )
    elapsed = None if scheduled is None or deleted is None else float(deleted - scheduled)
    cpus, memory = count(cells["cpu_milli"], "cpu_milli"), count(cells["memory_mib"], "memory_mib")
    held = 1.0 if share is None else share
    row = {
        "id": cells["name"].strip(),
        "name": cells["name"].strip(),
        "partition": cells["qos"] or None,
        "submit_s": _float(created),
        "start_s": _float(scheduled),
        "end_s": None if outcome == "running" or scheduled is None else _float(deleted),
        "elapsed_s": elapsed,
        "gpus": gpus,
        "gpu_share": share,
        "gpu_s": None if gpus is None or elapsed is None else gpus * held * elapsed,
        "gpu_models_allowed": cells["gpu_spec"].strip() or None,
        "cpus": None if cpus is None else cpus / 1000,
        "memory_bytes": None if memory is None else memory * MIB,
        "state": cells["pod_phase"] or None,
        "outcome": outcome,
        "attempts": 0 if scheduled is None else 1,
        "attempts_s": () if elapsed is None else (elapsed,),
        "line": line,
    }
    return row, oddities


def _devices(cells: dict[str, str]) -> tuple[int | None, float | None]:
    """(devices, part of the one device, None for whole ones) of num_gpu and gpu_milli."""
    gpus, milli = device_count(cells["num_gpu"], "num_gpu"), count(cells["gpu_milli"], "gpu_milli")
    if not gpus or milli is None or milli == WHOLE_MILLI:
        return gpus, None
    if gpus > 1 or not 0 < milli < WHOLE_MILLI:
        raise CellError(
            "gpu_milli", cells["gpu_milli"], "1 to 1000, and 1000 for several GPUs", "not a part of one GPU"
        )
    return gpus, milli / WHOLE_MILLI


def _float(value: int | None) -> float | None:
    return None if value is None else float(value)


NODES_FORMAT = Format(
    slug=NODES_SLUG,
    title="Alibaba openb nodes",
    kind="nodes",
    made_by="alibaba/clusterdata, cluster-trace-gpu-v2023",
    detect=header_detector(NODE_COLUMNS, "the header of an openb node list"),
    read=read_openb_nodes,
    reads="node, GPUs, model, CPUs, memory",
    leaves="what is in use and the state of nodes are not in this file",
    unknowns="G2 and G3 are models that the authors do not name: no price or power is looked up for them",
)

PODS_FORMAT = Format(
    slug=PODS_SLUG,
    title="Alibaba openb pods",
    kind="jobs",
    made_by="alibaba/clusterdata, cluster-trace-gpu-v2023",
    detect=header_detector(POD_COLUMNS, "the header of an openb pod list"),
    read=read_openb_pods,
    reads="pod, creation, scheduling, deletion, GPUs or the part of one, permitted models, CPUs, memory, phase",
    leaves="quality of service beyond its name; on which node a pod ran is not in this file",
    unknowns=(
        "never scheduled: no wait and no run time; running at the end of the recording: run time is a lower bound"
    ),
)
