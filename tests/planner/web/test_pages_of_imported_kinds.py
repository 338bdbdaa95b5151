"""The import page of each kind of file that is no log of jobs or nodes: it opens, says what it will do, and saves."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from planner.catalog.models import Import, Kind, Revision
from tests.simulation.formats.test_gavel_trace import RATES, ROW
from tests.simulation.formats.test_gavel_trace import packed as traced
from tests.simulation.formats.test_pai import JOB, TASK, packed

PRICE_FILES = {
    "aws-price-list/offer_two_gpu_instances.csv": {},
    "aws-spot-history/p4d_one_zone_one_day.json": {},
    "focus-csv/focus_sample_six_plain_rows.csv": {},
    "carbon-csv/electricity_maps_layout_one_day.csv": {"quantity": "lifecycle"},
}
TRIALS = "hpo-runs/mlflow_runs.csv", {"time_zone": "UTC", "gpus": "2", "metric": "val_acc", "direction": "maximise"}


@pytest.fixture
def bring(signed_in, workspace):
    """Uploads bytes, answers, and gives the address and text of the import's page."""

    def of(name: str, content: bytes, answers: dict[str, str]) -> tuple[str, str]:
        body = {"file": SimpleUploadedFile(name, content)}
        response = signed_in.post(reverse("import-new", args=[workspace.slug]), body)
        assert response.status_code == 302, response.content.decode()[:2000]
        address = reverse("import", args=[workspace.slug, Import.objects.latest("created_at").pk])
        if answers:
            signed_in.post(address, {f"answer:{key}": value for key, value in answers.items()})
        return address, signed_in.get(address).content.decode()

    return of


@pytest.fixture
def page(bring, shared_dir):
    """The same for a sample of the reference folder."""

    def of(path: str, answers: dict[str, str]) -> tuple[str, str]:
        file: Path = shared_dir / "samples" / path
        return bring(file.name, file.read_bytes(), answers)

    return of


@pytest.mark.parametrize(("path", "answers"), PRICE_FILES.items())
def test_files_on_cost_become_price_sheets(page, signed_in, path, answers):
    address, text = page(path, answers)
    assert "Name of the new price sheet" in text
    response = signed_in.post(address, {"accept": "1"})
    assert response.status_code == 302, response.content.decode()[:2000]
    assert Revision.objects.latest("created_at").item.kind == Kind.PRICES
    assert signed_in.get(response.url).status_code == 200


def test_trials_become_a_workload(page, signed_in):
    address, text = page(*TRIALS)
    assert "A trial counts as submitted when it started" in text
    assert signed_in.post(address, {"accept": "1"}).status_code == 302
    assert Revision.objects.latest("created_at").summary["gpu_h"] == pytest.approx(2 * 7332 / 3600)


def test_a_benchmark_says_that_it_is_only_shown(page, signed_in):
    address, text = page("llm-bench-json/vllm_bench_serve_summary.json", {"gpus": "8", "gpu_model": "H100-SXM5-80GB"})
    assert "nothing is saved of a file of this kind" in text
    assert "Where does it go?" not in text
    assert signed_in.post(address, {"accept": "1"}).status_code == 400


def test_capacity_of_a_day_becomes_a_cluster(page, signed_in):
    address, text = page("helios-csv/cluster_gpu_number_three_days.csv", {"model.unnamed GPU": "as-written"})
    assert "784" in text
    assert signed_in.post(address, {"accept": "1"}).status_code == 302
    assert Revision.objects.latest("created_at").summary["gpus"] == 784


def test_tables_of_one_trace_come_in_one_archive(bring, signed_in):
    content = packed(pai_job_table=JOB, pai_task_table=TASK)
    address, text = bring("pai.zip", content, {})
    assert "Alibaba PAI jobs" in text
    assert signed_in.post(address, {"accept": "1"}).status_code == 302
    assert Revision.objects.latest("created_at").summary["gpu_h"] == pytest.approx(2 * 2)  # two GPUs for two hours


def test_a_trace_of_steps_becomes_jobs_once_its_gpu_is_chosen(bring, signed_in):
    content = traced(ROW, RATES)
    address, text = bring("gavel.zip", content, {})
    assert "On which GPU do the run times count?" in text
    response = signed_in.post(address, {"answer:gpu_type": "v100", "accept": "1"})
    assert response.status_code == 302, response.content.decode()[:2000]
    assert Revision.objects.latest("created_at").summary["gpu_h"] == pytest.approx(500 / 3600)
