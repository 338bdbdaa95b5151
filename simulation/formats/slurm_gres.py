"""`gres.conf`: the devices of each node, counted from its device files."""

from __future__ import annotations

import re
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.node_totals import node_totals
from simulation.formats.quantities import device_count
from simulation.formats.reading import Reading
from simulation.formats.slurm_conf import logical_lines, settings_of
from simulation.formats.slurm_resources import expand_hosts
from simulation.formats.source import Source

SLUG, VERSION = "slurm-gres", "1"


def detect_slurm_gres(text: str, filename: str) -> tuple[float, str]:
    if re.search(r"^[^#\n]*\bName\s*=\s*gpu\b", text, re.MULTILINE | re.IGNORECASE):
        return 0.8, "lines with Name=gpu, as in gres.conf"
    return 0.0, ""


def read_slurm_gres(source: Source) -> Reading:
    """A line for several nodes counts as a row for each; further lines of a node are folded into its first."""
    collector = Collector("nodes")
    nodes: dict[str, dict[str, Any]] = {}
    facts = [*source.facts(), "The file says what is configured: states, memory and use are not in it."]
    in_file = 0
    for line, text in logical_lines(source):
        cells = settings_of(text)
        if cells.get("name", "").lower() != "gpu":
            in_file += 1
            collector.skipped += 1
            if cells.get("autodetect", "off").lower() not in {"off", ""}:
                facts.append(f"AutoDetect={cells['autodetect']}: counts may stand in slurm.conf alone.")
            continue
        try:
            rows = _devices(cells, text, line)
        except CellError as error:
            in_file += 1
            collector.reject(line, error, text)
            continue
        in_file += len(rows)
        for row in rows:
            _take(row, nodes, collector, text)
    table = collector.table()
    return collector.reading(source, SLUG, VERSION, table, in_file=in_file, totals=node_totals(table), facts=facts)


def _devices(cells: dict[str, str], text: str, line: int) -> list[dict[str, Any]]:
    if "nodename" not in cells:
        raise CellError("NodeName", text, "NodeName=, as the line holds for every node", "the nodes are not named")
    files = cells.get("file", cells.get("multiplefiles", ""))
    gpus = device_count(cells["count"], "Count") if "count" in cells else len(expand_hosts(files, "File")) or None
    if gpus is None:
        raise CellError("File", text, "File= or Count=", "the number of devices is not given")
    common = {"gpus": gpus, "gpu_model": cells.get("type"), "slices": (), "flags": (), "partitions": (), "line": line}
    return [{"name": host, **common} for host in expand_hosts(cells["nodename"], "NodeName")]


def _take(row: dict[str, Any], nodes: dict[str, dict[str, Any]], collector: Collector, raw: str) -> None:
    known = nodes.setdefault(row["name"], row)
    if known is row:
        collector.keep(row, [], raw)
        return
    known["gpus"] += row["gpus"]
    if row["gpu_model"] != known["gpu_model"]:
        known["gpu_model"] = "|".join(sorted({*(known["gpu_model"] or "").split("|"), row["gpu_model"] or ""} - {""}))
    collector.folded += 1


FORMAT = Format(
    slug=SLUG,
    title="Slurm GPU devices",
    kind="nodes",
    made_by="gres.conf",
    detect=detect_slurm_gres,
    read=read_slurm_gres,
    reads="nodes, GPUs by device files or Count, model",
    leaves="other devices; what is up and what is in use: only what is configured is in the file",
    unknowns="AutoDetect: counts may stand in slurm.conf alone, which is said; memory and CPUs stay unknown",
)
