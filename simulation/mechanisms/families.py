"""The table of families: every member by the name that scenarios use."""

from __future__ import annotations

from typing import Any

from simulation.mechanisms import (
    finish_order,
    ordering,
    placement,
    predicted,
    preemption,
    reclaiming,
    relaxing,
    scaling,
    sizing,
    tenancy,
    walk,
)
from simulation.mechanisms.cells import guaranteed
from simulation.mechanisms.inputs import tuned
from simulation.mechanisms.market import cheapest
from simulation.mechanisms.network import network
from simulation.mechanisms.parameters import Mechanism
from simulation.mechanisms.power import switching
from simulation.mechanisms.programs import (
    allocation,
    deadlines,
    energy,
    goodput,
    lease_auction,
    leases,
    marginal_gain,
    matching,
    multi_round,
)
from simulation.mechanisms.sharing import interleaved, packed, sharing
from simulation.mechanisms.tickets import tickets

_MEMBERS: dict[str, tuple[type[Mechanism], ...]] = {
    "ordering": (
        ordering.Arrival,
        ordering.Shortest,
        ordering.ShortestRemaining,
        ordering.AttainedService,
        ordering.EarliestDeadline,
        ordering.LeastShare,
        predicted.PredictedService,
        finish_order.FinishTimeRatio,
    ),
    "walk": (walk.StopAtHead, walk.StopAtTenantHead, walk.FitFirst, walk.Backfill),
    "placement": (
        placement.ConsolidateStrictly,
        placement.TakeAny,
        placement.SpanModels,
        placement.ConsolidateBySkew,
        placement.AvoidCrowdedPorts,
        relaxing.RelaxAfterWaiting,
        cheapest.CheapestWork,
    ),
    "preemption": (
        preemption.NoPreemption,
        preemption.Immediate,
        preemption.Rounds,
        preemption.Killing,
        preemption.BeginAnew,
        reclaiming.ReclaimEntitlement,
    ),
    "sizing": (
        sizing.FixedGang,
        sizing.ElasticGang,
        allocation.AllocationProgram,
        matching.PositionMatching,
        lease_auction.LeaseAuction,
        goodput.GoodputSearch,
        marginal_gain.MarginalGain,
        multi_round.MultiRoundPlan,
        deadlines.DeadlineShare,
        leases.LeasePlan,
        energy.EnergyBudget,
    ),
    "tenancy": (
        tenancy.NoQuota,
        tenancy.StaticQuota,
        tenancy.BorrowingQuota,
        guaranteed.GuaranteedCells,
        tickets.TradedTickets,
    ),
    "sharing": (sharing.Exclusive, packed.PairPacking, interleaved.StageInterleaving),
    "network": (network.EqualShares, network.IntensityFirst, network.PhaseShifts),
    "inputs": (tuned.ProportionalInputs, tuned.TunedInputs),
    "power": (switching.SwitchIdleNodes,),
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
