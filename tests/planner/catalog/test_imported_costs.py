"""Price lists, changing prices, bills and carbon become price sheets; what is not settled is asked, never guessed."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from planner.catalog import selectors
from planner.catalog.models import Revision
from planner.catalog.money import PriceEntry
from planner.catalog.services_entry import Tariff, prices_enter
from planner.catalog.services_imports import import_accept, import_answer
from simulation.formats.errors import FormatError
from tests.planner.catalog.files import PRICES
from tests.simulation.formats.test_azure_retail import ITEM

SPOT_DAY = "aws-spot-history/p4d_one_zone_one_day.json"


@pytest.fixture
def bring(upload, shared_dir):
    """Uploads a sample of the reference folder."""

    def from_sample(path: str, **more: Any):
        file: Path = shared_dir / "samples" / path
        return upload(file.read_bytes(), file.name, **more)

    return from_sample


def lines(revision: Revision) -> dict[tuple[str | None, str | None], Decimal]:
    return {(line.gpu_model, line.purchase): line.usd_per_gpu_h for line in selectors.prices_of(revision).lines}


def test_an_aws_price_list_becomes_prices_of_gpus(bring, owner):
    importing = bring("aws-price-list/offer_three_gpu_instances.json")
    assert importing.preview["open"] == []
    assert lines(import_accept(importing=importing, user=owner)) == {
        ("A100-SXM4-40GB", "on-demand"): Decimal("2.744705"),
        ("H100-SXM5-80GB", "on-demand"): Decimal("6.88"),
        ("A10G", "on-demand"): Decimal("1.624"),
    }
    assert any("21.957642 / 8 GPUs = 2.74470525 USD an hour" in said for said in importing.preview["said"])


def test_an_azure_price_list_takes_gpus_from_the_catalogue(bring, owner):
    revision = import_accept(importing=bring("azure-retail-json/h100_and_a100_consumption.json"), user=owner)
    assert {model: float(price) for (model, _), price in lines(revision).items()} == {
        "H100-SXM5-80GB": 12.29, "A100-SXM4-80GB": 4.09625,
    }  # fmt: skip


def test_the_machine_of_a_google_gpu_is_asked_and_its_sum_is_the_price(bring, owner):
    importing = bring("gcp-sku-json/a100_gpu_core_ram_on_demand.json")
    assert importing.preview["open"] == ["machine.A100"]
    importing = import_answer(importing=importing, user=owner, answers={"machine.A100": "a2-highgpu-1g"})
    assert lines(import_accept(importing=importing, user=owner)) == {
        ("A100-SXM4-40GB", "on-demand"): Decimal("3.673385")
    }


def test_spot_is_never_priced_as_low_priority(upload, owner):
    spot, low = {"skuName": "x Spot", "retailPrice": 29.5}, {"skuName": "x Low Priority", "retailPrice": 19.7}
    content = json.dumps({"Items": [ITEM | low, ITEM | spot]})
    revision = import_accept(importing=upload(content, "prices.json"), user=owner)
    assert lines(revision) == {("H100-SXM5-80GB", "spot"): Decimal("3.6875")}
    assert revision.summary["left_out"] == {"class low-priority: no pool is bought like that": 1}


def test_two_machines_with_one_model_are_asked_about(upload, owner):
    other = ITEM | {"armSkuName": "Standard_NC999_X9_v9"}
    sizes = [ITEM, ITEM | {"retailPrice": 90.0, "reservationTerm": ""}, other]
    importing = upload(json.dumps({"Items": sizes}), "prices.json")
    key = "offer.H100-SXM5-80GB.on-demand"
    assert set(importing.preview["open"]) == {key, "model.Standard_NC999_X9_v9", "gpus_per_node.Standard_NC999_X9_v9"}
    answers = {
        key: "Standard_ND96isr_H100_v5, 11.25 USD a GPU-hour",
        "model.Standard_NC999_X9_v9": "L40S",
        "gpus_per_node.Standard_NC999_X9_v9": "4",
    }
    revision = import_accept(importing=importing, user=owner, answers=answers)
    assert lines(revision) == {
        ("H100-SXM5-80GB", "on-demand"): Decimal("11.25"), ("L40S", "on-demand"): Decimal("24.58"),
    }  # fmt: skip


def test_spot_history_gives_its_mean_by_time_and_keeps_the_changes(bring, owner):
    revision = import_accept(importing=bring(SPOT_DAY), user=owner)
    assert lines(revision) == {("A100-SXM4-40GB", "spot"): Decimal("1.1875")}
    ((name, steps),) = revision.document["as_given"]["series"].items()
    assert name.startswith("p4d.24xlarge in us-east-1a")
    assert [price for _, price in steps] == ["10", "8", "12", "9"]


def test_spot_history_may_count_as_it_changed(bring, owner):
    revision = import_accept(importing=bring(SPOT_DAY), user=owner, answers={"over_time": "changes"})
    (line,) = selectors.prices_of(revision).lines
    assert line.usd_per_gpu_h == Decimal("1.25")
    assert [(step.start_s, step.usd_per_gpu_h) for step in line.steps] == [
        (21_600, Decimal("1")), (64_800, Decimal("1.5")), (86_400, Decimal("1.125")),
    ]  # fmt: skip


def test_a_window_of_spot_history_starts_with_the_price_in_force(bring, owner):
    answers = {"since": "2026-03-01T03:00:00Z", "until": "2026-03-01T09:00:00Z"}
    revision = import_accept(importing=bring(SPOT_DAY), user=owner, answers=answers)
    assert lines(revision) == {("A100-SXM4-40GB", "spot"): Decimal("1.125")}  # 3 h at 10, 3 h at 8, by 8 GPUs


@pytest.mark.parametrize(
    "answers",
    [{"since": "2026-02-28T23:00:00Z"}, {"since": "yesterday"}, {"until": "2026-02-01"}, {"since": "2026-04-01"}],
)
def test_a_window_that_the_file_does_not_cover_is_refused(bring, owner, answers):
    with pytest.raises(FormatError, match=r"answer (since|until)"):
        import_accept(importing=bring(SPOT_DAY), user=owner, answers=answers)


def test_changes_of_a_price_outlive_an_edit_of_the_sheet_unless_the_price_is_another(bring, owner, workspace):
    newest = import_accept(importing=bring(SPOT_DAY), user=owner, answers={"over_time": "changes"})
    for amount, steps in (("1.25", 3), ("1.30", 0)):
        entry = PriceEntry(Decimal(amount), gpu_model="A100-SXM4-40GB", purchase="spot")
        newest = prices_enter(
            workspace=workspace, user=owner, lines=[entry], tariff=Tariff(), why="", item=newest.item, based_on=newest
        )
        (line,) = selectors.prices_of(newest).lines
        assert len(line.steps) == steps


def test_a_bill_gives_what_a_gpu_hour_cost(bring, owner):
    importing = bring("focus-csv/focus_sample_six_plain_rows.csv")
    (question,) = [one for one in importing.preview["questions"] if one["key"] == "cost"]
    assert (question["answer"], "rounded" in question["why"]) == ("billed_cost", True)
    revision = import_accept(importing=importing, user=owner)
    assert lines(revision) == {("A10G", "on-demand"): Decimal("1.624")}
    assert importing.preview["left_out"] == {"no GPU machine that we know": 3}


def test_carbon_goes_onto_a_sheet_whose_prices_stay(bring, upload, owner):
    prices = import_accept(importing=upload(PRICES, "prices.csv", kind="prices"), user=owner)
    importing = bring("carbon-csv/electricity_maps_layout_one_day.csv")
    assert importing.preview["open"] == ["quantity"]
    answers = {"quantity": "lifecycle", "item": str(prices.item_id)}
    revision = import_accept(importing=importing, user=owner, answers=answers)
    assert (revision.item, lines(revision)) == (prices.item, lines(prices))
    assert selectors.prices_of(revision).carbon_g_per_kwh == 375
    assert revision.document["origins"]["carbon"] == "measured"
    given = revision.document["as_given"]["carbon"]
    assert (given["quantity"], len(given["steps"])) == ("lifecycle", 24)
    assert [tuple(step) for step in given["steps"][:2]] == [(0, 350), (3600, 360)]


def test_what_a_carbon_figure_is_outlives_an_edit_of_the_prices(bring, owner, workspace):
    importing = bring("carbon-csv/electricity_maps_layout_one_day.csv")
    first = import_accept(importing=importing, user=owner, answers={"quantity": "direct"})
    entry, tariff = PriceEntry(Decimal(2), gpu_model="L4"), Tariff(carbon_g_per_kwh=325)
    edited = prices_enter(
        workspace=workspace, user=owner, lines=[entry], tariff=tariff, why="", item=first.item, based_on=first
    )
    assert (edited.document["as_given"]["carbon"]["quantity"], edited.document["origins"]["carbon"]) == (
        "direct",
        "measured",
    )


def test_a_forecast_of_carbon_makes_a_sheet_without_prices(bring, owner):
    revision = import_accept(importing=bring("carbon-csv/cats_forecast_first_12_half_hours.csv"), user=owner)
    assert selectors.prices_of(revision).carbon_g_per_kwh == pytest.approx(13.8333, abs=5e-5)
    assert (lines(revision), revision.document["origins"]["carbon"]) == ({}, "cited")


def test_trials_become_jobs_that_cost_what_they_ran(bring, owner):
    importing = bring("hpo-runs/optuna_trials_single_objective.csv")
    assert set(importing.preview["open"]) == {"time_zone", "gpus", "direction"}
    answers = {"time_zone": "UTC", "gpus": "2", "direction": "minimise"}
    revision = import_accept(importing=importing, user=owner, answers=answers)
    assert revision.summary["jobs"] == 3
    assert revision.summary["gpu_h"] == pytest.approx(2 * 412.868701 / 3600)
    assert revision.summary["waits"] is None  # a wait that is not in the file is not 0


def test_a_benchmark_is_shown_and_not_saved_and_its_texts_are_not_kept(bring, upload, shared_dir, owner):
    path = shared_dir / "samples/llm-bench-json/vllm_bench_serve_detailed_six_requests.json"
    run = json.loads(path.read_text()) | {"generated_texts": ["a secret"] * 6}
    importing = upload(json.dumps(run), path.name)
    assert b"secret" not in bytes(importing.content)
    assert "secret" not in json.dumps(importing.preview)
    importing = import_answer(importing=importing, user=owner, answers={"gpus": "1", "gpu_model": "L4"})
    assert not importing.preview["ready"]
    with pytest.raises(FormatError, match="this kind is only shown"):
        import_accept(importing=importing, user=owner)
