"""The one table of whose figures the engine is held against: what they are, and where they come from."""

from __future__ import annotations

from dataclasses import dataclass

from simulation.provenance import Origin


@dataclass(frozen=True, slots=True)
class Peer:
    """`origin` is that of their figures, `by` who produced them, `source` where it can be looked up."""

    slug: str
    title: str
    origin: Origin
    by: str
    source: str


_PEERS = (
    Peer(
        "worked-example", "Worked example", Origin.ILLUSTRATIVE,
        "worked out by hand, by simple sums over a cluster of eight GPUs", "two jobs and a service that share a node",
    ),
    Peer(
        "tiresias", "Tiresias", Origin.SIMULATED, "its authors’ simulator, unmodified",
        "github.com/SymbioticLab/Tiresias, simulator, commit 959f9b0",
    ),
    Peer(
        "muri", "Muri", Origin.SIMULATED, "its authors’ simulator, unmodified",
        "github.com/Rivendile/Muri, simulator, commit 4e69a78",
    ),
    Peer(
        "lucid", "Lucid", Origin.SIMULATED, "its authors’ simulator, on a week of the Philly trace",
        "github.com/S-Lab-System-Group/Lucid, simulation, commit 63685a3",
    ),
    Peer(
        "gavel", "Gavel", Origin.SIMULATED, "its authors’ simulator, unmodified, solver ECOS",
        "github.com/stanford-futuredata/gavel, scheduler, commit c4fa400",
    ),
    Peer(
        "elasticflow", "ElasticFlow", Origin.SIMULATED, "its authors’ simulator, in the set-up of their figure 8(a)",
        "github.com/pkusys/ElasticFlow, scheduler, commit 04a0109",
    ),
    Peer(
        "openb", "FGD (openb)", Origin.CITED, "its authors’ published curves, the mean of ten draws",
        "github.com/hkust-adsl/kubernetes-scheduler-simulator, commit 8f3d641; USENIX ATC 2023",
    ),
    Peer(
        "sia", "Sia", Origin.SIMULATED, "its authors’ simulator",
        "github.com/siasosp23/artifacts, sia-simulator, commit aaf7a0d",
    ),
)  # fmt: skip
PEERS: dict[str, Peer] = {peer.slug: peer for peer in _PEERS}


def peer_of(slug: str) -> Peer:
    """A peer of the table; results that somebody has added under another name are said to be just that."""
    unknown = Peer(slug, slug, Origin.SIMULATED, "another simulator that this table does not know", slug)
    return PEERS.get(slug, unknown)
