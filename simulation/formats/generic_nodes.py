"""Any spreadsheet with a row a node, or a row for several equal nodes."""

from __future__ import annotations

from typing import Any

from simulation.formats.collector import CellError, Collector, number_by_content
from simulation.formats.delimited import Record
from simulation.formats.format import Format
from simulation.formats.generic_detect import sheet_confidence
from simulation.formats.generic_rows import TypedRows, Values
from simulation.formats.mapping import Field, ask_mapping
from simulation.formats.node_totals import node_totals
from simulation.formats.reading import Reading
from simulation.formats.sheet import ANY_SHEET, SHEET_LEAVES, read_sheet
from simulation.formats.slurm_resources import node_state
from simulation.formats.source import Source

SLUG, VERSION = "generic-nodes", "1"
MAX_NODES_A_ROW = 50_000
FIELDS = (
    Field(
        "gpus_in_use", "the GPUs in use", "count", r"\b(gpus? (used|in use|alloc\w*|belegt)|used gpus?|belegte gpus?)\b"
    ),
    Field(
        "gpu_model",
        "the GPU model",
        "text",
        r"\b(gpu (model|type|name|typ|art)|(gpu )?modell?e?|accelerator( type)?)\b",
    ),
    Field(
        "gpus",
        "the number of GPUs a node",
        "count",
        r"\b(gpus?( count| anzahl| per node| je knoten)?|num gpus?|anzahl gpus?)\b",
    ),
    Field(
        "count",
        "the number of such nodes",
        "count",
        r"^(nodes|number of nodes|num nodes|node count|anzahl|anzahl knoten|knoten|count|quantity|menge|nombre)$",
    ),
    Field("name", "the node's name", "text", r"\b(name|node|host\w*|server|knoten\w*|rechner|sn|noeud|serveur|pool)\b"),
    Field("cpus", "the number of CPUs", "number", r"\b(n?cpus?|cores?|kerne|coeurs)\b"),
    Field("memory_bytes", "the main memory", "memory", r"\b(mem|memory|speicher|arbeitsspeicher|ram|memoire)\b"),
    Field("state", "the state", "text", r"\b(state|status|zustand|etat|statut)\b"),
    Field("watts", "the measured power in watts", "number", r"\b(watts?|power|leistung|puissance)\b"),
    Field("partitions", "the partition or pool", "text", r"\b(partitions?|pool|queue)\b"),
)


def detect_generic_nodes(text: str, filename: str) -> tuple[float, str]:
    return sheet_confidence(text, FIELDS, ("gpus", "gpu_model", "name", "cpus", "memory_bytes"), filename)


def read_generic_nodes(source: Source) -> Reading:
    """A row for n nodes gives n rows of the table, and counts as n rows of the file."""
    interview = source.interview
    collector = Collector("nodes")
    sheet = read_sheet(source, collector)
    mapped = ask_mapping(sheet, FIELDS, interview)
    rows = TypedRows(sheet, FIELDS, mapped, interview)
    seen: set[str] = set()

    def finish(values: Values, record: Record) -> tuple[dict[str, Any], list[CellError]]:
        return _node(values, seen)

    rows.collect(collector, finish)
    number_by_content([row for row in collector.rows if row["name"] is None], "name", "unnamed-")
    more = _multiply(collector)
    table = collector.table()
    facts = list(sheet.facts)
    if more:
        facts.append(f"Rows for several nodes stand for {more} nodes more than there are rows.")
    return collector.reading(
        source,
        SLUG,
        VERSION,
        table,
        in_file=sheet.in_file + more,
        totals=node_totals(table),
        facts=facts,
        head=tuple(sheet.head),
        columns=mapped.columns,
    )


def _node(values: Values, seen: set[str]) -> tuple[dict[str, Any], list[CellError]]:
    oddities = []
    name = values.get("name")
    if name is not None and name in seen:
        raise CellError("name", name, "each node once", "the node is in the file twice")
    gpus, used = values.get("gpus"), values.get("gpus_in_use")
    if gpus is None:
        oddities.append(CellError("gpus", "", "a number of GPUs", "GPU count unknown, not 0"))
    elif used is not None and used > gpus:
        raise CellError("gpus in use", str(used), f"at most {gpus}", "more in use than there are")
    if (values.get("count") or 1) > MAX_NODES_A_ROW:
        raise CellError("count", str(values["count"]), f"at most {MAX_NODES_A_ROW:,}", "too many nodes")
    seen.add(name or "")
    row = {key: value for key, value in values.items() if key not in {"state", "partitions"}}
    if values.get("state"):
        row["state"], row["flags"], row["schedulable"] = node_state(values["state"])
    if values.get("partitions"):
        row["partitions"] = tuple(part.strip() for part in values["partitions"].split(","))
    return {**row, "name": name, "gpus_in_use": 0 if gpus == 0 else used, "slices": ()}, oddities


def _multiply(collector: Collector) -> int:
    """Replace each row for n nodes by n rows with numbered names; how many rows came on top."""
    rows, collector.rows = collector.rows, []
    counts = [row.pop("count", None) for row in rows]
    for row, times in zip(rows, counts, strict=True):
        if times is None or times == 1:
            collector.rows.append(row)
        else:
            width = len(str(times))
            collector.rows.extend({**row, "name": f"{row['name']}-{n:0{width}}"} for n in range(1, times + 1))
    return len(collector.rows) - len(rows)


FORMAT = Format(
    slug=SLUG,
    title="Table of nodes",
    kind="nodes",
    made_by=ANY_SHEET,
    detect=detect_generic_nodes,
    read=read_generic_nodes,
    reads=(
        "node or number of equal nodes, GPUs and model, GPUs in use, CPUs, memory, state, measured watts, partition"
    ),
    leaves=SHEET_LEAVES,
    unknowns="GPUs empty: unknown, not 0; a node that stands there twice is rejected",
)
