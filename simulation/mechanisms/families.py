"""The table of families: every member by the name that scenarios use."""

from __future__ import annotations

from typing import Any

from simulation.mechanisms import ordering, placement, predicted, preemption, scaling, sizing, tenancy, walk
from simulation.mechanisms.parameters import Mechanism

_MEMBERS: dict[str, tuple[type[Mechanism], ...]] = {
    "ordering": (
        ordering.Arrival,
        ordering.Shortest,
        ordering.ShortestRemaining,
        ordering.AttainedService,
        ordering.LeastShare,
        predicted.PredictedService,
    ),
    "walk": (walk.StopAtHead, walk.StopAtTenantHead, walk.FitFirst, walk.Backfill),
    "placement": (placement.ConsolidateStrictly, placement.TakeAny),
    "preemption": (preemption.NoPreemption, preemption.Immediate, preemption.Rounds),
    "sizing": (sizing.FixedGang, sizing.ElasticGang),
    "tenancy": (tenancy.NoQuota, tenancy.StaticQuota, tenancy.BorrowingQuota),
    "sharing": (),
    "inputs": (),
    "power": (),
    "scaling": (scaling.StaticReplicas, scaling.UtilisationAutoscaler),
}

FAMILIES: dict[str, dict[str, type[Any]]] = {
    family: {vars(member)["member"]: member for member in members} for family, members in _MEMBERS.items()
}


def parameters() -> list[dict[str, Any]]:
    """Every parameter of every member at its default: family, member, name, value, unit, low, high, choices, ..."""
    return [
        {"family": family, "member": name, **row}
        for family, members in FAMILIES.items()
        for name, member in members.items()
        for row in member().parameters()
    ]
