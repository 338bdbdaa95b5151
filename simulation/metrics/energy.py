"""Energy and carbon. Power of a GPU goes from idle W to peak W with its dynamic share; a node adds its overhead.

A node that is switched off draws its own small power, one that is down none at all.
"""

from __future__ import annotations

import numpy as np

from simulation.metrics.capacity import PoolUse
from simulation.metrics.definitions import Value
from simulation.records import PoolInfo, RunRecords

J_PER_KWH = 3.6e6


def pool_energy_kwh(records: RunRecords, use: PoolUse, pue: float) -> list[float | None]:
    """Energy of each pool from 0 to the end of the run, PUE included; None where its watts are unknown."""
    rows = zip(records.pools, use.capacity_s, use.dynamic_s, use.off_s, strict=True)
    return [
        _kwh(pool, float(there), float(dynamic), float(off), records.end_s, pue) for pool, there, dynamic, off in rows
    ]


def _kwh(pool: PoolInfo, capacity_s: float, dynamic_s: float, off_s: float, end_s: float, pue: float) -> float | None:
    if pool.gpus == 0:
        return pue * pool.node_overhead_w * pool.nodes * end_s / J_PER_KWH
    if pool.idle_w is None or pool.peak_w is None:
        return None
    on_s = capacity_s - off_s
    node_s, node_off_s = on_s / pool.gpus_per_node, off_s / pool.gpus_per_node
    joule = pool.idle_w * on_s + (pool.peak_w - pool.idle_w) * dynamic_s
    joule += pool.node_overhead_w * node_s + pool.off_w * node_off_s
    return pue * joule / J_PER_KWH


def unknown_watts(records: RunRecords, energy_kwh: list[float | None]) -> str | None:
    """A sentence naming the pools without watts, or None."""
    names = [pool.name for pool, kwh in zip(records.pools, energy_kwh, strict=True) if kwh is None]
    return f"idle or peak power unknown of pool {', '.join(names)}" if names else None


def energy_metrics(
    records: RunRecords, energy_kwh: list[float | None], carbon_g_per_kwh: float | None
) -> dict[str, Value]:
    unknown = unknown_watts(records, energy_kwh)
    total = None if unknown else float(np.sum([kwh for kwh in energy_kwh if kwh is not None]))
    energy = Value(total, None, unknown)
    if total is None or carbon_g_per_kwh is None:
        return {"energy_kwh": energy, "carbon_kg": Value(None, None, unknown or "carbon intensity of the grid unknown")}
    return {"energy_kwh": energy, "carbon_kg": Value(total * carbon_g_per_kwh / 1000)}
