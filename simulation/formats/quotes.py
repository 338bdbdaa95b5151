"""Prices that change: a step function of each machine, zone and product; averages weigh by time, never by rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from simulation.formats.tables import Table

Step = tuple[float, Decimal]


@dataclass(frozen=True, slots=True)
class Series:
    """Prices of one machine type in one zone, ascending in time; `per_gpu` is None where its GPUs are unknown."""

    instance: str
    zone: str
    product: str
    gpu_model: str
    per_machine: tuple[Step, ...]
    per_gpu: tuple[Step, ...] | None

    @property
    def name(self) -> str:
        return f"{self.instance} in {self.zone}, {self.product}"

    @property
    def window_s(self) -> tuple[float, float]:
        """From the first row to the last: how long the last price held is not in the file."""
        return self.per_machine[0][0], self.per_machine[-1][0]

    def steps(self, origin_s: float) -> list[Step]:
        """(seconds after `origin_s`, price of a GPU-hour); the price in force at the origin comes first, at 0.

        ValueError where the GPUs of the machine are unknown, or the file says nothing of the origin.
        """
        if self.per_gpu is None:
            raise ValueError(f"{self.instance}: GPUs unknown")
        before = [price for start, price in self.per_gpu if start <= origin_s]
        if not before:
            raise ValueError(f"{self.name}: no price before {origin_s:g} s")
        return [(0.0, before[-1]), *((start - origin_s, price) for start, price in self.per_gpu if start > origin_s)]


def series_of(table: Table) -> list[Series]:
    """The series of a table of quotes, by name; equal prices in a row make one step."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for at in range(len(table)):
        key = (table["instance"][at], table["zone"][at], table["product"][at])
        found.setdefault(key, []).append(at)
    made = []
    for key, rows in sorted(found.items()):
        rows.sort(key=lambda at: table["start_s"][at])
        known = all(table["per_gpu_hour"][at] is not None for at in rows)
        made.append(
            Series(
                *key,
                gpu_model=table["gpu_model"][rows[0]],
                per_machine=_steps(table, rows, "amount"),
                per_gpu=_steps(table, rows, "per_gpu_hour") if known else None,
            )
        )
    return made


def time_mean(steps: Sequence[Step], start_s: float, end_s: float) -> Decimal:
    """Mean of a step function over a window; at one instant its value there. ValueError before the first step."""
    if not steps or start_s < steps[0][0] or end_s < start_s:
        raise ValueError(f"no price from {start_s:g} to {end_s:g} s")
    if start_s == end_s:
        return next(price for at, price in reversed(steps) if at <= start_s)
    total = Decimal(0)
    ends = [*(at for at, _ in steps[1:]), end_s]
    for (at, price), until in zip(steps, ends, strict=True):
        held = min(until, end_s) - max(at, start_s)
        if held > 0:
            total += price * Decimal(str(held))
    return total / Decimal(str(end_s - start_s))


def _steps(table: Table, rows: list[int], column: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    for at in rows:
        price = Decimal(table[column][at])
        if at == rows[-1] or not steps or steps[-1][1] != price:  # the last row ends the window
            steps.append((table["start_s"][at], price))
    return tuple(steps)
