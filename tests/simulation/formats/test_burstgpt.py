"""BurstGPT: arrivals and token counts in both layouts; failed requests are counted and not simulated."""

from __future__ import annotations

import pytest

from simulation.formats.interview import Interview
from simulation.formats.parts import requests
from simulation.formats.workload import OTHER_MODEL, REQUEST_FAILED, request_stream
from tests.simulation.formats.conftest import read_text

V1 = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"


def test_first_three_requests_of_version_1(sample):
    reading = sample("burstgpt", "burstgpt-csv/v1_first_three.csv")
    totals = reading.totals
    assert (totals["requests"], totals["failures"]) == (3, 0)
    assert (totals["prompt_tokens"], totals["output_tokens"]) == (472 + 1087 + 417, 18 + 230 + 276)
    assert reading.counts.warned == 0  # every total is the sum of its row
    assert reading.table["arrival_s"] == [0, 40, 113]
    assert totals["by_model"] == {"ChatGPT": 2, "GPT-4": 1}


def test_four_requests_of_version_2_with_the_time_of_the_whole_answer(sample):
    reading = sample("burstgpt", "burstgpt-csv/v2_session_and_elapsed.csv")
    assert reading.totals["requests"] == 4
    assert reading.table["response_s"] == [43, 2, 8, 3]
    assert len({*reading.table["session"]}) == 4
    assert any("not the time to its first token" in fact for fact in reading.facts)


def test_a_failed_request_is_counted_and_left_out():
    reading = read_text("burstgpt", V1 + "5,GPT-4,100,0,100,API log\n9,GPT-4,100,7,107,API log\n")
    assert (reading.totals["failures"], reading.counts.warned) == (1, 1)
    stream = request_stream(reading.table)
    assert stream.left_out == {REQUEST_FAILED: 1}
    assert (stream.requests.times_s, stream.requests.output_tokens) == ([4.0], [7])


def test_requests_to_several_models_are_asked_about():
    reading = read_text("burstgpt", V1 + "5,GPT-4,1,7,8,a\n9,ChatGPT,1,7,8,a\n12,GPT-4,1,0,1,a\n")
    given = {"service.alpha_s": "0.1", "service.beta_s": "0.01"}
    asked = Interview(given)
    assert requests.part(reading, asked).workload is None
    assert "model" not in asked.answers
    made = requests.part(reading, Interview(given | {"model": "GPT-4"}))
    assert made.left_out == {OTHER_MODEL: 1, REQUEST_FAILED: 1}
    assert requests.part(reading, Interview(given | {"model": requests.EVERY})).left_out == {REQUEST_FAILED: 1}


def test_arrivals_may_stand_in_any_order_and_repeat():
    reading = read_text("burstgpt", V1 + "500,m,1,1,2,a\n0,m,1,1,2,a\n500,m,1,1,2,a\n86400,m,1,1,2,a\n")
    assert request_stream(reading.table).requests.times_s == [0.0, 500.0, 500.0, 86_400.0]
    assert reading.totals["equal_rows_kept"] == 1


@pytest.mark.parametrize(
    ("row", "column"),
    [(",m,1,1,2,a", "Timestamp"), ("NaN,m,1,1,2,a", "Timestamp"), ("-1,m,1,1,2,a", "Timestamp"),
     ("1e300,m,1,1,2,a", "Timestamp"), ("1,m,-1,1,0,a", "Request tokens"), ("1,m,1,1.5,2,a", "Response tokens")],
)  # fmt: skip
def test_impossible_cells_refuse_their_row(row, column):
    reading = read_text("burstgpt", V1 + row + "\n7,m,1,1,2,a\n")
    assert (len(reading.table), reading.rejected[0].column) == (1, column)


def test_a_total_that_is_not_the_sum_is_told():
    reading = read_text("burstgpt", V1 + "1,m,10,5,16,a\n2,m,,5,5,a\n")
    assert [issue.column for issue in reading.warned] == ["Total tokens", "Request tokens"]
    assert reading.table["prompt_tokens"] == [10, None]
