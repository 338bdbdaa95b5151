"""Typed numbers are assumed, with who and why; blanks come from the catalogue or stay unknown; units are converted."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal

import pytest

from planner.catalog import consistency, selectors
from planner.catalog.costs import monthly
from planner.catalog.documents import DocumentError
from planner.catalog.models import Item, Revision, Source
from planner.catalog.money import PriceEntry
from planner.catalog.services import Conflict, revision_add
from planner.catalog.services_entry import Tariff, cluster_enter, pools_changed, prices_enter, slos_enter
from simulation.metrics.cost import pool_price
from simulation.records import PoolInfo
from simulation.scenario import Cluster, Pool, PriceLine, Prices

H100 = {"name": "h100", "gpu_model": "H100-SXM5-80GB", "nodes": 4, "gpus_per_node": 8}


@pytest.fixture
def typed(workspace, owner):
    def make(pools=(H100,), **more) -> Revision:
        given = {"name": "big", "why": "from the wiki", "pools": pools}
        return cluster_enter(workspace=workspace, user=owner, **{**given, **more})

    return make


@pytest.fixture
def priced(workspace, owner):
    def make(*lines: PriceEntry, tariff: Tariff | None = None, name: str = "2026", **more) -> Revision:
        return prices_enter(
            workspace=workspace, user=owner, name=name, lines=lines, tariff=tariff or Tariff(), why="quote", **more
        )

    return make


def per_hour(revision: Revision) -> list[str]:
    return [str(line.usd_per_gpu_h) for line in selectors.prices_of(revision).lines]


def test_typed_figures_are_assumed_and_say_who_and_why(typed):
    revision = typed()
    assert revision.origin == "assumed"
    assert revision.document["figures"]["h100"]["nodes"] == {
        "origin": "assumed",
        "source": "typed by olga: from the wiki",
    }
    assert revision.source.detail["why"] == "from the wiki"
    assert revision.source.detail["when"]


def test_blanks_are_taken_from_the_catalogue_with_its_source(typed):
    revision = typed()
    pool = selectors.cluster_of(revision).pools[0]
    assert (pool.gpu_memory_bytes, pool.peak_w) == (80 * 10**9, 700)
    told = revision.document["figures"]["h100"]["peak_w"]
    assert (told["origin"], "NVIDIA" in told["source"]) == ("cited", True)


def test_a_model_that_nobody_knows_stays_unknown_and_is_named(typed):
    revision = typed([{**H100, "gpu_model": "Z9000"}])
    pool = selectors.cluster_of(revision).pools[0]
    assert (pool.gpu_memory_bytes, pool.idle_w, pool.peak_w) == (None, None, None)
    said = [str(problem) for problem in consistency.of_cluster(selectors.cluster_of(revision))]
    assert "cluster, pool h100: Z9000 is not a GPU model that we know; its figures stay unknown" in said


def test_the_origin_of_power_is_the_weakest_figure_of_it(typed):
    assert typed([{**H100, "idle_w": 75.0}]).document["origins"]["power"] == "assumed"
    both_cited = typed([{**H100, "name": "b"}], name="other").document
    powers = {told["origin"] for field, told in both_cited["figures"]["b"].items() if field.endswith("_w")}
    assert both_cited["origins"]["power"] in powers


def test_a_change_keeps_the_origin_of_what_did_not_change(typed, workspace, owner):
    measured = {"h100": {field: {"origin": "measured", "source": "log"} for field in ("nodes", "gpus_per_node")}}
    first = typed()
    document = {**first.document, "figures": measured, "origins": {"cluster": "measured", "power": "cited"}}
    given = {"kind": "cluster", "item": first.item, "document": document, "origin": "measured", "source": "log"}
    base = revision_add(workspace=workspace, user=owner, **given)
    after = typed(pools_changed(base, {"h100": {"nodes_delta": 2}}), item=first.item, based_on=base)
    figures = after.document["figures"]["h100"]
    assert (after.number, figures["nodes"]["origin"], figures["gpus_per_node"]["origin"]) == (3, "assumed", "measured")


def test_saving_without_a_change_adds_nothing(typed):
    first = typed()
    assert typed(pools_changed(first, {}), item=first.item, based_on=first) == first
    assert Source.objects.count() == 1


def test_an_edit_may_rename(typed):
    first = typed()
    after = typed(pools_changed(first, {}), item=first.item, based_on=first, name="Big one")
    assert (after.item.name, selectors.cluster_of(after).name) == ("Big one", "Big one")
    typed(name="other")
    with pytest.raises(DocumentError, match="another cluster is called other"):
        typed(pools_changed(after, {}), item=after.item, based_on=after, name="other")


def test_a_change_of_an_older_revision_conflicts(typed):
    first = typed()
    typed(pools_changed(first, {"h100": {"nodes": 5}}), item=first.item, based_on=first)
    with pytest.raises(Conflict):
        typed(pools_changed(first, {"h100": {"nodes": 6}}), item=first.item, based_on=first)


def test_a_name_that_is_taken_is_no_way_to_overwrite(typed):
    typed()
    with pytest.raises(DocumentError, match="there is a cluster called big"):
        typed([{**H100, "nodes": 1}])
    assert Revision.objects.count() == 1


@pytest.mark.parametrize(
    ("pools", "said"),
    [
        ([{**H100, "nodes": -1}], "pools, row 1, nodes"),
        ([H100, H100], "pool names must differ"),
        ([{**H100, "nodes": 0}], "there is no GPU"),
        ([{**H100, "idle_w": 900.0, "peak_w": 700.0}], "pool h100: idle power 900 W is above peak 700 W"),
    ],
)
def test_a_cluster_that_cannot_be_names_the_row_and_is_not_saved(typed, pools, said):
    with pytest.raises(DocumentError, match=said):
        typed(pools)
    assert not Item.objects.exists()
    assert not Source.objects.exists()


def test_details_that_cannot_all_hold_are_said(typed):
    revision = typed([{**H100, "links": {"island_gpus": 16}, "starts_down": True}])
    said = [str(problem) for problem in consistency.of_cluster(selectors.cluster_of(revision))]
    assert said == [
        "cluster, pool h100: an island of 16 GPUs in nodes of 8: the node counts",
        "cluster, pool h100: its nodes are down at the start, and no recorded change brings any up",
    ]


def test_recorded_changes_stay_unless_others_are_given(typed):
    change = {"at_s": 60.0, "pool": "h100", "nodes": 1, "up": False}
    first = typed(changes=[change])
    kept = typed(pools_changed(first, {"h100": {"nodes": 5}}), item=first.item, based_on=first)
    assert kept.document["cluster"]["changes"] == [change]
    gone = typed(pools_changed(kept, {}), item=first.item, based_on=kept, changes=[])
    assert gone.document["cluster"]["changes"] == []
    with pytest.raises(DocumentError, match="no pool 'h200'"):
        typed(changes=[{**change, "pool": "h200"}], name="other")


def test_changing_a_pool_that_is_not_there_names_those_that_are(typed):
    with pytest.raises(DocumentError, match="no such pool; it has h100"):
        pools_changed(typed(), {"a100": {"nodes": 1}})
    with pytest.raises(DocumentError, match="-1 nodes, expected 0 or more"):
        pools_changed(typed(name="b"), {"h100": {"nodes_delta": -5}})


def test_prices_of_an_hour_and_a_month_are_the_same_money(priced):
    revision = priced(
        PriceEntry(Decimal("0.95"), gpu_model="L4"),
        PriceEntry(Decimal("693.50"), "gpu-month", gpu_model="L40S"),
        PriceEntry(Decimal("32"), "node-hour", gpu_model="H100-SXM5-80GB", gpus_per_node=8),
        PriceEntry(Decimal("23360"), "node-month", gpu_model="A100-SXM4-80GB", gpus_per_node=8),
    )
    assert per_hour(revision) == ["0.95", "0.95", "4", "4"]
    assert revision.document["as_given"]["lines"][1]["unit"] == "gpu-month"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (PriceEntry(Decimal(-1)), "line 1, amount: -1, expected 0 or more"),
        (PriceEntry(Decimal(3), "fortnight"), "line 1, unit"),
        (PriceEntry(Decimal(3), "node-hour"), "line 1, GPUs a node"),
    ],
)
def test_a_price_that_says_too_little_is_refused_by_line(priced, line, said):
    with pytest.raises(DocumentError, match=said):
        priced(line)
    assert not Item.objects.exists()


def test_overlapping_prices_name_both_lines(priced):
    with pytest.raises(DocumentError, match="line 2: overlaps line 1: both price H100, spot"):
        priced(*[PriceEntry(Decimal(n), gpu_model="H100", purchase="spot") for n in (1, 2)])
    assert not Item.objects.exists()


def test_mixed_currencies_are_refused(priced):
    with pytest.raises(DocumentError, match="EUR and USD in one sheet"):
        priced(PriceEntry(Decimal(1)), PriceEntry(Decimal(1), gpu_model="L4", currency="EUR"))


def test_another_currency_is_converted_with_a_dated_rate_only(priced):
    line = PriceEntry(Decimal("2.00"))
    with pytest.raises(DocumentError, match="how many USD is 1 EUR, and on which date"):
        priced(line, tariff=Tariff(currency="EUR", rate_usd=Decimal("1.08")))
    revision = priced(line, tariff=Tariff("EUR", Decimal("1.08"), "2026-03-01", electricity_per_kwh=Decimal("0.25")))
    assert per_hour(revision) == ["2.16"]
    assert str(selectors.prices_of(revision).electricity_usd_per_kwh) == "0.27"
    assert revision.document["as_given"]["rate_date"] == "2026-03-01"


POOLS = [
    Pool(name="owned", gpu_model="A100", nodes=4, gpus_per_node=8),
    Pool(name="cheap", gpu_model="A100", nodes=1, gpus_per_node=8, purchase="spot"),
]


def sheet(*lines: tuple[str | None, str | None, str | None, str]) -> Prices:
    return Prices(lines=[PriceLine(pool=p, gpu_model=m, purchase=c, usd_per_gpu_h=Decimal(a)) for p, m, c, a in lines])


def test_a_month_costs_gpus_times_730_hours_times_price():
    cost = monthly(Cluster(pools=POOLS), sheet((None, "A100", "owned", "1.10"), (None, "A100", "spot", "0.333333")))
    assert [str(one.usd) for one in cost.pools] == ["25696.00", "1946.66"]
    assert str(cost.total) == "27642.66"


def test_spot_never_takes_the_price_of_another_class():
    cluster, prices = Cluster(name="c", pools=POOLS), sheet((None, "A100", "on-demand", "4.10"))
    cost = monthly(cluster, prices)
    assert (cost.total, cost.unpriced) == (None, ["owned", "cheap"])
    said = [str(problem) for problem in consistency.of_cost(cluster, prices)]
    assert said[1].startswith("prices, pool cheap: has no price for A100, spot (A100, on-demand does not fit spot)")
    assert said[2] == "prices, line 1: A100, on-demand fits no pool of c"


def test_a_line_for_the_pool_goes_before_one_for_its_model():
    prices = sheet((None, None, None, "9"), (None, "A100", None, "2"), ("owned", None, None, "1"))
    cost = monthly(Cluster(pools=POOLS[:1]), prices)
    assert str(cost.pools[0].line.usd_per_gpu_h) == "1"


def test_jobs_that_cannot_run_are_foretold():
    gangs = [{"models": [], "gpus": 64}, {"models": ["V100"], "gpus": 1}]
    summary = {"least_gangs": gangs, "gpu_h": 4000.0, "span_s": 86_400.0}
    problems = list(consistency.of_work(Cluster(pools=POOLS), summary))
    said = [str(problem) for problem in problems]
    assert said[0].startswith("workload, largest job: needs 64 equal GPUs, the cluster has 40: jobs of that size")
    assert said[1].startswith("workload, jobs that need GPUs of V100: no pool has them")
    assert said[2].startswith("workload, demand: is 417% of the cluster's capacity")
    assert not any(problem.stops for problem in problems)
    (first, last) = consistency.of_work(Cluster(pools=POOLS), {"least_gangs": gangs[1:]})
    assert (first.stops, last.stops, last.row) == (False, True, "all jobs")


def test_a_gang_stays_on_equal_gpus():
    faster = Pool(name="new", gpu_model="H100", nodes=4, gpus_per_node=8)
    summary = {"least_gangs": [{"models": [], "gpus": 48}]}
    assert (
        list(consistency.of_work(Cluster(pools=[POOLS[0], POOLS[1]]), {"least_gangs": [{"models": [], "gpus": 40}]}))
        == []
    )
    (problem,) = consistency.of_work(Cluster(pools=[*POOLS, faster]), summary)
    assert "needs 48 equal GPUs, the cluster has 40" in problem.text


def test_a_replica_that_fits_nowhere_is_foretold():
    services = [{"name": "chat", "gpus_per_replica": 16, "gpu_models": ["H100"]}]
    (problem,) = consistency.of_work(Cluster(pools=POOLS), {"services": services})
    assert str(problem).startswith("workload, service chat: a replica needs 16 equal GPUs, the cluster has 0")


@pytest.mark.parametrize(
    ("slos", "said"),
    [
        ([{"metric": "luck", "limit": 1}], "limit 1: luck is not a metric"),
        ([{"metric": "wait_p95_s", "limit": 1}, {"metric": "wait_p95_s", "limit": 2}], "wait_p95_s: has 2 limits"),
        ([{"metric": "wait_p95_s", "limit": float("nan")}], "row 1, limit: .*finite"),
        ([], "give at least one"),
    ],
)
def test_limits_that_cannot_be_are_refused(workspace, owner, slos, said):
    with pytest.raises(DocumentError, match=said):
        slos_enter(workspace=workspace, user=owner, name="s", slos=slos, why="")
    assert not Item.objects.exists()


@pytest.mark.parametrize("purchase", ["owned", "reserved", "on-demand", "spot"])
@pytest.mark.parametrize(
    "line",
    [(None, "A100", None), (None, None, None), (None, "A100", "spot"), ("p", None, None), ("p", None, "on-demand")],
)
def test_the_sheet_and_a_run_price_a_pool_by_one_rule(line, purchase):
    one = Pool(name="p", gpu_model="A100", nodes=1, gpus_per_node=8, purchase=purchase)
    prices = sheet((*line, "2"))
    shown = monthly(Cluster(pools=[one]), prices).pools[0].line
    info = PoolInfo("p", "A100", 1, 8, purchase, idle_w=None, peak_w=None, node_overhead_w=0.0)
    charged = pool_price(info, prices)
    assert (shown.usd_per_gpu_h if shown else None) == charged
    unpriced = [
        problem.row for problem in consistency.of_cost(Cluster(pools=[one]), prices) if "no price" in str(problem)
    ]
    assert bool(unpriced) == (charged is None)


def test_a_spot_pool_takes_a_spot_price_or_its_own_line_only():
    spot = Cluster(pools=[POOLS[1]])
    assert monthly(spot, sheet((None, "A100", None, "4"))).total is None
    said = [str(problem) for problem in consistency.of_cost(spot, sheet((None, "A100", None, "4")))]
    assert said[0].startswith("prices, pool cheap: has no price for A100, spot (A100 does not fit spot)")
    assert monthly(spot, sheet(("cheap", None, None, "4"))).total == Decimal("23360.00")


def test_pages_of_prices_need_no_array_library():
    heavy = "import sys, planner.catalog.costs; print([m for m in ('numpy', 'pandas', 'numba') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
