"""Each GPU-hour is paid at the price of its instant; idle capacity too, where it is paid for at all."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from simulation.run import simulate
from simulation.scenario import Cluster, PriceLine, Prices, PriceStep, Scenario, Workload
from simulation.world.build import build_world
from tests.simulation.building import pool, table

HOUR = 3600.0


def line(*prices: tuple[float, str], **of: Any) -> PriceLine:
    """Prices as (hour, USD per GPU-hour), the first at 0."""
    steps = [PriceStep(start_s=hour * HOUR, usd_per_gpu_h=Decimal(usd)) for hour, usd in prices[1:]]
    return PriceLine(usd_per_gpu_h=Decimal(prices[0][1]), steps=steps, **({"pool": "a"} | of))


def scenario(price: PriceLine, purchase: str, *jobs: tuple[float, float, int]) -> Scenario:
    return Scenario(
        cluster=Cluster(pools=[pool(1, 8, purchase=purchase)]),
        prices=Prices(lines=[price]),
        workload=Workload(jobs=table(*((at * HOUR, hours * HOUR, gpus) for at, hours, gpus in jobs))),
        horizon_s=10 * HOUR,
    )


def lines_of(one: Scenario) -> list[tuple[str, float, str, str, str]]:
    document = simulate(one).document
    keys = ("line", "since_s", "quantity", "price_usd", "usd")
    return [tuple(row.get(key, 0.0) for key in keys) for row in document["costs"]]  # type: ignore[misc]


def test_lines_of_spot_capacity_by_hand() -> None:
    """4 GPUs from hour 1 to 7: 2 hours at 1, 4 hours at 0.25; at hour 8 the price rises, and nobody pays it."""
    one = scenario(line((0, "1.00"), (3, "0.25"), (8, "9.00")), "spot", (1, 6, 4))
    assert [row for row in lines_of(one) if Decimal(row[2])] == [
        ("used", 0.0, "8.000000", "1.00", "8.00"),
        ("used", 3 * HOUR, "16.000000", "0.25", "4.00"),
    ]
    assert simulate(one).document["metrics"]["cost_usd"]["value"] == 12.0


def test_lines_of_owned_capacity_by_hand() -> None:
    """8 GPUs for 10 hours, half of them at 1 and half at 2 dollars, whoever uses them."""
    one = scenario(line((0, "1.00"), (5, "2.00")), "owned", (4, 2, 8))
    assert lines_of(one) == [
        ("used", 0.0, "8.000000", "1.00", "8.00"),
        ("idle", 0.0, "32.000000", "1.00", "32.00"),
        ("used", 5 * HOUR, "8.000000", "2.00", "16.00"),
        ("idle", 5 * HOUR, "32.000000", "2.00", "64.00"),
    ]


def test_a_policy_reads_the_price_of_the_instant() -> None:
    tariffs = build_world(scenario(line((0, "1.00"), (3, "0.25")), "spot", (1, 6, 4)), 0).tariffs
    assert [tariffs.at(at_s)[0] for at_s in (0.0, 3 * HOUR - 1, 3 * HOUR, 9 * HOUR)] == [1.0, 1.0, 0.25, 0.25]
    assert (tariffs.next_change_s(0.0), tariffs.next_change_s(3 * HOUR)) == (3 * HOUR, float("inf"))


def test_steps_must_go_up_in_time() -> None:
    with pytest.raises(ValueError, match="ascending order"):
        line((0, "1.00"), (5, "2.00"), (3, "1.00"))
