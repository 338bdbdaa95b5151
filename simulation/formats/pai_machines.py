"""Alibaba PAI 2020: the machines of the cluster (pai_machine_spec), a table without a header line."""

from __future__ import annotations

import re
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.headless import HeadlessRows
from simulation.formats.node_totals import node_totals
from simulation.formats.pai_tasks import GIB
from simulation.formats.quantities import device_count, number
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "pai-machines", "1"
COLUMNS = ("machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu")
_ROW = re.compile(r"[\w.-]+,(T4|P100|V100|V100M32|MISC|CPU|),[\d.]*,[\d.]*,[\d.]*")


def detect_pai_machines(text: str, filename: str) -> tuple[float, str]:
    first = text.split("\n", 1)[0].strip()
    if first == ",".join(COLUMNS):
        return 0.95, "the header of the PAI machine table"
    if not _ROW.fullmatch(first):
        return 0.0, ""
    named = "pai_machine_spec" in filename
    return (0.95, "named and laid out like the PAI machine table") if named else (0.7, "rows as in the PAI machines")


def read_pai_machines(source: Source) -> Reading:
    """MISC is a class of several models that the authors do not tell apart."""
    rows = HeadlessRows(source, ",", (COLUMNS,))
    collector = Collector("nodes")
    for record, cells in rows.data(collector):
        try:
            node, oddities = _node(cells, record.line)
            collector.keep_once(node["name"], node, oddities, record.raw)
        except CellError as error:
            collector.reject(record.line, error, record.raw)
    table = collector.table()
    totals = node_totals(table)
    facts = [*source.facts(), "The table does not say what is in use, nor the state of the machines."]
    if "MISC" in totals["by_model"]:
        facts.append("MISC stands for several models that the authors do not name: nothing is looked up for it.")
    return collector.reading(source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _node(cells: dict[str, str], line: int) -> tuple[dict[str, Any], list[CellError]]:
    if not cells["machine"]:
        raise CellError("machine", "", "the name of a machine", "a machine without a name")
    gpus, memory = device_count(cells["cap_gpu"], "cap_gpu"), number(cells["cap_mem"], "cap_mem")
    oddities = []
    if gpus is None:
        oddities.append(CellError("cap_gpu", "", "a number of GPUs", "GPU count unknown, not 0"))
    row = {
        "name": cells["machine"],
        "gpus": gpus,
        "gpu_model": cells["gpu_type"] or None if gpus != 0 else None,
        "slices": (),
        "cpus": number(cells["cap_cpu"], "cap_cpu"),
        "memory_bytes": None if memory is None else int(memory * GIB),
        "line": line,
    }
    return row, oddities


FORMAT = Format(
    SLUG,
    "Alibaba PAI machines",
    "nodes",
    "alibaba/clusterdata, cluster-trace-gpu-v2020, pai_machine_spec.csv",
    detect_pai_machines,
    read_pai_machines,
    reads="machine, GPUs, GPU type, CPUs, memory",
    leaves="what is in use and the state of machines are not in this file",
    unknowns="cap_gpu empty: unknown, not 0; MISC is no model: no price or power is looked up for it",
)
