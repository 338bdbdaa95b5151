"""What a cluster is made of: pools of equal nodes, how they are linked, what interrupts them."""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from simulation.document import Document

MAX_NODES: Final = 50_000

Purchase = Literal["owned", "reserved", "on-demand", "spot"]


class Links(Document):
    """How the GPUs of a pool are joined. Bandwidths are usable GB/s (1e9 bytes) in one direction; None: unknown.

    An island is a set of GPUs joined at full rate (NVLink, NVSwitch), a rack the nodes behind one switch.
    """

    island_gpus: int | None = Field(default=None, ge=1, description="None: the whole node is one island")
    island_gb_s: float | None = Field(default=None, gt=0, description="each GPU inside an island")
    node_gb_s: float | None = Field(default=None, gt=0, description="each GPU across the islands of a node")
    network_gb_s: float | None = Field(default=None, gt=0, description="all network ports of a node together")
    rack_nodes: int | None = Field(default=None, ge=1, description="None: the whole pool is one rack")
    oversubscription: float = Field(default=1.0, ge=1, description="of the links between racks")


class Interruptions(Document):
    """A node is up for an exponential time and then down for one; `notice_s` before that its jobs are told.

    Failures of hardware come without notice; a reclaim of spot capacity usually with some.
    """

    mean_up_s: float = Field(gt=0)
    mean_down_s: float = Field(gt=0)
    notice_s: float = Field(default=0.0, ge=0)


class NodeChange(Document):
    """A recorded change: `nodes` nodes of a pool go down or come up, the lowest-numbered that are not so already."""

    at_s: float = Field(ge=0)
    pool: str
    nodes: int = Field(ge=1)
    up: bool


class Pool(Document):
    """Equal nodes bought in one way. Powers are per GPU but `node_overhead_w`; None means unknown, never 0."""

    name: str = Field(min_length=1, max_length=100)
    gpu_model: str
    nodes: int = Field(ge=0, le=MAX_NODES)
    gpus_per_node: int = Field(ge=0, le=64)
    speed: float = Field(default=1.0, gt=0, description="rate relative to the model that durations refer to")
    gpu_memory_bytes: int | None = Field(default=None, gt=0)
    cores_per_node: int | None = Field(default=None, gt=0)
    memory_per_node_bytes: int | None = Field(default=None, gt=0)
    links: Links = Links()
    idle_w: float | None = Field(default=None, ge=0)
    peak_w: float | None = Field(default=None, ge=0)
    node_overhead_w: float = Field(default=0.0, ge=0)
    off_w: float = Field(default=0.0, ge=0, description="a node that is switched off, all of it")
    boot_s: float = Field(default=0.0, ge=0, description="from switched off to ready")
    purchase: Purchase = "owned"
    interruptions: Interruptions | None = None
    starts_down: bool = Field(default=False, description="its nodes come up by a recorded change")
    node_names: list[str] | None = None

    @property
    def gpus(self) -> int:
        return self.nodes * self.gpus_per_node


class Cluster(Document):
    name: str = "cluster"
    pools: list[Pool] = Field(min_length=1)
    pue: float = Field(default=1.0, ge=1.0, le=5.0)
    changes: list[NodeChange] = []

    @model_validator(mode="after")
    def _unique_names(self) -> Self:
        names = [p.name for p in self.pools]
        if len(set(names)) != len(names):
            raise ValueError("pool names must differ")
        if sum(p.nodes for p in self.pools) > MAX_NODES:
            raise ValueError(f"more than {MAX_NODES} nodes")
        for change in self.changes:
            if change.pool not in names:
                raise ValueError(f"change at {change.at_s} s: no pool {change.pool!r}")
        return self

    @property
    def gpus(self) -> int:
        return sum(p.gpus for p in self.pools)
