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

from simulation.metrics.capacity import PoolUse
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

    @property
    def usd(self) -> Decimal:
        return (self.quantity * self.price_usd).quantize(CENT, ROUND_HALF_UP)

    def document(self) -> dict[str, str]:
        return {
            "line": self.line,
            "pool": self.pool,
            "quantity": str(self.quantity),
            "unit": self.unit,
            "price_usd": str(self.price_usd),
            "usd": str(self.usd),
        }


def quantity(value: float) -> Decimal:
    """A non-negative quantity with six decimals; rounding errors below 0 become 0."""
    return Decimal(max(0.0, value)).quantize(QUANTITY, ROUND_HALF_UP)


def pool_price(pool: PoolInfo, prices: Prices) -> Decimal | None:
    """USD per GPU-hour of a pool; None is unknown."""
    line = price_line(pool.name, pool.gpu_model, pool.purchase, prices)
    return None if line is None else line.usd_per_gpu_h


def cost_lines(
    records: RunRecords, prices: Prices, use: PoolUse, energy_kwh: list[float | None]
) -> tuple[list[CostLine], Value]:
    """Lines of what is known, and the total: unknown (with the reason) where a pool has no price or no watts."""
    lines: list[CostLine] = []
    unpriced = []
    for i, pool in enumerate(records.pools):
        price = pool_price(pool, prices)
        if price is not None:
            lines += _pool_lines(pool, price, float(use.allocated_s[i]), float(use.capacity_s[i]), prices.charge_idle)
        elif pool.gpus > 0:
            unpriced.append(pool.name)
    reasons = [f"no price of pool {', '.join(unpriced)}"] if unpriced else []
    if prices.electricity_usd_per_kwh is not None:
        lines += _electricity(records, energy_kwh, prices.electricity_usd_per_kwh)
        owned = [kwh if pool.purchase == "owned" else 0.0 for pool, kwh in zip(records.pools, energy_kwh, strict=True)]
        reasons += filter(None, [unknown_watts(records, owned)])
    if reasons:
        return lines, Value(None, None, "; ".join(reasons))
    return lines, Value(float(sum((line.usd for line in lines), Decimal(0))))


def _pool_lines(pool: PoolInfo, price: Decimal, used_s: float, capacity_s: float, charge_idle: bool) -> list[CostLine]:
    lines = [CostLine("used", pool.name, quantity(used_s / 3600), "GPU-h", price)]
    if charge_idle and pool.purchase in KEPT:
        lines.append(CostLine("idle", pool.name, quantity((capacity_s - used_s) / 3600), "GPU-h", price))
    return lines


def _electricity(records: RunRecords, energy_kwh: list[float | None], price: Decimal) -> list[CostLine]:
    rows = zip(records.pools, energy_kwh, strict=True)
    return [
        CostLine("electricity", pool.name, quantity(kwh), "kWh", price)
        for pool, kwh in rows
        if kwh is not None and pool.purchase == "owned"
    ]
