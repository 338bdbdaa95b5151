"""The matrix of links of a node -> the links of a pool: equal NVLink islands, their rate where the model is known."""

from __future__ import annotations

import re
from dataclasses import dataclass

from simulation.catalogues.gpu_models import gpu_models
from simulation.formats.nvidia_topology import nvlink_islands
from simulation.formats.tables import Table
from simulation.hardware import Links
from simulation.provenance import Origin, weakest

_NVLINKS = re.compile(r".*:NV(\d+)")


@dataclass(frozen=True, slots=True)
class NodeLinks:
    """Links of each node of a pool; `words` say how they were found, `origin` is that of the weakest figure in them."""

    links: Links
    origin: Origin
    words: str


def node_links(table: Table, model: str, origin: Origin) -> NodeLinks | None:
    """Islands and the rate of a GPU inside one; None where islands are of unequal size: a pool has one size.

    The file has numbers of NVLinks; their rate is the catalogue's, and stays unknown where it has none.
    """
    gpus = table["type"].count("gpu")
    islands = nvlink_islands(table)
    if not islands:
        return NodeLinks(Links(island_gpus=1), origin, "no NVLink between GPUs")
    sizes = {len(island) for island in islands}
    if len(sizes) > 1 or sum(map(len, islands)) != gpus:
        return None
    size = sizes.pop()
    known = gpu_models().get(model)
    rate, most = (known.figures.get(name) if known else None for name in ("nvlink_rate", "nvlinks"))
    found = f"{len(islands)} NVLink island{'s' if len(islands) != 1 else ''} of {size} GPUs"
    if rate is None or rate.value is None or most is None or most.value is None:
        return NodeLinks(Links(island_gpus=size), origin, f"{found}; rate of its NVLinks unknown")
    links = min(int(most.value), _fewest_links(table))
    return NodeLinks(
        Links(island_gpus=size, island_gb_s=links * rate.value),
        weakest([origin, rate.origin, most.origin]),
        f"{found}, {links} NVLinks of each GPU x {rate.value:g} GB/s ({rate.source})",
    )


def _fewest_links(table: Table) -> int:
    """NVLinks that the GPU with the fewest has to all others. Behind a switch each pair shows all links of a GPU."""
    totals = [
        sum(int(match[1]) for link in links if (match := _NVLINKS.fullmatch(link)))
        for kind, links in zip(table["type"], table["links"], strict=True)
        if kind == "gpu"
    ]
    return min(totals)
