"""The tables of one run: tenants, costs, services, and how everything that was submitted ended, in words."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from planner.web.numbers import Scale, scale_for, written

_TIMES = ("wait_mean_s", "wait_p95_s", "jct_mean_s")
SHARE_PX = 92.0  # width of the share bar; a share of 1.2 times the largest fills it
_COUNTS = {
    "boots": "nodes switched on",
    "fair_share_wait_s": "seconds of jobs that waited while their tenant had its share",
    "fair_share_waits": "jobs that waited while their tenant had its share",
    "fragmentation_wait_s": "seconds of jobs that waited though enough GPUs were free somewhere",
    "fragmentation_waits": "jobs that waited though enough GPUs were free somewhere",
    "full_cluster_wait_s": "seconds of jobs that waited while others held their tenant’s share",
    "full_cluster_waits": "jobs that waited while others held their tenant’s share",
    "jobs_after_horizon": "jobs that come after the end of the run",
    "jobs_interrupted": "jobs interrupted by the loss of a node",
    "jobs_out_of_memory": "jobs stopped because GPUs that they shared were too small for all",
    "jobs_refused": "jobs refused by the policy",
    "jobs_stranded": "jobs that wait at the end though nothing runs",
    "node_losses": "nodes lost: failed, reclaimed or taken away",
    "nodes_switched_off": "nodes switched off",
    "plans_refused": "plans that did not fit, and changed nothing",
    "programs_solved": "allocation programs solved",
    "rates_extrapolated": "spans at a rate beyond what was measured",
    "replicas_lost": "replicas lost with a node",
    "replicas_refused": "replicas for which there was no room",
    "requests_returned": "requests that a lost replica had begun, and that began anew",
    "scalings": "changes of a service’s replicas",
    "starts": "starts and restarts of jobs",
}
"""Count of a run -> its words; one that is not here is called as the engine calls it."""
_NOT_COUNTS = ("solve_us",)  # a modelled time in microseconds
FEW = 100  # below this many a rate is to be read with care


@dataclass(frozen=True, slots=True)
class TenantRow:
    row: dict[str, Any]
    share_px: float | None
    entitled_px: float | None
    missed: float | None  # per cent of deadlines
    few: bool


@dataclass(frozen=True, slots=True)
class Tenants:
    rows: list[TenantRow]
    times: dict[str, Scale]
    cost: Scale


def tenants(document: dict[str, Any]) -> Tenants:
    rows = document["tenants"]
    top = max((s for r in rows for s in (r["share"], r["entitled"]) if s is not None), default=0.0) * 1.1 or 1.0
    shown = [
        TenantRow(
            row=row,
            share_px=None if row["share"] is None else SHARE_PX * row["share"] / top,
            entitled_px=None if row["entitled"] is None else SHARE_PX * row["entitled"] / top,
            missed=100 * row["deadlines_missed"] / row["deadlines"] if row["deadlines"] else None,
            few=row["deadlines"] < FEW,
        )
        for row in rows
    ]
    times = {name: scale_for("s", [r[name] for r in rows]) for name in _TIMES}
    return Tenants(shown, times, scale_for("USD", [r["cost_usd"] for r in rows]))


@dataclass(frozen=True, slots=True)
class Costs:
    lines: list[dict[str, Any]]
    total: Decimal


def costs(document: dict[str, Any]) -> Costs:
    """Price lines with their exact sum; the sum is taken over the decimals, not over what is shown."""
    lines = [
        line
        | {
            "since_s": line.get("since_s", 0.0),
            "quantity": written(float(line["quantity"]), 2),
            "usd": f"{Decimal(line['usd']):,}",
        }
        for line in document["costs"]
    ]
    return Costs(lines, sum((Decimal(line["usd"]) for line in document["costs"]), Decimal(0)))


FATES = {"failed": "ran and failed", "killed": "ran and were killed"}  # whatever the policy; most logs have some


def endings(document: dict[str, Any]) -> list[str]:
    """Where everything that was submitted has gone: sums that add up, in words."""
    jobs, requests = document["counts"]["jobs"], document["counts"]["requests"]
    refused = document["decisions"].get("jobs_refused", 0)
    said = []
    if jobs["submitted"]:
        parts = [
            f"{jobs['finished']:,} finished",
            f"{jobs['running']:,} running at the end",
            f"{jobs['waiting']:,} still waiting at the end",
            *([f"{refused:,} refused by the policy"] if refused else []),
            f"{jobs['rejected'] - refused:,} that can never run here",
            *(f"{jobs[fate]:,} that {words}" for fate, words in FATES.items() if jobs.get(fate)),
        ]
        said.append(f"{jobs['submitted']:,} jobs submitted = {' + '.join(parts)}.")
    if requests["submitted"]:
        parts = [f"{requests[k]:,} {words}" for k, words in
                 (("served", "served"), ("unfinished", "unanswered at the end"), ("dropped", "dropped"))]  # fmt: skip
        said.append(f"{requests['submitted']:,} requests = {' + '.join(parts)}.")
    return said


def decisions(document: dict[str, Any]) -> list[tuple[str, int]]:
    """What was decided and what befell the cluster; what never happened is left out."""
    counted = {name: count for name, count in document["decisions"].items() if name not in _NOT_COUNTS}
    return [(_COUNTS.get(name, name.replace("_", " ")), count) for name, count in counted.items() if count]
