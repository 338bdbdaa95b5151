"""Unit prices as people write them, and the one unit that the engine counts in: per GPU and hour."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from planner.catalog.costs import HOURS_A_MONTH
from planner.catalog.documents import DocumentError

UNITS: Final = {
    "gpu-hour": "per GPU-hour",
    "node-hour": "per node-hour",
    "gpu-month": "per GPU-month (730 h)",
    "node-month": "per node-month (730 h)",
}
DIGITS = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class PriceEntry:
    """One line of a price sheet as given. A price of whole nodes needs the GPUs in one."""

    amount: Decimal
    unit: str = "gpu-hour"
    pool: str = ""
    gpu_model: str = ""
    purchase: str = ""
    gpus_per_node: int | None = None
    currency: str = ""


def unit_price(entry: PriceEntry, rate: Decimal, place: str) -> Decimal:
    """USD per GPU and hour; DocumentError, beginning with `place`, where the entry does not say enough."""
    if entry.unit not in UNITS:
        raise DocumentError(f"{place}, unit: {entry.unit!r}, expected one of {', '.join(UNITS)}")
    if not entry.amount.is_finite() or entry.amount < 0:
        raise DocumentError(f"{place}, amount: {entry.amount}, expected 0 or more")
    per_hour = entry.amount / HOURS_A_MONTH if entry.unit.endswith("month") else entry.amount
    if entry.unit.startswith("node"):
        if not entry.gpus_per_node:
            raise DocumentError(f"{place}, GPUs a node: needed to work out the price of one GPU from that of a node")
        per_hour /= entry.gpus_per_node
    return plain(per_hour * rate)


def plain(amount: Decimal) -> Decimal:
    """The amount to six decimals without trailing zeros or exponent, so that equal prices have equal digests."""
    return Decimal(f"{amount.quantize(DIGITS).normalize():f}")
