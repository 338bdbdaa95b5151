"""`nvidia-smi topo -m`: the kind of link between each two GPUs and network cards of one node."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.quantities import is_unknown
from simulation.formats.reading import Reading
from simulation.formats.source import Source
from simulation.formats.tables import Table

SLUG, VERSION = "nvidia-topology", "1"
LINKS = ("PIX", "PXB", "PHB", "NODE", "SYS")
"""Links over PCIe, the nearest first; NV# is a bonded set of # NVLinks."""
_ANSI = re.compile(r"\x1b?\[[0-9;]*m")
_DEVICE = re.compile(r"(GPU|NIC|mlx5_)(\d+)", re.IGNORECASE)
_NVLINK = re.compile(r"NV(\d{1,3})")


def detect_nvidia_topology(text: str, filename: str) -> tuple[float, str]:
    if re.search(r"^\s*(?:\x1b?\[[0-9;]*m)?\s*GPU0\t", text, re.MULTILINE) and "Affinity" in text:
        return 0.95, "a matrix that begins with GPU0 and names CPU Affinity, as nvidia-smi topo -m prints it"
    return 0.0, ""


def read_nvidia_topology(source: Source) -> Reading:
    """A row of the counts is one line; header, legend and blank lines are skipped."""
    collector = Collector("devices")
    header: list[str] | None = None
    in_file = 0
    for line, text in source.lines():
        in_file += 1
        cells = _cells(text)
        if header is None:
            header = _header(cells)
            collector.skipped += 1
        elif not _is_device(cells[0]):
            collector.skipped += 1
        else:
            try:
                row = _row(cells, header, line)
                collector.keep_once(row["name"], row, [], "\t".join(cells))
            except CellError as error:
                collector.reject(line, error, text)
    if header is None:
        raise FormatError(source.name, expected="a header line with GPU0; is it the output of nvidia-smi topo -m?")
    _refuse_half(collector, header, source)
    table = collector.table()
    totals = topology_totals(table)
    facts = [*source.facts(), "The file names neither the model of the GPUs nor their node, and no bandwidth."]
    return collector.reading(source, SLUG, VERSION, table, in_file=in_file, totals=totals, facts=facts)


def _cells(text: str) -> list[str]:
    """Cells of a line without terminal codes; in pasted text blanks stand for the tabs."""
    plain = _ANSI.sub("", text)
    cells = plain.split("\t") if "\t" in plain else re.split(r" {2,}", plain.strip())
    return [cell.strip() for cell in cells]


def _is_device(cell: str) -> bool:
    return _DEVICE.fullmatch(cell) is not None


def _header(cells: list[str]) -> list[str] | None:
    """Device columns, then CPU and NUMA affinity; None where this line is no header."""
    return [cell for cell in cells if cell] if "GPU0" in cells else None


def _row(cells: list[str], header: list[str], line: int) -> dict[str, Any]:
    devices = [name for name in header if _is_device(name)]
    if len(cells) < 1 + len(devices):
        raise CellError(None, "\t".join(cells), f"{len(devices)} links", f"{len(cells) - 1} links: the line is cut off")
    name = cells[0]
    links = []
    for other, cell in zip(devices, cells[1:], strict=False):
        if (cell == "X") != (other == name):
            raise CellError(other, cell, "X where a device meets itself, and nowhere else", "not a matrix")
        if cell != "X":
            if cell not in LINKS and not _NVLINK.fullmatch(cell):
                raise CellError(other, cell, f"NV and a number, or {', '.join(LINKS)}", "not a kind of link")
            links.append(f"{other}:{cell}")
    rest = [cell for cell in cells[1 + len(devices) :] if cell]
    numa = rest[1] if len(rest) > 1 else ""
    return {
        "name": name,
        "type": "gpu" if name.upper().startswith("GPU") else "nic",
        "cpus": rest[0] if rest and not is_unknown(rest[0]) else None,
        "numa": int(numa) if numa.isdecimal() and len(numa) < 6 else None,
        "links": tuple(links),
        "line": line,
    }


def _refuse_half(collector: Collector, header: list[str], source: Source) -> None:
    """A matrix without some of its rows, or with unequal halves, says nothing sure about any island."""
    links = {row["name"]: dict(link.rsplit(":", 1) for link in row["links"]) for row in collector.rows}
    missing = [name for name in header if _is_device(name) and name not in links]
    if missing and not collector.rejected:
        raise FormatError(source.name, column=missing[0], expected=f"a row for each column; {missing[0]} has none")
    for name, others in links.items():
        for other, kind in others.items():
            if other in links and links[other].get(name) != kind:
                raise FormatError(
                    source.name,
                    column=other,
                    value=kind,
                    expected=f"{links[other].get(name)}, as {other} says of {name}",
                )


def nvlink_islands(table: Table) -> list[list[str]]:
    """GPUs that NVLinks join, over others or straight, each island in the order of the file; no island of one GPU."""
    gpus = [at for at, kind in enumerate(table["type"]) if kind == "gpu"]
    joined = {table["name"][at]: {table["name"][at]} for at in gpus}
    for at in gpus:
        for link in table["links"][at]:
            other, kind = link.rsplit(":", 1)
            if _NVLINK.fullmatch(kind) and other in joined and joined[other] is not joined[table["name"][at]]:
                both = joined[other] | joined[table["name"][at]]
                joined.update(dict.fromkeys(both, both))
    islands = [sorted(island, key=table["name"].index) for island in joined.values() if len(island) > 1]
    return [list(island) for island in dict.fromkeys(map(tuple, islands))]


def topology_totals(table: Table) -> dict[str, Any]:
    """GPUs, network cards, pairs of GPUs and of GPU and card by kind of link, islands of NVLink."""
    kinds = dict(zip(table["name"], table["type"], strict=True))
    pairs: dict[str, Counter[str]] = {"gpu": Counter(), "nic": Counter()}
    counted: set[str] = set()
    for name, links in zip(table["name"], table["links"], strict=True):
        if kinds[name] != "gpu":
            continue
        counted.add(name)
        for link in links:
            other, kind = link.rsplit(":", 1)
            if other in kinds and other not in counted:
                pairs[kinds[other]][kind] += 1
    return {
        "gpus": table["type"].count("gpu"),
        "nics": table["type"].count("nic"),
        "gpu_pairs": dict(sorted(pairs["gpu"].items())),
        "nic_pairs": dict(sorted(pairs["nic"].items())),
        "islands": nvlink_islands(table),
    }


FORMAT = Format(
    slug=SLUG,
    title="GPU links of a node",
    kind="devices",
    made_by="nvidia-smi topo -m",
    detect=detect_nvidia_topology,
    read=read_nvidia_topology,
    reads="GPUs and network cards of one node, the kind of link between each two, nearest CPUs and NUMA node",
    leaves="GPU NUMA ID, the legends; terminal codes are taken off",
    unknowns="no model, node or bandwidth is in the file: the pool is asked, GB/s are not made up",
)
