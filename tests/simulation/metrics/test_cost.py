"""Cost opens into quantity x price lines that add up to the cent; a missing price is unknown and named."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.metrics.cost import pool_price
from simulation.metrics.summary import summarise
from simulation.scenario import Origins, PriceLine, Prices
from tests.simulation.metrics.runs import Job, pool, run, scenario, service

A100 = PriceLine(gpu_model="A100", usd_per_gpu_h=Decimal("2.50"))


def cost(records, prices, **more):
    document = summarise(records, scenario(prices=prices, **more))
    return document["costs"], document["metrics"]["cost_usd"]


def test_used_and_idle_hours_of_owned_capacity():
    lines, total = cost(run([Job(0, [(0, 3600, 0, 6)])], end_s=7200.0), Prices(lines=[A100]))
    assert lines == [
        {"line": "used", "pool": "p", "quantity": "6.000000", "unit": "GPU-h", "price_usd": "2.50", "usd": "15.00"},
        {"line": "idle", "pool": "p", "quantity": "10.000000", "unit": "GPU-h", "price_usd": "2.50", "usd": "25.00"},
    ]
    assert total["value"] == 40.0


def test_rented_capacity_and_a_sheet_that_does_not_charge_idle_cost_what_is_used():
    jobs = [Job(0, [(0, 3600, 0, 6)])]
    rented = run(jobs, [pool(purchase="on-demand")], end_s=7200.0)
    assert cost(rented, Prices(lines=[A100]))[1]["value"] == 15.0
    assert cost(run(jobs, end_s=7200.0), Prices(lines=[A100], charge_idle=False))[1]["value"] == 15.0


def test_replicas_are_paid_for_while_they_hold_gpus():
    records = run(
        services=[service()], replicas=[(0, 0, 0, 2, 0.0, 3600.0)], busy=[10.0], pools=[pool(purchase="on-demand")]
    )
    assert cost(records, Prices(lines=[A100]))[1]["value"] == 5.0


def test_a_pool_without_a_price_makes_the_cost_unknown_and_is_named():
    pools = [pool("a"), pool("b", gpu_model="H100"), pool("c", gpu_model="T4")]
    lines, total = cost(run([Job(0, [(0, 10, 0, 1)])], pools), Prices(lines=[A100]))
    assert (total["value"], total["note"]) == (None, "no price of pool b, c")
    assert {line["pool"] for line in lines} == {"a"}


def test_a_price_of_zero_is_a_price():
    free = PriceLine(pool="p", usd_per_gpu_h=Decimal(0))
    assert cost(run([Job(0, [(0, 10, 0, 1)])]), Prices(lines=[free, A100]))[1]["value"] == 0.0


@pytest.mark.parametrize(
    ("purchase", "lines", "expected"),
    [
        ("owned", [("A100", None, "2"), ("p", None, "3")], "3"),  # the pool's own line wins
        ("reserved", [("A100", None, "2"), ("A100", "reserved", "1")], "1"),  # the class named wins
        ("on-demand", [("A100", "spot", "1")], None),  # a spot price is for spot only
        ("spot", [("A100", None, "2"), ("A100", "on-demand", "3")], None),  # spot takes only a spot price
        ("spot", [("A100", "on-demand", "29.50"), ("A100", "spot", "19.70")], "19.70"),
        ("spot", [("p", None, "4"), ("A100", "spot", "1")], "4"),  # the pool's own price is the pool's own price
        ("spot", [("p", "on-demand", "4")], None),
        ("owned", [("q", None, "3"), ("H100", None, "2")], None),
        ("owned", [("", None, "1"), ("A100", None, "2")], "2"),  # a line that names neither is for all pools
        ("owned", [("", None, "1"), ("H100", None, "2")], "1"),
        ("spot", [("", None, "1")], None),
    ],
)
def test_which_line_prices_a_pool(purchase, lines, expected):
    sheet = [
        PriceLine(
            pool=name if len(name) == 1 else None,
            gpu_model=name if len(name) > 1 else None,
            purchase=kind,
            usd_per_gpu_h=usd,
        )
        for name, kind, usd in lines
    ]
    price = pool_price(pool(purchase=purchase), Prices(lines=sheet))
    assert price == (Decimal(expected) if expected else None)


def test_electricity_is_a_line_of_owned_pools_with_pue():
    watts = {"idle_w": 100.0, "peak_w": 400.0, "node_overhead_w": 200.0}
    records = run([Job(0, [(0, 3600, 0, 8)])], [pool(**watts)])
    prices = Prices(lines=[A100], electricity_usd_per_kwh=Decimal("0.25"))
    lines, total = cost(records, prices, pue=1.5)
    assert lines[-1] == {
        "line": "electricity", "pool": "p", "quantity": "5.100000", "unit": "kWh", "price_usd": "0.25", "usd": "1.28",
    }  # fmt: skip
    assert total["value"] == 21.28
    rented = run([Job(0, [(0, 3600, 0, 8)])], [pool(purchase="reserved")])
    assert cost(rented, prices)[1]["value"] == 20.0


def test_a_cost_with_electricity_in_it_rests_on_watts_too():
    known = Origins(workload="measured", cluster="measured", prices="measured", power="illustrative")
    records = run([Job(0, [(0, 3600, 0, 8)])], [pool(idle_w=100.0, peak_w=400.0)])
    found = {}
    for usd_per_kwh in (None, Decimal("0.25")):
        prices = Prices(lines=[A100], electricity_usd_per_kwh=usd_per_kwh)
        total = cost(records, prices, origins=known)[1]
        found[usd_per_kwh] = (total["origin"], "power" in total["inputs"])
    assert list(found.values()) == [("simulated", False), ("illustrative", True)]


def test_priced_electricity_of_a_pool_without_watts_makes_the_cost_unknown():
    _, total = cost(run([Job(0, [(0, 10, 0, 1)])]), Prices(lines=[A100], electricity_usd_per_kwh=Decimal("0.2")))
    assert (total["value"], total["note"]) == (None, "idle or peak power unknown of pool p")


lengths_s = st.integers(0, 10**9).map(lambda ms: ms / 1000)


@given(
    st.lists(st.tuples(lengths_s, st.integers(1, 8)), min_size=1, max_size=5), st.decimals(0, 100, places=4), lengths_s
)
def test_lines_add_up_to_the_cent(holds, price, idle_s):
    jobs = [Job(0, [(0, length, node, gpus)]) for node, (length, gpus) in enumerate(holds)]
    records = run(jobs, [pool(nodes=len(holds))], end_s=max(length for length, _ in holds) + idle_s)
    lines, total = cost(records, Prices(lines=[PriceLine(gpu_model="A100", usd_per_gpu_h=price)]))
    assert Decimal(str(total["value"])) == sum(Decimal(line["usd"]) for line in lines)
    for line in lines:
        assert abs(Decimal(line["quantity"]) * Decimal(line["price_usd"]) - Decimal(line["usd"])) <= Decimal("0.005")
    hours = sum(float(line["quantity"]) for line in lines)
    assert hours == pytest.approx(records.end_s * 8 * len(holds) / 3600, abs=2e-6)
