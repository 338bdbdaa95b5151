"""`sinfo` tables: a line a node and partition (-N), or a line for several nodes; | between columns, or fixed widths."""

from __future__ import annotations

import re
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.node_totals import node_totals
from simulation.formats.quantities import count, memory_bytes
from simulation.formats.reading import Reading
from simulation.formats.slurm_resources import expand_hosts, node_state, parse_gres
from simulation.formats.source import Source

SLUG, VERSION = "slurm-sinfo", "1"
NAME_COLUMNS = ("NODELIST", "HOSTNAMES", "NODE_LIST")


def detect_sinfo(text: str, filename: str) -> tuple[float, str]:
    header = text.split("\n", 1)[0].upper()
    if any(name in header for name in NAME_COLUMNS) and re.search(r"\b(?:GRES|STATE|PARTITION|CPUS)", header):
        return 0.9, "the header of a sinfo table"
    return 0.0, ""


def read_sinfo(source: Source) -> Reading:
    """A row of the counts is one node in one partition; further partitions of a node are folded into its first row."""
    collector = Collector("nodes")
    split: _Columns | None = None
    nodes: dict[str, dict[str, Any]] = {}
    in_file = 0
    for line, text in source.lines():
        if not text.strip() or split is None or text == split.header:
            in_file += 1
            collector.skipped += 1
            if text.strip() and split is None:
                split = _Columns(source, line, text)
            continue
        try:
            cells = split.cells(text)
            rows = _rows(cells, line, split.name_column)
        except CellError as error:
            in_file += 1
            collector.reject(line, error, text)
            continue
        for row in rows:
            in_file += 1
            _take(row, nodes, collector, text)
    if split is None:
        raise FormatError(source.name, expected="a header with NODELIST; there are only blank lines")
    table = collector.table()
    facts = [*source.facts(), "A line for several nodes counts as a row for each of them."]
    return collector.reading(source, SLUG, VERSION, table, in_file=in_file, totals=node_totals(table), facts=facts)


class _Columns:
    """How to cut a line: at |, at blanks where that fits, else at the places of the header's words."""

    def __init__(self, source: Source, line: int, header: str) -> None:
        self.header = header
        self._names = [name.strip().upper() for name in header.split("|")] if "|" in header else header.upper().split()
        self._places = [match.start() for match in re.finditer(r"\S+", header)]
        found = [name for name in NAME_COLUMNS if name in self._names]
        if not found:
            raise FormatError(source.name, line=line, value=header, expected="a header with NODELIST")
        self.name_column = found[0]

    def cells(self, text: str) -> dict[str, str]:
        if "|" in self.header:
            parts = [part.strip() for part in text.split("|")]
        else:
            parts = text.split()
            if len(parts) != len(self._names):
                ends = [*self._places[1:], len(text)]
                parts = [text[a:b].strip() for a, b in zip(self._places, ends, strict=True)]
        if len(parts) != len(self._names):
            raise CellError(None, text, f"{len(self._names)} columns", f"{len(parts)} columns")
        return dict(zip(self._names, parts, strict=True))


def _rows(cells: dict[str, str], line: int, name_column: str) -> list[dict[str, Any]]:
    devices = parse_gres(cells.get("GRES", ""), "GRES")
    used = parse_gres(cells["GRES_USED"], "GRES_USED").whole if "GRES_USED" in cells else None
    base, flags, schedulable = node_state(cells["STATE"]) if "STATE" in cells else (None, (), None)
    cpus = re.split(r"/", cells.get("CPUS(A/I/O/T)", cells.get("CPUS", "")))[-1]
    partition = cells.get("PARTITION", "").rstrip("*")
    common = {
        "gpus": devices.whole,
        "gpu_model": devices.model,
        "slices": devices.slices,
        "cpus": count(cpus.rstrip("+"), "CPUS"),
        "memory_bytes": memory_bytes(cells.get("MEMORY", "").rstrip("+"), "MEMORY"),
        "state": base,
        "flags": flags,
        "schedulable": schedulable,
        "gpus_in_use": 0 if devices.whole == 0 and not devices.slices else used,
        "partitions": (partition,) if partition else (),
        "line": line,
    }
    hosts = expand_hosts(cells[name_column], name_column)
    if not hosts:
        raise CellError(name_column, cells[name_column], "a node name", "a row without a node")
    return [{"name": host, **common} for host in hosts]


def _take(row: dict[str, Any], nodes: dict[str, dict[str, Any]], collector: Collector, raw: str) -> None:
    known = nodes.get(row["name"])
    if known is None:
        nodes[row["name"]] = row
        unknown = CellError("GRES", "", "gpu:MODEL:COUNT or (null)", "GPU count unknown, not 0")
        collector.keep(row, [unknown] if row["gpus"] is None else [], raw)
        return
    differing = [key for key in ("gpus", "gpu_model", "cpus") if known[key] != row[key]]
    if differing:
        error = CellError(
            differing[0], str(row[differing[0]]), str(known[differing[0]]), "the node was given otherwise before"
        )
        collector.reject(row["line"], error, raw)
        return
    known["partitions"] = tuple(dict.fromkeys((*known["partitions"], *row["partitions"])))
    collector.folded += 1


FORMAT = Format(
    slug=SLUG,
    title="Slurm node table",
    kind="nodes",
    made_by='sinfo -N -o "%N|%P|%T|%C|%m|%G"',
    detect=detect_sinfo,
    read=read_sinfo,
    reads="node, GPUs and model, slices, CPUs, memory, state, partition, GPUs in use where GRES_USED is printed",
    leaves="other columns; a node in several partitions counts once",
    unknowns="no GRES column: GPUs unknown; no state column: whether it takes jobs is unknown",
)
