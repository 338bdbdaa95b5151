"""Which line of a price sheet prices a pool. Pure Python: pages that show prices need no array library.

The price of a pool is its own line, else the line of its GPU model, else a line that names neither; among equals a
line of its purchase class comes before one without class. A spot pool takes a price that is not its own only where
that is a spot price. No line: cost unknown.
"""

from __future__ import annotations

from simulation.scenario import PriceLine, Prices


def price_line(pool: str, gpu_model: str, purchase: str, prices: Prices) -> PriceLine | None:
    """The line that prices a pool, or None where the sheet has none for it. Of equal lines the first counts."""
    fitting = [line for line in prices.lines if line_fits(line, pool, gpu_model, purchase)]
    return min(fitting, key=lambda at: (at.pool is None, at.gpu_model is None, at.purchase is None), default=None)


def line_fits(line: PriceLine, pool: str, gpu_model: str, purchase: str) -> bool:
    """Whether a line may price a pool of this name, GPU model and purchase class."""
    if line.pool is not None:
        return line.pool == pool and line.purchase in (None, purchase)
    if line.gpu_model not in (None, gpu_model):
        return False
    return line.purchase == purchase or (line.purchase is None and purchase != "spot")
