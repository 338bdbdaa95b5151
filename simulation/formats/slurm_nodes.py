"""`scontrol show node`, a block or a line a node: devices installed and allocated, states, memory, measured power."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.node_totals import node_totals
from simulation.formats.quantities import count, is_unknown, memory_bytes, number
from simulation.formats.reading import Reading
from simulation.formats.slurm_resources import Devices, node_state, parse_gres, parse_tres
from simulation.formats.source import Source

SLUG, VERSION = "slurm-nodes", "1"
KEYS = ("CPUTot", "Gres", "GresUsed", "RealMemory", "State", "Partitions", "CfgTRES", "AllocTRES", "CurrentWatts")
_PAIR = re.compile(r"(?:^|\s)(" + "|".join(("NodeName", *KEYS)) + r")=(\S*)")
_FREE_TEXT = re.compile(r"\s(?:Reason|Comment|Extra)=")


def detect_slurm_nodes(text: str, filename: str) -> tuple[float, str]:
    if re.search(r"^NodeName=\S+ (?:Arch|CoresPerSocket|CPUAlloc)", text, re.MULTILINE):
        return 0.95, "blocks that begin with NodeName=, as scontrol show node prints them"
    return 0.0, ""


def read_slurm_nodes(source: Source) -> Reading:
    """A row of the counts is one node, or one line that belongs to none; blank lines are no rows."""
    collector = Collector("nodes")
    in_file = 0
    for line, block in _blocks(source):
        in_file += 1
        try:
            row, oddities = _node(block, line)
            collector.keep_once(row["name"], row, oddities, block)
        except CellError as error:
            collector.reject(line, error, block)
    table = collector.table()
    facts = source.facts()
    if collector.folded:
        facts.append(f"{collector.folded} nodes are in the file twice in equal words and count once.")
    return collector.reading(source, SLUG, VERSION, table, in_file=in_file, totals=node_totals(table), facts=facts)


def _blocks(source: Source) -> Iterator[tuple[int, str]]:
    """(first line, text) of each node; a line outside of any block comes alone."""
    start, block = 0, ""
    for number_, line in source.lines():
        if line.startswith("NodeName="):
            if block:
                yield start, block
            start, block = number_, line
        elif block and line[:1].isspace() and line.strip():
            block += "\n" + line
        elif line.strip():
            if block:
                yield start, block
            block = ""
            yield number_, line
    if block:
        yield start, block


def _node(block: str, line: int) -> tuple[dict[str, Any], list[CellError]]:
    if not block.startswith("NodeName="):
        raise CellError(None, block, "a block that begins with NodeName=", "a line outside of any node")
    told = _FREE_TEXT.split(block, maxsplit=1)[0]
    cells: dict[str, str] = {}
    for key, value in _PAIR.findall(told):
        cells.setdefault(key, value)
    oddities: list[CellError] = []
    installed = parse_gres(cells.get("Gres", ""), "Gres")
    configured = parse_tres(cells.get("CfgTRES", ""), "CfgTRES")
    if "Gres" not in cells:
        installed = configured.devices
    _compare(installed, configured.devices, cells, oddities)
    base, flags, schedulable = node_state(cells.get("State", "unknown"))
    if installed.whole is None:
        oddities.append(
            CellError("Gres", cells.get("Gres", ""), "gpu:MODEL:COUNT or (null)", "GPU count unknown, not 0")
        )
    row = {
        "name": cells["NodeName"],
        "gpus": installed.whole,
        "gpu_model": installed.model,
        "slices": installed.slices,
        "gpus_usable": _usable(installed, configured.devices),
        "cpus": number(cells.get("CPUTot", ""), "CPUTot"),
        "memory_bytes": memory_bytes(cells.get("RealMemory", ""), "RealMemory"),
        "state": base,
        "flags": flags,
        "schedulable": schedulable,
        "gpus_in_use": _in_use(cells, installed, configured.devices),
        "watts": _watts(cells.get("CurrentWatts", "")),
        "partitions": tuple(p for p in cells.get("Partitions", "").split(",") if not is_unknown(p)),
        "line": line,
    }
    return row, oddities


def _compare(installed: Devices, configured: Devices, cells: dict[str, str], oddities: list[CellError]) -> None:
    if len(installed.models) > 1:
        oddities.append(CellError("Gres", cells["Gres"], "one model a node", "several GPU models in one node"))
    if installed.whole and configured.whole and configured.whole < installed.whole and not installed.slices:
        oddities.append(
            CellError(
                "CfgTRES",
                cells["CfgTRES"],
                f"{installed.whole} GPUs as in Gres",
                f"only {configured.whole} GPUs configured",
            )
        )


def _usable(installed: Devices, configured: Devices) -> int | None:
    """Whole devices that Slurm gives out: CfgTRES counts fewer than Gres where a card is lost."""
    if installed.whole is None or configured.whole is None or installed.slices:
        return None
    return min(installed.whole, configured.whole) if configured.whole else None


def _in_use(cells: dict[str, str], installed: Devices, configured: Devices) -> int | None:
    """Devices allocated; None where the cluster does not account for GPUs, or only slices are counted."""
    if installed.whole == 0 and not installed.slices:
        return 0
    if "GresUsed" in cells:
        return parse_gres(cells["GresUsed"], "GresUsed").whole
    if installed.slices or not configured.whole:
        return None
    if "AllocTRES" not in cells:
        return None
    return parse_tres(cells["AllocTRES"], "AllocTRES").devices.whole or 0


def _watts(text: str) -> float | None:
    """Measured power; 0, n/s and n/a mean that nothing was measured."""
    try:
        watts = count(text, "CurrentWatts")
    except CellError:
        return None
    return float(watts) if watts else None


FORMAT = Format(
    slug=SLUG,
    title="Slurm nodes",
    kind="nodes",
    made_by="scontrol show node",
    detect=detect_slurm_nodes,
    read=read_slurm_nodes,
    reads=(
        "node, GPUs and model (Gres, else CfgTRES), MIG slices, CPUs, memory, state with flags, partitions, "
        "GPUs in use, measured watts"
    ),
    leaves="free texts such as Reason and Comment, addresses, versions",
    unknowns=("no Gres: unknown, not 0; watts n/s, n/a or 0: not measured; slices hide how many whole GPUs are in use"),
)
