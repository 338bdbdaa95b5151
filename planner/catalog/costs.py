"""What a cluster costs under a price sheet, pool by pool. Money is Decimal; a pool without a price stays unknown."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from simulation.prices import price_line
from simulation.scenario import Cluster, Pool, PriceLine, Prices

HOURS_A_MONTH = Decimal(730)
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class PoolCost:
    """Price x quantity of one pool for a month of 730 h; `line` and `usd` are None where no line fits."""

    pool: Pool
    line: PriceLine | None
    usd: Decimal | None

    @property
    def gpu_h(self) -> Decimal:
        return self.pool.gpus * HOURS_A_MONTH


@dataclass(frozen=True, slots=True)
class Cost:
    pools: list[PoolCost]

    @property
    def total(self) -> Decimal | None:
        """Sum of the lines, each rounded to the cent; None where a pool has no price (unknown is not zero)."""
        amounts = [cost.usd for cost in self.pools]
        return None if None in amounts else sum((a for a in amounts if a is not None), Decimal(0))

    @property
    def unpriced(self) -> list[str]:
        return [cost.pool.name for cost in self.pools if cost.line is None]


def line_for(prices: Prices, pool: Pool) -> PriceLine | None:
    """The line that prices a pool, by the rule that a run's cost follows."""
    return price_line(pool.name, pool.gpu_model, pool.purchase, prices)


def monthly(cluster: Cluster, prices: Prices) -> Cost:
    """Cost of holding the whole cluster for a month, used or not."""
    return Cost([_pool_cost(pool, line_for(prices, pool)) for pool in cluster.pools])


def _pool_cost(pool: Pool, line: PriceLine | None) -> PoolCost:
    if line is None:
        return PoolCost(pool, None, None)
    return PoolCost(pool, line, (pool.gpus * HOURS_A_MONTH * line.usd_per_gpu_h).quantize(CENT, ROUND_HALF_UP))
