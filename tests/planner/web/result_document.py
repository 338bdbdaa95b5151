"""A result document in the shape that the engine writes. Constructed: the numbers mean nothing."""

from __future__ import annotations

import math
from typing import Any

from simulation import ENGINE_VERSION
from simulation.metrics.definitions import METRICS

HOUR = 3600.0
PARTS = (50, 95, 99, 99.9)
GANGS = ("1", "2-4", "5-8", "9-16")


def metrics(position: int, seed: int) -> dict[str, Any]:
    """A trade: with every fourth position the wait falls and the cost rises; seeds spread a little."""
    policy, nodes = position % 4, position // 4
    spread = 1 + 0.02 * math.sin(7.0 * seed + position)
    wait = 2.5 * HOUR * math.exp(-0.28 * nodes) * (1 - 0.13 * policy) * spread
    values = {
        "jct_mean_s": 7 * HOUR + wait,
        "jct_p50_s": 2 * HOUR + wait / 4,
        "jct_p95_s": 20 * HOUR + 2 * wait,
        "jct_p99_s": 40 * HOUR + 3 * wait,
        "wait_mean_s": wait / 4,
        "wait_p95_s": wait,
        "wait_p99_s": 3 * wait,
        "cost_usd": 71_200 + 5_900 * nodes,
        "energy_kwh": (38_000 + 800 * nodes) * spread,
        "rho_max": 2.2 - 0.1 * nodes + 0.2 * policy,
        "jain_gpu_time": 0.8 + 0.02 * nodes,
        "worst_tenant_slowdown": 3.0 - 0.2 * nodes,
        "makespan_s": 30 * 24 * HOUR,
    }
    return {name: _entry(name, values.get(name)) for name in METRICS}


def _entry(name: str, value: float | None) -> dict[str, Any]:
    metric = METRICS[name]
    return {
        "value": value,
        "unit": metric.unit,
        "n": 100,
        "origin": "assumed" if "prices" in metric.inputs else "simulated",
        "inputs": list(metric.inputs),
        "note": None if value is not None else "no such input in this workload",
    }


def document(position: int, seed: int) -> dict[str, Any]:
    found = metrics(position, seed)
    return {
        "engine": ENGINE_VERSION,
        "end_s": 720 * HOUR,
        "metrics": found,
        "distributions": {
            "wait": spread_of(found["wait_p95_s"]["value"]),
            "jct": spread_of(found["jct_p95_s"]["value"]),
            "latency:rank": spread_of(0.14),
        },
        "wait_by_gang": [
            {"gang": gang, "n": 20, "mean_s": 600.0 * i, "p95_s": 2400.0 * i} for i, gang in enumerate(GANGS, 1)
        ],
        "latency_parts": {"rank": [_parts(i, p) for i, p in enumerate(PARTS, 1)]},
        "services": [_service()],
        "tenants": [_tenant(name, i) for i, name in enumerate("xy", 1)],
        "timeline": _timeline(),
        "costs": [_cost("used", 1200.0, "3000.00"), _cost("idle", 100.0, "250.00")],
        "counts": {
            "jobs": {"submitted": 120, "finished": 110, "running": 6, "waiting": 3, "rejected": 1},
            "requests": {"submitted": 5000, "served": 4990, "unfinished": 4, "dropped": 6},
        },
        "decisions": {"starts": 110, "preemptions": 4},
        "conservation": {"gpu_s_allocated": 4e6, "useful": 3.8e6, "overhead": 1.5e5, "lost": 5e4, "residual": 0.0},
    }


def spread_of(p95: float) -> dict[str, Any]:
    """A distribution with a long tail through `p95`."""
    quantiles = [i / 40 for i in range(40)] + [0.98, 0.99, 0.995, 0.999]
    curve = [[q, p95 * math.exp(3.2 * (q - 0.95) / (1.04 - q * 0.9))] for q in quantiles]
    value = dict(curve)
    named = {"p50": value[0.5], "p90": value[0.9], "p95": value[0.95], "p99": value[0.99], "max": curve[-1][1]}
    return {"unit": "s", "n": 100, "censored": 3, "mean": p95 / 3, **named, "curve": curve}


def _parts(i: int, percentile: float) -> dict[str, Any]:
    parts = {"queue_s": 0.01 * i, "batch_wait_s": 0.02 * i, "load_s": 0.0, "execute_s": 0.08}
    return {"percentile": percentile, **parts, "total_s": sum(parts.values()), "n": 50}


def _service() -> dict[str, Any]:
    counts = {"requests": 5000, "served": 4990, "late": 12, "miss_rate": 0.0024}
    times = {"mean_s": 0.1, "p50_s": 0.09, "p95_s": 0.14, "p99_s": 0.19}
    return {"service": "rank", "tenant": "serving", **counts, **times, "goodput_per_s": 4.9, "mean_replicas": 2.0}


def _tenant(name: str, i: int) -> dict[str, Any]:
    times = {"wait_mean_s": 300.0, "wait_p95_s": 2400.0, "jct_mean_s": 9000.0}
    fairness = {"share": 0.2 * i, "entitled": 0.5, "slowdown_mean": 1.4, "rho_mean": 1.0, "rho_max": 1.4}
    counts = {"submitted": 60, "finished": 55, "deadlines": 0, "deadlines_missed": 0}
    return {"tenant": name, **counts, **times, **fairness, "gpu_h": 400.0 * i, "cost_usd": 1000.0 * i}


def _timeline() -> dict[str, Any]:
    weekend = [0.2 * (i % 14 > 10) for i in range(60)]
    shares = {name: [top - w for w in weekend] for name, top in (("allocated", 0.9), ("busy", 0.85), ("useful", 0.8))}
    times = [i * 12 * HOUR for i in range(60)]
    return {"t_s": times, "bin_s": 12 * HOUR, "capacity_gpus": 64, **shares, "waiting": [i % 7 for i in range(60)]}


def _cost(line: str, quantity: float, usd: str) -> dict[str, Any]:
    return {"line": line, "pool": "v100", "quantity": quantity, "unit": "GPU-h", "price_usd": "2.50", "usd": usd}
