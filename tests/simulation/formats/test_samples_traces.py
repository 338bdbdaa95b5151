"""The stated outcomes of the sample files and of the whole public traces."""

from __future__ import annotations

import pytest

from simulation.formats.measured import measured_waits
from simulation.formats.workload import RUNNING, SHARES, JobRules, job_table, request_stream
from tests.simulation.formats.conftest import read_text
from tests.simulation.formats.test_every_row_is_accounted_for import LINE_FILES

AZURE, OPENB = "azure-llm-2023/AzureLLMInferenceTrace_", "alibaba-openb-2023/openb_"


def test_philly_job_with_two_attempts(sample):
    reading = sample("philly-json", "philly-json/one_job_two_attempts.json")
    job = reading.table.row(0)
    assert (job["gpus"], job["attempts_s"]) == (8, (74, 193_182))
    assert job["start_s"] - job["submit_s"] == 30
    assert job["end_s"] - job["submit_s"] == 193_293
    assert job["gpu_s"] / 3600 == pytest.approx(429.458, abs=5e-4)
    assert measured_waits(reading.table).jct.mean == 193_293


def test_azure_first_twelve_requests(sample):
    reading = sample("azure-llm", "azure-llm-csv/AzureLLMInferenceTrace_code_first_12.csv")
    assert reading.totals["requests"] == 12
    assert reading.totals["span_s"] == pytest.approx(1.399, abs=5e-4)


def test_azure_constant_rate(sample):
    totals = sample("azure-llm", "azure-llm-csv/two_minutes_constant_rate.csv").totals
    assert totals["mean_rate_per_s"] == pytest.approx(0.1, rel=1e-12)
    assert (totals["prompt_tokens"], totals["output_tokens"]) == (7_200, 800)


def test_openb_one_node_of_each_model(sample):
    totals = sample("openb-nodes", "alibaba-openb-2023/openb_node_list_one_of_each_model.csv").totals
    assert (totals["gpus"], totals["gpu_nodes"], totals["nodes"]) == (35, 7, 8)
    assert {"G2", "G3"} <= totals["by_model"].keys()


def test_openb_first_pods(sample):
    reading = sample("openb-pods", "alibaba-openb-2023/openb_pod_list_first_rows.csv")
    assert reading.totals["never_scheduled"] == 2
    assert [share for share in reading.table["gpu_share"] if share] == [0.46, 0.46, 0.44]
    assert reading.totals["cpu_only_jobs"] == 1
    measured = measured_waits(reading.table)
    assert (measured.wait.n, measured.not_started) == (10, 2)
    assert measured.not_ended == 9


def test_names_that_repeat_count_once_and_never_in_two_ways():
    header, pod, other = LINE_FILES["openb-pods"].splitlines()
    changed = pod.replace("460", "470")
    reading = read_text("openb-pods", "\n".join([header, pod, other, pod, changed]) + "\n")
    assert (len(reading.table), reading.counts.folded, reading.counts.rejected) == (2, 1, 1)
    assert "other values" in reading.rejected[0].reason


def test_whole_philly_trace(trace):
    reading = trace("philly-csv", "philly-jobs/philly_jobs.csv.gz")
    assert reading.ready
    assert reading.answers["time_zone"] == "America/Los_Angeles"
    assert reading.totals["jobs"] == 82_247
    assert reading.totals["equal_rows_kept"] == 65
    assert reading.counts.rejected == 0
    assert max(reading.table["elapsed_s"]) == 4_628_226
    assert len({*reading.table["tenant"]}) == 15
    assert [reading.table["gpus"].count(n) for n in (1, 2, 4, 8, 16)] == [76_627, 1_818, 1_870, 1_643, 199]
    selection = job_table(reading.table)
    assert (len(selection.jobs), selection.left_out) == (82_247, {})
    assert selection.jobs.submit_s[0] == 0
    assert selection.jobs.submit_s == sorted(selection.jobs.submit_s)


def test_clock_change_of_the_philly_trace_is_seen(trace):
    reading = trace("philly-csv", "philly-jobs/philly_jobs.csv.gz")
    assert {issue.value[:13] for issue in reading.warned} == {"2017-11-05 01"}


@pytest.mark.parametrize(
    ("part", "requests", "span", "rate", "prompt_mean", "output_mean"),
    [("conv", 19_366, 3_501.7, 5.53, 1_154.7, 211.1), ("code", 8_819, 3_435.9, 2.57, 2_047.8, 27.9)],
)
def test_whole_azure_traces(trace, part, requests, span, rate, prompt_mean, output_mean):
    reading = trace("azure-llm", f"{AZURE}{part}.csv.gz")
    totals = reading.totals
    assert totals["requests"] == requests
    assert totals["span_s"] == pytest.approx(span, abs=0.05)
    assert totals["mean_rate_per_s"] == pytest.approx(rate, abs=0.005)
    assert totals["prompt_tokens"] / requests == pytest.approx(prompt_mean, abs=0.05)
    assert totals["output_tokens"] / requests == pytest.approx(output_mean, abs=0.05)
    stream = request_stream(reading.table)
    assert stream.left_out == {}
    assert len(stream.requests.times_s or ()) == requests


def test_whole_openb_node_lists(trace):
    gpu_nodes = trace("openb-nodes", OPENB + "node_list_gpu_node.csv").totals
    assert (gpu_nodes["nodes"], gpu_nodes["gpus"]) == (1_213, 6_212)
    assert gpu_nodes["by_model"] == {
        "A10": 2, "G2": 4_392, "G3": 312, "P100": 265, "T4": 842, "V100M16": 195, "V100M32": 204,
    }  # fmt: skip
    every = trace("openb-nodes", OPENB + "node_list_all_node.csv").totals
    assert (every["nodes"], every["cpu_nodes"], every["gpus_in_use"]) == (1_523, 310, None)


def test_whole_openb_pod_list(trace):
    reading = trace("openb-pods", OPENB + "pod_list_default.csv.gz")
    table = reading.table
    assert [table["gpus"].count(n) for n in (0, 1, 2, 4, 8)] == [1_088, 6_989, 16, 15, 44]
    assert reading.totals["outcomes"] == {"failed": 1_870, "finished": 192, "running": 5_193, "waiting": 897}
    assert reading.totals["never_scheduled"] == 897
    selection = job_table(table)
    assert len(selection.jobs) + sum(selection.left_out.values()) == 8_152
    assert selection.censored > 0
    assert SHARES in selection.left_out
    wide = job_table(table, JobRules(sharing="whole-gpu"))
    assert wide.widened == selection.left_out[SHARES]
    assert wide.left_out.keys() & {RUNNING, SHARES} == set()
