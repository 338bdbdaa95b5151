"""The table of formats: what it names exists, recognises its own files and nobody else's better."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.formats.columns import COLUMNS
from simulation.formats.registry import FORMATS, HEAD_BYTES, detect
from simulation.formats.tables import Table, cell_text

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = {
    "slurm-sacct-parsable/a100_two_days.psv": "slurm-sacct",
    "slurm-sacct-parsable/slurm2sql_wide_with_steps.psv": "slurm-sacct",
    "slurm-sacct-parsable/xdmod_layout_utc_noheader.psv": "slurm-sacct",
    "slurm-sacct-json/v0.0.37_slurm21.08_two_jobs.json": "slurm-sacct-json",
    "slurm-sacct-json/v0.0.40_slurm23.11_plain.json": "slurm-sacct-json",
    "slurm-nodes/scontrol_show_node_two_rtx8000.txt": "slurm-nodes",
    "slurm-nodes/sinfo_node_gres.txt": "slurm-sinfo",
    "slurm-nodes/slurm.conf": "slurm-conf",
    "slurm-nodes/gres.conf": "slurm-gres",
    "philly-json/one_job_two_attempts.json": "philly-json",
    "azure-llm-csv/two_minutes_constant_rate.csv": "azure-llm",
    "alibaba-openb-2023/openb_node_list_one_of_each_model.csv": "openb-nodes",
    "alibaba-openb-2023/openb_pod_list_first_rows.csv": "openb-pods",
    "helios-csv/cluster_log_three_jobs.csv": "helios-jobs",
    "helios-csv/cluster_gpu_number_three_days.csv": "helios-capacity",
    "acme-csv/trace_seren_two_jobs.csv": "acme",
    "acme-csv/trace_kalos_two_jobs.csv": "acme",
    "burstgpt-csv/v1_first_three.csv": "burstgpt",
    "burstgpt-csv/v2_session_and_elapsed.csv": "burstgpt",
    "k8s-jobs/kueue_queue_and_gpu_job.yaml": "kubernetes-jobs",
    "k8s-jobs/volcano_gang_job.yaml": "kubernetes-jobs",
    "swf/nasa_ipsc_first_25_jobs.swf": "swf",
    "k8s-nodes-json/one_h100_node_one_cpu_node.json": "kubernetes-nodes",
    "k8s-nodes-json/a100_mig_mixed_three_instances.json": "kubernetes-nodes",
    "nvidia-smi-query-csv/h100_idle_then_load.csv": "nvidia-smi",
    "nvidia-smi-query-csv/a100_four_gpus_one_minute.csv": "nvidia-smi",
    "nvidia-smi-query-csv/l40s_two_samples.csv": "nvidia-smi",
    "dcgm-prometheus/t4_two_gpus_exposition.prom": "dcgm-exporter",
    "dcgm-prometheus/query_range_power_two_gpus_60s.json": "prometheus-query",
    "nvidia-smi-topo/a100_8gpu_nvswitch_4nic.txt": "nvidia-topology",
    "nvidia-smi-topo/l40s_one_gpu_with_ansi.txt": "nvidia-topology",
    "alibaba-pai-2020/pai_machine_spec.csv": "pai-machines",
    "gavel-trace/msr_seven_columns.trace": "gavel-trace",
    "gavel-trace/physical_ten_columns.trace": "gavel-trace",
    "aws-price-list/offer_three_gpu_instances.json": "aws-offer-json",
    "aws-price-list/offer_two_gpu_instances.csv": "aws-offer-csv",
    "aws-spot-history/p4d_one_zone_one_day.json": "aws-spot",
    "azure-retail-json/h100_and_a100_consumption.json": "azure-retail",
    "gcp-sku-json/a100_gpu_core_ram_on_demand.json": "gcp-skus",
    "focus-csv/focus_sample_six_plain_rows.csv": "focus",
    "carbon-csv/electricity_maps_layout_one_day.csv": "electricity-maps",
    "carbon-csv/cats_forecast_first_12_half_hours.csv": "grid-forecast",
    "hpo-runs/mlflow_runs.csv": "mlflow-page",
    "hpo-runs/optuna_trials_single_objective.csv": "optuna",
    "llm-bench-json/vllm_bench_serve_summary.json": "llm-bench",
    "llm-bench-json/vllm_bench_serve_detailed_six_requests.json": "llm-bench",
    "generic-csv/jobs_comma_utf8.csv": "generic-jobs",
    "generic-csv/jobs_semicolon_decimal_comma_bom.csv": "generic-jobs",
}


@pytest.mark.parametrize(("path", "slug"), SAMPLES.items())
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_each_sample_is_recognised_first(shared_dir, path, slug, pack):
    head = pack((shared_dir / "samples" / path).read_bytes())[:HEAD_BYTES]
    best = detect(head, Path(path).name)[0]
    assert best.slug == slug
    assert 0 < best.confidence <= 1
    assert best.reason


def test_the_registry_alone_loads_no_numerical_library():
    code = "import sys, simulation.formats.registry; print([m for m in ('numpy', 'openpyxl') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_slugs_titles_and_kinds():
    assert all(slug == entry.slug for slug, entry in FORMATS.items())
    assert {entry.kind for entry in FORMATS.values()} == set(COLUMNS)
    assert all(entry.title and entry.made_by for entry in FORMATS.values())


def test_a_table_refuses_columns_of_another_kind():
    with pytest.raises(KeyError, match="not a column of nodes"):
        Table.from_rows("nodes", [{"submit_s": 1.0, "line": 1}])


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@a", "\tx", "\rx", "\uff1dx", "'x"])
def test_text_that_a_spreadsheet_would_run_is_made_harmless(text):
    assert cell_text(text) == "'" + text


@pytest.mark.parametrize(
    ("value", "text"), [(-5, "-5"), (-2.5, "-2.5"), (3.0, "3"), (None, ""), (True, "true"), (("a", "b"), "a b")]
)
def test_numbers_and_unknowns_stay_as_they_are(value, text):
    assert cell_text(value) == text
