"""Prices of whole machines: what a GPU in one costs by the hour, with the GPUs of the machine and the formula said."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from simulation.catalogues.instance_types import InstanceType, instance_types
from simulation.formats.collector import CellError
from simulation.formats.quantities import decimal
from simulation.formats.tables import Table

HOURS_PER_YEAR = 8760
MOST = Decimal(10) ** 12
DIGITS = Decimal("1e-10")


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine type as a price list names it. `gpus` None: not in the list, nor in the catalogue."""

    instance: str
    gpu_model: str
    gpus: int | None
    oddities: tuple[CellError, ...] = ()


def machine(instance: str, gpus: int | None = None) -> Machine:
    """Model by the catalogue, the name of the type where it is not in there; GPUs as listed, else by the catalogue."""
    known = known_machine(instance)
    if known is None:
        return Machine(instance, instance, gpus)
    odd: tuple[CellError, ...] = ()
    if gpus is not None and gpus != known.gpus:
        odd = (CellError("gpu", str(gpus), f"{known.gpus}, as catalogued", "the number in the list was taken"),)
    return Machine(instance, known.gpu_model, gpus or known.gpus, odd)


def known_machine(instance: str) -> InstanceType | None:
    """The catalogue's entry of a machine type, whatever the case of its letters."""
    by_name = {name.lower(): entry for name, entry in instance_types().items()}
    return by_name.get(instance.lower())


def priced(one: Machine, amount: Decimal, formula: str = "") -> dict[str, Any]:
    """Columns of the prices table for a machine at `amount` an hour; the price of a GPU is its equal part."""
    hour = plain(amount)
    per_gpu = None if one.gpus is None else plain(amount / one.gpus)
    by_gpu = f"{hour} / {one.gpus} GPU{'' if one.gpus == 1 else 's'} = {per_gpu}" if per_gpu else "GPUs unknown"
    return {
        "gpu_model": one.gpu_model,
        "instance": one.instance,
        "gpus_per_node": one.gpus,
        "amount": hour,
        "unit": "node-hour",
        "per_hour": hour,
        "per_gpu_hour": per_gpu,
        "formula": f"{formula}; {by_gpu}" if formula else by_gpu,
    }


def money(text: str, column: str) -> Decimal:
    """An amount of 0 or more; CellError where it cannot be one."""
    amount = credit_or_cost(text, column)
    if amount < 0:
        raise CellError(column, text, "0 or more", "a negative price")
    return amount


def credit_or_cost(text: str, column: str) -> Decimal:
    """An amount, below 0 for a credit; CellError where it cannot be one."""
    amount = decimal(text, column)
    if abs(amount) >= MOST:
        raise CellError(column, text, f"less than {MOST:,}", "beyond all measure")
    return amount


def exact(amount: Decimal) -> str:
    """A decimal as it is, without exponent or trailing zeros."""
    return f"{amount.normalize():f}"


def plain(amount: Decimal) -> str:
    """The same to ten decimals, for quotients that do not end."""
    return exact(amount.quantize(DIGITS, ROUND_HALF_EVEN))


def price_totals(table: Table) -> dict[str, Any]:
    """Number of prices in all, by currency, machine and purchase; no sum of amounts, for that would mean nothing."""
    totals: dict[str, Any] = {"prices": len(table)}
    for name in ("currency", "instance", "purchase"):
        values = [value or "not stated" for value in table[name]]
        totals[f"by_{name}"] = {value: values.count(value) for value in sorted(set(values))}
    return totals
