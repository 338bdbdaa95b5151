"""`slurm.conf`: the nodes and partitions that a cluster is configured with. Not what is up, and not what is in use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.node_totals import node_totals
from simulation.formats.quantities import memory_bytes, number
from simulation.formats.reading import Reading
from simulation.formats.slurm_resources import Devices, expand_hosts, parse_gres
from simulation.formats.source import Source

SLUG, VERSION = "slurm-conf", "1"
_PAIR = re.compile(r"(\w+)\s*=\s*(\"[^\"]*\"|\S*)")


def detect_slurm_conf(text: str, filename: str) -> tuple[float, str]:
    if re.search(
        r"^\s*(?:ClusterName|SlurmctldHost|ControlMachine|PartitionName)\s*=", text, re.MULTILINE | re.IGNORECASE
    ):
        return 0.9, "settings of slurm.conf"
    return 0.0, ""


def read_slurm_conf(source: Source) -> Reading:
    """A row of the counts is a logical line; a NodeName line for several nodes counts as a row for each of them."""
    collector = Collector("nodes")
    defaults: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    names: set[str] = set()
    facts = [*source.facts(), "The file says what is configured: states and use are not in it."]
    in_file = 0
    for line, text in logical_lines(source):
        cells = settings_of(text)
        if "nodename" not in cells or cells["nodename"].upper() == "DEFAULT":
            in_file += 1
            collector.skipped += 1
            defaults |= cells if "nodename" in cells else {}
            _note(text, cells, members, facts)
            continue
        try:
            rows = _nodes({**defaults, **cells}, line, names)
        except CellError as error:
            in_file += 1
            collector.reject(line, error, text)
            continue
        for row, oddities in rows:
            in_file += 1
            collector.keep(row, oddities, text)
    for row in collector.rows:
        row["partitions"] = tuple(members.get(row["name"], []) + members.get("ALL", []))
    table = collector.table()
    return collector.reading(source, SLUG, VERSION, table, in_file=in_file, totals=node_totals(table), facts=facts)


def settings_of(text: str) -> dict[str, str]:
    """Key (in lower case) -> value of the `Key=Value` pairs of a line."""
    return {key.lower(): value.strip('"') for key, value in _PAIR.findall(text)}


def logical_lines(source: Source) -> Iterator[tuple[int, str]]:
    """(first line, text) with comments taken off and lines that end in a backslash joined."""
    start, held = 0, ""
    for number_, line in source.lines():
        start = start if held else number_
        plain = line.split("#", 1)[0].rstrip()
        held += plain.removesuffix("\\")
        if plain.endswith("\\"):
            continue
        yield start, held
        held = ""
    if held:
        yield start, held


def _note(text: str, cells: dict[str, str], members: dict[str, list[str]], facts: list[str]) -> None:
    if text.strip().lower().startswith("include"):
        facts.append(f"Not read: {text.strip()}.")
    partition = cells.get("partitionname", "")
    if partition and partition.upper() != "DEFAULT" and "nodes" in cells:
        try:
            hosts = ["ALL"] if cells["nodes"].upper() == "ALL" else expand_hosts(cells["nodes"], "Nodes")
        except CellError as error:
            facts.append(f"Partition {partition}: {error.reason}, its nodes were not read.")
            return
        for host in hosts:
            members.setdefault(host, []).append(partition)


def _nodes(cells: dict[str, str], line: int, names: set[str]) -> list[tuple[dict[str, Any], list[CellError]]]:
    hosts = expand_hosts(cells["nodename"], "NodeName")
    repeated = names.intersection(hosts)
    if repeated:
        raise CellError("NodeName", min(repeated), "each node once", "the node was configured before")
    names.update(hosts)
    devices = parse_gres(cells["gres"], "Gres") if "gres" in cells else Devices(0)
    state = cells.get("state", "UNKNOWN").lower()
    oddities = []
    if state == "cloud":
        oddities.append(CellError("State", "CLOUD", "an owned machine", "a cloud node exists only while it is rented"))
    common = {
        "gpus": devices.whole,
        "gpu_model": devices.model,
        "slices": devices.slices,
        "cpus": _cpus(cells),
        "memory_bytes": memory_bytes(cells.get("realmemory", ""), "RealMemory"),
        "state": None if state == "unknown" else state,
        "flags": ("cloud",) if state == "cloud" else (),
        "schedulable": False if state in {"down", "drain", "fail", "future"} else None,
        "gpus_in_use": 0 if devices.whole == 0 and not devices.slices else None,
        "line": line,
    }
    return [({"name": host, **common}, oddities) for host in hosts]


def _cpus(cells: dict[str, str]) -> float | None:
    """CPUs, or the product of sockets, cores and threads where that is given instead."""
    if "cpus" in cells or "procs" in cells:
        return number(cells.get("cpus", cells.get("procs", "")), "CPUs")
    if "corespersocket" not in cells:
        return None
    parts = (number(cells.get(key, "1"), key) for key in ("sockets", "corespersocket", "threadspercore"))
    product = 1.0
    for part in parts:
        product *= part or 1.0
    return product


FORMAT = Format(
    slug=SLUG,
    title="Slurm configuration",
    kind="nodes",
    made_by="slurm.conf",
    detect=detect_slurm_conf,
    read=read_slurm_conf,
    reads="nodes, GPUs and model, CPUs, memory, partitions",
    leaves="all other settings; what is up and what is in use: only what is configured is in the file",
    unknowns="a node without Gres: GPUs unknown, with a warning; states stay unknown",
)
