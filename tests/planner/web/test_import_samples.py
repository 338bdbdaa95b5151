"""Real and constructed files of the reference folder, through the upload form: what each must give."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from planner.catalog import selectors
from planner.catalog.models import Import, Revision
from planner.catalog.services_entry import cluster_enter
from simulation.formats.workload import GPUS_UNKNOWN, NEVER_STARTED, NO_GPU, SHARES

CHOSEN = {"service.alpha_s": "0.1", "service.beta_s": "0.01"}


@pytest.fixture
def bring(signed_in, workspace, shared_dir):
    """Uploads a file of the reference folder and answers; gives the import as its page then stands."""

    def upload(path: str, **answers: str) -> Import:
        file: Path = shared_dir / path
        if not file.is_file():
            pytest.skip(f"reference file {path} is missing")
        body = {"file": SimpleUploadedFile(file.name, file.read_bytes())}
        response = signed_in.post(reverse("import-new", args=[workspace.slug]), body)
        assert response.status_code == 302, response.content.decode()[:2000]
        importing = Import.objects.latest("created_at")
        if answers:
            page = reverse("import", args=[workspace.slug, importing.pk])
            response = signed_in.post(page, {f"answer:{key}": value for key, value in answers.items()})
            assert response.status_code == 302, response.content.decode()[:2000]
            importing.refresh_from_db()
        return importing

    return upload


@pytest.fixture
def accept(signed_in, workspace):
    def press(importing: Import) -> Revision:
        page = reverse("import", args=[workspace.slug, importing.pk])
        response = signed_in.post(page, {"accept": "1"})
        assert response.status_code == 302, response.content.decode()[:3000]
        assert signed_in.get(response.url).status_code == 200
        return Revision.objects.latest("created_at")

    return press


def test_two_days_of_sacct(bring, accept):
    importing = bring("samples/slurm-sacct-parsable/a100_two_days.psv", time_zone="UTC")
    assert importing.preview["counts"]["folded"] == 3
    said = accept(importing).summary
    assert (said["jobs"], said["left_out"]) == (6, {NO_GPU: 1})
    assert said["gpu_h"] == pytest.approx(417.6167, abs=5e-5)
    assert (said["waits"]["n"], said["waits"]["p95_s"], said["waits"]["max_s"]) == (6, 6825, 9000)


def test_sacct_without_a_header_is_asked_about(bring, accept):
    asked = bring("samples/slurm-sacct-parsable/xdmod_layout_utc_noheader.psv")
    assert "layout" in [question["key"] for question in asked.preview["questions"]]
    importing = bring("samples/slurm-sacct-parsable/xdmod_layout_utc_noheader.psv", layout="xdmod", time_zone="UTC")
    first = importing.preview["table"]["rows"][0]["cells"]
    assert (first[1]["value"], first[3]["value"], round(first[4]["value"], 4)) == (2, 912_426, 506.9033)
    assert accept(importing).summary["jobs"] == 2


def test_unknown_gpu_counts_are_not_zero(bring):
    importing = bring("samples/slurm-sacct-parsable/slurm2sql_wide_with_steps.psv", time_zone="UTC")
    assert importing.preview["left_out"] == {GPUS_UNKNOWN: 2}
    assert not importing.preview["ready"]


def test_nodes_that_are_full_have_no_free_gpu(bring, accept):
    revision = accept(bring("samples/slurm-nodes/scontrol_show_node_two_rtx8000.txt"))
    said = revision.summary
    assert (said["installed"], said["in_use"], said["nodes"]) == (16, 16, 2)
    assert selectors.cluster_of(revision).pools[0].gpu_model == "RTX-8000"


def test_sinfo_counts_gpus_in_use(bring, accept):
    revision = accept(bring("samples/slurm-nodes/sinfo_node_gres.txt", **{"model.a100": "A100-SXM4-80GB"}))
    assert (revision.summary["installed"], revision.summary["in_use"]) == (24, 11)
    assert revision.summary["left_out"] == {"no GPU": 1}


def test_slurm_conf_is_a_cluster_too(bring, accept):
    revision = accept(bring("samples/slurm-nodes/slurm.conf", **{"model.a100": "A100-SXM4-40GB"}))
    assert (revision.summary["gpus"], revision.summary["nodes"]) == (32, 4)
    assert revision.summary["in_use"] is None


def test_requests_at_a_constant_rate(bring, accept):
    revision = accept(bring("samples/azure-llm-csv/two_minutes_constant_rate.csv", **CHOSEN))
    service = revision.summary["services"][0]
    assert (service["requests"], service["rate_per_s"]) == (12, pytest.approx(0.1))
    requests = selectors.workload_of(revision).services[0].requests
    assert (sum(requests.prompt_tokens), sum(requests.output_tokens)) == (7200, 800)


def test_requests_with_seven_decimals(bring, accept):
    revision = accept(bring("samples/azure-llm-csv/AzureLLMInferenceTrace_code_first_12.csv", **CHOSEN))
    assert revision.summary["services"][0]["span_s"] == pytest.approx(1.399, abs=5e-4)


@pytest.mark.parametrize(
    ("file", "cost"),
    [("jobs_comma_utf8.csv", {"USD": "277.74"}), ("jobs_semicolon_decimal_comma_bom.csv", {"EUR": "277.74"})],
)
def test_a_spreadsheet_in_either_habit_adds_up_to_the_same(bring, accept, file, cost):
    importing = bring(f"samples/generic-csv/{file}")
    assert importing.preview["totals"]["cost"] == cost
    answers = {key: {"submission": "start", "time_zone": "UTC"}.get(key, "") for key in importing.preview["open"]}
    importing = bring(f"samples/generic-csv/{file}", **answers)
    assert accept(importing).summary["gpu_h"] == pytest.approx(137)


def test_secret_models_stay_unnamed(bring, accept):
    answers = {"model.P100": "P100-PCIE-16GB", "model.G2": "as-written", "model.G3": "as-written"}
    revision = accept(bring("samples/alibaba-openb-2023/openb_node_list_one_of_each_model.csv", **answers))
    pools = {pool.gpu_model: pool for pool in selectors.cluster_of(revision).pools}
    assert (revision.summary["gpus"], revision.summary["nodes"]) == (35, 7)
    assert (pools["G2"].peak_w, pools["G2"].gpu_memory_bytes) == (None, None)


def test_pods_that_share_or_wait_are_counted_apart(bring):
    importing = bring("samples/alibaba-openb-2023/openb_pod_list_first_rows.csv")
    assert importing.preview["left_out"] == {
        SHARES: 3,
        NO_GPU: 1,
        NEVER_STARTED: 2,
    }


def test_pods_that_share_may_have_a_whole_gpu(bring):
    importing = bring("samples/alibaba-openb-2023/openb_pod_list_first_rows.csv", sharing="whole-gpu")
    assert importing.preview["left_out"] == {NO_GPU: 1, NEVER_STARTED: 2}


def test_two_attempts_are_one_job(bring, accept):
    said = accept(bring("samples/philly-json/one_job_two_attempts.json")).summary
    assert (said["jobs"], said["waits"]["max_s"]) == (1, 30)
    assert said["gpu_h"] == pytest.approx(429.458, abs=5e-4)


def test_the_whole_philly_list_comes_in_by_upload(bring, accept):
    importing = bring("traces/philly-jobs/philly_jobs.csv.gz")
    assert importing.preview["counts"]["rejected"] == 0
    revision = accept(importing)
    said = revision.summary
    assert (said["jobs"], said["tenants_in_all"], said["largest_gang"]) == (82_247, 15, 128)
    assert [(row["gang"], row["jobs"]) for row in said["gangs"]] == [
        ("1", 76_627),
        ("2-4", 3_688),
        ("5-8", 1_643),
        ("9-16", 206),
        ("17-32", 74),
        ("33+", 9),
    ]
    assert said["waits"] is None
    assert said["starts_at"].startswith("2017-09-04T17:30")  # 10:30 in Los Angeles
    assert len(selectors.workload_of(revision).jobs) == 82_247


def test_kubernetes_nodes_become_a_cluster(bring, accept):
    revision = accept(bring("samples/k8s-nodes-json/one_h100_node_one_cpu_node.json"))
    assert (revision.summary["installed"], revision.summary["schedulable"], revision.summary["nodes"]) == (8, 8, 1)
    assert selectors.cluster_of(revision).pools[0].gpu_model == "H100-SXM5-80GB"


def test_slices_are_no_gpus_to_be_given(bring):
    importing = bring("samples/k8s-nodes-json/a100_mig_mixed_three_instances.json", nodes="schedulable")
    assert (importing.preview["totals"]["gpus"], importing.preview["totals"]["gpus_schedulable"]) == (1, 0)
    assert not importing.preview["ready"]


def test_a_manifest_becomes_a_workload_that_is_marked_assumed(bring, accept):
    importing = bring("samples/k8s-jobs/kueue_queue_and_gpu_job.yaml", run_time="12h")
    assert importing.preview["totals"]["quota_fit"] == {"vision/train-a": "within the own quota, exactly full"}
    revision = accept(importing)
    assert (revision.origin, revision.summary["gpu_h"]) == ("assumed", 32 * 12)


def test_sacct_json_is_a_workload_as_sacct_text_is(bring, accept):
    answers = {"model.h100": "H100-SXM5-80GB"}
    revision = accept(bring("samples/slurm-sacct-json/v0.0.40_slurm23.11_plain.json", **answers))
    assert (revision.summary["jobs"], revision.summary["gpu_h"]) == (2, pytest.approx(16.1))


def test_a_log_of_processors_is_a_workload_only_if_they_are_gpus(bring, accept):
    cores = bring("samples/swf/nasa_ipsc_first_25_jobs.swf", processors="cores")
    assert (cores.preview["left_out"], cores.preview["ready"]) == ({GPUS_UNKNOWN: 24}, False)
    revision = accept(bring("samples/swf/nasa_ipsc_first_25_jobs.swf", processors="1"))
    assert (revision.summary["jobs"], revision.origin) == (24, "assumed")


@pytest.fixture
def lab(owner, workspace):
    pools = [{"name": "ampere", "gpu_model": "A100-SXM4-80GB", "nodes": 2, "gpus_per_node": 8}]
    return cluster_enter(workspace=workspace, user=owner, pools=pools, why="", name="Lab")


def test_measured_power_goes_to_the_cluster_that_was_measured(bring, accept, lab):
    path = "samples/nvidia-smi-query-csv/a100_four_gpus_one_minute.csv"
    revision = accept(bring(path, time_zone="UTC", item=str(lab.item_id)))
    pool = selectors.cluster_of(revision).pools[0]
    assert (revision.item_id, pool.idle_w, pool.peak_w) == (lab.item_id, 61.75, 391.5)


def test_power_alone_gives_no_idle_figure(bring, accept, lab):
    revision = accept(bring("samples/dcgm-prometheus/query_range_power_two_gpus_60s.json", item=str(lab.item_id)))
    before = lab.document["cluster"]["pools"][0]
    pool = selectors.cluster_of(revision).pools[0]
    assert (pool.idle_w, pool.peak_w) == (before["idle_w"], pytest.approx(309.55))


def test_the_matrix_of_links_goes_to_its_pool(bring, accept, lab):
    path = "samples/nvidia-smi-topo/a100_8gpu_nvswitch_4nic.txt"
    revision = accept(bring(path, item=str(lab.item_id), pool="ampere"))
    links = selectors.cluster_of(revision).pools[0].links
    assert (links.island_gpus, links.island_gb_s) == (8, 240)


@pytest.mark.parametrize(
    "path", ["nvidia-smi-query-csv/a100_four_gpus_one_minute.csv", "nvidia-smi-topo/a100_8gpu_nvswitch_4nic.txt"]
)
def test_a_file_about_a_cluster_asks_which_one_and_offers_no_new_one(bring, signed_in, workspace, lab, path):
    importing = bring(f"samples/{path}")
    page = signed_in.get(reverse("import", args=[workspace.slug, importing.pk])).content.decode()
    assert page.count('name="answer:item"') == 1
    assert f'value="{lab.item_id}"' in page
    assert "a new cluster" not in page
