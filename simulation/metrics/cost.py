"""Cost as lines of quantity x price, in decimals: each line is rounded to the cent and the total is their sum.

used         GPU-hours allocated to jobs and replicas, of every pool
idle         GPU-hours of owned and reserved pools that nobody held, where the price sheet charges idle capacity;
             on-demand and spot capacity is paid for while it is used
electricity  kWh (PUE included) of owned pools, where it is priced; the price of rented GPUs includes their power

The price of a pool is found by `price_rule`; without one, cost is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from simulation.metrics.capacity import PoolUse, held_between, there_between
from simulation.metrics.definitions import Value
from simulation.metrics.energy import unknown_watts
from simulation.prices import price_line
from simulation.records import PoolInfo, RunRecords
from simulation.scenario import Prices

CENT = Decimal("0.01")
QUANTITY = Decimal("0.000001")
KEPT = ("owned", "reserved")  # bought for the whole run, used or not


@dataclass(frozen=True, slots=True)
class CostLine:
    line: str
    pool: str
    quantity: Decimal
    unit: str
    price_usd: Decimal
    since_s: float = 0.0  # from when on this price holds

    @property
    def usd(self) -> Decimal:
        return (self.quantity * self.price_usd).quantize(CENT, ROUND_HALF_UP)

    def document(self) -> dict[str, str | float]:
        return {
            "line": self.line,
            "pool": self.pool,
            "quantity": str(self.quantity),
            "unit": self.unit,
            "price_usd": str(self.price_usd),
            "usd": str(self.usd),
        } | ({"since_s": self.since_s} if self.since_s else {})


def quantity(value: float) -> Decimal:
    """A non-negative quantity with six decimals; rounding errors below 0 become 0."""
    return Decimal(max(0.0, value)).quantize(QUANTITY, ROUND_HALF_UP)


def pool_price(pool: PoolInfo, prices: Prices) -> Decimal | None:
    """USD per GPU-hour of a pool at the start; None is unknown."""
    line = price_line(pool.name, pool.gpu_model, pool.purchase, prices)
    return None if line is None else line.usd_per_gpu_h


def pool_periods(pool: PoolInfo, prices: Prices) -> list[tuple[float, Decimal]] | None:
    """Prices of a pool from each instant on, in order of time; None is unknown."""
    line = price_line(pool.name, pool.gpu_model, pool.purchase, prices)
    if line is None:
        return None
    return [(0.0, line.usd_per_gpu_h), *((step.start_s, step.usd_per_gpu_h) for step in line.steps)]


def mean_price(records: RunRecords, index: int, prices: Prices) -> Decimal | None:
    """USD per GPU-hour used of a pool, over the whole run; None is unknown."""
    periods = pool_periods(records.pools[index], prices)
    if periods is None or len(periods) == 1:
        return None if periods is None else periods[0][1]
    lines = [line for line in _stepped_lines(records, index, periods, charge_idle=False) if line.quantity]
    used = sum((line.quantity for line in lines), Decimal(0))
    return sum((line.quantity * line.price_usd for line in lines), Decimal(0)) / used if used else periods[0][1]


def cost_lines(
    records: RunRecords, prices: Prices, use: PoolUse, energy_kwh: list[float | None]
) -> tuple[list[CostLine], Value]:
    """Lines of what is known, and the total: unknown (with the reason) where a pool has no price or no watts."""
    lines: list[CostLine] = []
    unpriced = []
    for i, pool in enumerate(records.pools):
        periods = pool_periods(pool, prices)
        if periods is not None and len(periods) > 1:
            lines += _stepped_lines(records, i, periods, prices.charge_idle)
        elif periods is not None:
            whole = (float(use.allocated_s[i]), float(use.capacity_s[i]))
            lines += _pool_lines(pool, periods[0], *whole, prices.charge_idle)
        elif pool.gpus > 0:
            unpriced.append(pool.name)
    reasons = [f"no price of pool {', '.join(unpriced)}"] if unpriced else []
    rests_on: tuple[str, ...] = ()
    if prices.electricity_usd_per_kwh is not None:
        rests_on = ("power",)
        lines += _electricity(records, energy_kwh, prices.electricity_usd_per_kwh)
        owned = [kwh if pool.purchase == "owned" else 0.0 for pool, kwh in zip(records.pools, energy_kwh, strict=True)]
        reasons += filter(None, [unknown_watts(records, owned)])
    if reasons:
        return lines, Value(None, None, "; ".join(reasons), rests_on)
    return lines, Value(float(sum((line.usd for line in lines), Decimal(0))), rests_on=rests_on)


def _pool_lines(
    pool: PoolInfo, period: tuple[float, Decimal], used_s: float, capacity_s: float, charge_idle: bool
) -> list[CostLine]:
    since_s, price = period
    lines = [CostLine("used", pool.name, quantity(used_s / 3600), "GPU-h", price, since_s)]
    if charge_idle and pool.purchase in KEPT:
        lines.append(CostLine("idle", pool.name, quantity((capacity_s - used_s) / 3600), "GPU-h", price, since_s))
    return lines


def _stepped_lines(
    records: RunRecords, index: int, periods: list[tuple[float, Decimal]], charge_idle: bool
) -> list[CostLine]:
    """A line for each price that held during the run."""
    begun = [period for period in periods if period[0] < records.end_s]
    edges = np.array([*(since_s for since_s, _ in begun), records.end_s])
    used_s, there_s = held_between(records, index, edges), there_between(records, index, edges)
    return [
        line
        for period, used, there in zip(begun, used_s.tolist(), there_s.tolist(), strict=True)
        for line in _pool_lines(records.pools[index], period, used, there, charge_idle)
    ]


def _electricity(records: RunRecords, energy_kwh: list[float | None], price: Decimal) -> list[CostLine]:
    rows = zip(records.pools, energy_kwh, strict=True)
    return [
        CostLine("electricity", pool.name, quantity(kwh), "kWh", price)
        for pool, kwh in rows
        if kwh is not None and pool.purchase == "owned"
    ]
