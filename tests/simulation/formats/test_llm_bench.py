"""Serving benchmarks: the file's own figures, what its lists give, and what must not be kept."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.llm_bench import without_texts
from tests.simulation.formats.conftest import read_text

ASKED = {"gpus": "8", "gpu_model": "H100-SXM5-80GB"}
RUN: dict[str, Any] = {
    "model_id": "m", "backend": "vllm", "num_prompts": 2, "request_rate": 2.0, "completed": 2, "duration": 4.0,
    "request_throughput": 0.5, "total_output_tokens": 8, "output_throughput": 2.0, "output_lens": [4, 4],
    "ttfts": [0.1, 0.3], "itls": [[0.02, 0.02, 0.02], [0.05, 0.05, 0.05]], "errors": ["", ""],
    "generated_texts": ["my secret", "yours"],
}  # fmt: skip


def bench(**changes: Any):
    return read_text("llm-bench", json.dumps(RUN | changes), ASKED)


def test_a_saturating_run_is_no_latency_under_a_load(sample):
    reading = sample("llm-bench", "llm-bench-json/vllm_bench_serve_summary.json", ASKED)
    row = reading.table.row(0)
    assert (row["requests_per_s"], row["ttft_p99_ms"]) == (43.025, 1353.17)
    assert (row["saturating"], row["rate_per_s"]) == (True, None)
    assert any("no latency under a load" in fact for fact in reading.facts)
    assert reading.counts.warned == 0  # 900 / 20.918 s and 115,200 / 20.918 s agree with what it states


def test_six_requests_in_detail(sample):
    path = "llm-bench-json/vllm_bench_serve_detailed_six_requests.json"
    reading = sample("llm-bench", path, ASKED)
    row = reading.table.row(0)
    assert (row["ttft_mean_ms"], row["ttft_p50_ms"], row["ttft_p99_ms"]) == (143.333, 115.0, 291.5)
    assert row["tpot_mean_ms"] == pytest.approx(26.111)
    assert [issue.reason for issue in reading.warned] == ["n = 6: read a P99 with care"]


def test_lists_alone_give_the_same_figures(shared_dir):
    path = shared_dir / "samples/llm-bench-json/vllm_bench_serve_detailed_six_requests.json"
    bare = {key: value for key, value in json.loads(path.read_text()).items() if not key.endswith("_ms")}
    row = read_text("llm-bench", json.dumps(bare), ASKED).table.row(0)
    assert row["ttft_mean_ms"] == pytest.approx(143.333, abs=5e-4)
    assert (row["ttft_p50_ms"], row["ttft_p99_ms"]) == (pytest.approx(115), pytest.approx(291.5))
    assert (row["tpot_mean_ms"], row["tpot_p99_ms"]) == (
        pytest.approx(26.111, abs=5e-4),
        pytest.approx(48.667, abs=5e-4),
    )


def test_gpus_and_their_model_are_asked():
    reading = read_text("llm-bench", json.dumps(RUN))
    assert [question.key for question in reading.unanswered] == ["gpus", "gpu_model"]


def test_texts_are_neither_shown_nor_kept():
    reading = bench(itls=[[0.02], [0.02]])
    shown = json.dumps([*reading.head, *(issue.raw for issue in reading.warned)])
    assert "secret" not in shown
    for content in (json.dumps(RUN, indent=1).encode(), gzip.compress(json.dumps(RUN).encode())):
        kept = without_texts(content)
        assert b"secret" not in kept
        assert read_text("llm-bench", kept, ASKED).table.row(0) == bench().table.row(0)


def test_a_token_alone_has_no_time_per_token():
    row = bench(
        output_lens=[1, 4], itls=[[], [0.05, 0.05, 0.05]], total_output_tokens=5, output_throughput=1.25
    ).table.row(0)
    assert row["tpot_mean_ms"] == pytest.approx(50)
    assert row["ttft_mean_ms"] == pytest.approx(200)


def test_failed_requests_leave_their_zeros_out():
    row = bench(
        completed=1, request_throughput=0.25, ttfts=[0.1, 0.0], output_lens=[4, 0], errors=["", "timeout"]
    ).table.row(0)
    assert row["ttft_mean_ms"] == pytest.approx(100)


@pytest.mark.parametrize(
    "changes",
    [
        {"request_throughput": 30.0},
        {"output_throughput": 120.0},
        {"mean_ttft_ms": 0.2},
        {"completed": 2, "num_prompts": 9},
    ],
)
def test_figures_that_do_not_agree_are_told(changes):
    assert len(bench(**changes).warned) == 2  # beside the small sample


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({"duration": 0}, "duration"),
        ({"duration": -4.0}, "duration"),
        ({"completed": 1.5}, "completed"),
        ({"completed": None}, "completed"),
        ({"ttfts": [0.1]}, "ttfts"),
        ({"ttfts": [-0.1, 0.3]}, "ttfts"),
        ({"itls": [["x"], []]}, "itls"),
        ({"mean_ttft_ms": -1}, "mean_ttft_ms"),
        ({"request_rate": "fast"}, "request_rate"),
        ({"ttfts": [143.0, 1e9]}, "ttfts"),
    ],
)
def test_runs_that_cannot_be_are_refused(changes, column):
    reading = bench(**changes)
    assert (len(reading.table), [issue.column for issue in reading.rejected]) == (0, [column])
    assert "secret" not in reading.rejected[0].raw


def test_json_lines_hold_a_run_each():
    reading = read_text(
        "llm-bench", "\n".join(json.dumps(RUN | {"backend": name}) for name in ("a", "b")) + "\n", ASKED
    )
    assert (reading.table["backend"], reading.counts.in_file) == (["a", "b"], 2)


def test_words_that_are_no_json_are_read_as_what_they_mean():
    text = json.dumps(RUN | {"request_rate": float("inf"), "mean_itl_ms": float("nan")})
    row = read_text("llm-bench", text, ASKED).table.row(0)
    assert (row["saturating"], row["rate_per_s"]) == (True, None)
    assert row["itl_mean_ms"] == pytest.approx(35)  # by the lists, as the file does not know


def test_the_other_name_of_the_whole_latency_is_known():
    assert bench(mean_e2e_latency_ms=280.0).table["e2el_mean_ms"] == [280.0]


@pytest.mark.parametrize("content", ["[]", '{"completed": 1', '{"a": 1}\n{"a":'])
def test_a_file_of_another_layout_or_cut_off_is_refused(content):
    with pytest.raises(FormatError):
        read_text("llm-bench", content, ASKED)
