"""Billing rows to what a GPU-hour really cost: cost by GPU hours of a model and class, never across currencies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulation.formats.machine_price import exact, plain
from simulation.formats.tables import Table

COSTS = ("list_cost", "contracted_cost", "effective_cost", "billed_cost")
PURCHASES = {"standard": "on-demand", "dynamic": "spot", "committed": "reserved"}


@dataclass(frozen=True, slots=True)
class UnitPrice:
    """Cost of a GPU-hour of one model and class; `formula` names the sums that it is made of."""

    gpu_model: str
    purchase: str | None
    currency: str
    amount: Decimal
    rows: int
    formula: str


def reason_to_leave_out(row: dict[str, Any], cost: str) -> str | None:
    """Why a charge makes no price of a GPU-hour; None where it does."""
    if row["category"] != "usage":
        return f"{row['category'] or 'category not stated'}: not the use of a machine"
    if row["commitment"] == "unused":
        return "a commitment that was not used"
    if row["gpus_per_node"] is None:
        return "no GPU machine that we know"
    if row["hours"] is None:
        return "not counted in hours"
    return "the cost is not known" if row[cost] is None else None


def unit_prices(table: Table, cost: str) -> tuple[list[UnitPrice], dict[str, int]]:
    """Prices by model, class and currency from one of COSTS, and the rows left out by reason."""
    left_out: Counter[str] = Counter()
    sums: dict[tuple[str, str, str], list[Decimal]] = {}
    for row in table.rows():
        reason = reason_to_leave_out(row, cost)
        if reason is not None:
            left_out[reason] += 1
            continue
        key = (row["gpu_model"], PURCHASES.get(row["pricing"], ""), row["currency"])
        total = sums.setdefault(key, [Decimal(0), Decimal(0), Decimal(0)])
        total[0] += Decimal(row[cost])
        total[1] += Decimal(row["hours"]) * row["gpus_per_node"]
        total[2] += 1
    prices = []
    for (model, purchase, currency), (money, hours, rows) in sorted(sums.items()):
        if hours <= 0 or money < 0:
            left_out["no hours, or credits above the cost"] += int(rows)
            continue
        formula = f"{plain(money)} {currency} / {plain(hours)} GPU-h"
        prices.append(UnitPrice(model, purchase or None, currency, money / hours, int(rows), formula))
    return prices, dict(sorted(left_out.items()))


def charge_totals(table: Table) -> dict[str, Any]:
    """Rows by category, and for GPU machines rows, GPU hours and each of the costs by currency."""
    gpu = [row for row in table.rows() if row["gpus_per_node"] is not None and row["category"] == "usage"]
    hours = sum((Decimal(row["hours"]) * row["gpus_per_node"] for row in gpu if row["hours"]), Decimal(0))
    return {
        "rows": len(table),
        "by_category": dict(sorted(Counter(category or "not stated" for category in table["category"]).items())),
        "gpu_rows": len(gpu),
        "gpu_hours": float(hours),
        "gpu_costs": {name: _by_currency(gpu, name) for name in COSTS},
        "equal_rows": table.repeated_rows(),
    }


def rounded_costs(table: Table) -> list[str]:
    """Costs of GPU machines that are whole amounts throughout, where the billed ones are not."""
    gpu = [row for row in table.rows() if row["gpus_per_node"] is not None]
    if not any(_fraction(row["billed_cost"]) for row in gpu):
        return []
    return [
        name
        for name in ("contracted_cost", "effective_cost")
        if any(row[name] for row in gpu) and not any(_fraction(row[name]) for row in gpu)
    ]


def _fraction(text: str | None) -> bool:
    return text is not None and Decimal(text) % 1 != 0


def _by_currency(rows: list[dict[str, Any]], cost: str) -> dict[str, str]:
    sums: dict[str, Decimal] = {}
    for row in rows:
        if row[cost] is not None:
            sums[row["currency"]] = sums.get(row["currency"], Decimal(0)) + Decimal(row[cost])
    return {currency: exact(total) for currency, total in sorted(sums.items())}
