"""DCGM metrics, as served and as Prometheus answers: one card is one meter, however many series repeat it."""

from __future__ import annotations

import json

import pytest

from simulation.formats.errors import FormatError
from tests.simulation.formats.conftest import read_text

READ_AT = {"read_at": "2026-03-02T10:00:00Z"}
POWER = "DCGM_FI_DEV_POWER_USAGE"


def series(values, metric=POWER, uuid="GPU-a", **labels):
    told = {"__name__": metric, "UUID": uuid, "modelName": "NVIDIA H100 80GB HBM3", **labels}
    return {"metric": {key: value for key, value in told.items() if value is not None}, "values": values}


def answer(*found, **more):
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": list(found)}, **more})


def read_answer(*found, answers=None, **more):
    return read_text("prometheus-query", answer(*found, **more), answers)


def at(seconds):
    return 1_780_272_000 + seconds


def test_two_t4_as_the_exporter_serves_them(sample):
    path = "dcgm-prometheus/t4_two_gpus_exposition.prom"
    reading = sample("dcgm-exporter", path)
    assert [question.key for question in reading.unanswered] == ["read_at"]
    reading = sample("dcgm-exporter", path, READ_AT)
    assert reading.ready
    assert (reading.totals["gpus"], reading.totals["idle_gpus"]) == (2, 1)
    assert reading.table["held_by"] == ["pod-a", None]
    assert reading.table["watts"] == [28.722, 17.035]
    assert reading.table["energy_j"] == [9022.652, 8855.497]
    (power,) = reading.totals["by_model"]
    assert (power["idle_w"], power["n_idle"]) == (17.035, 1)


def test_power_of_two_a100_over_four_minutes(sample):
    reading = sample("prometheus-query", "dcgm-prometheus/query_range_power_two_gpus_60s.json")
    first, second = reading.totals["by_gpu"]
    assert (first["between_j"], second["between_j"], first["span_s"]) == (72_750, 14_460, 240)
    assert reading.totals["energy_between_wh"] == pytest.approx(24.225)
    (power,) = reading.totals["by_model"]
    assert power["idle_w"] is None


def test_slices_that_repeat_the_power_of_their_card_count_once():
    line = POWER + '{{gpu="0",UUID="GPU-a",GPU_I_ID="{0}",GPU_I_PROFILE="1g.10gb",pod="p{0}"}} 400\n'
    reading = read_text("dcgm-exporter", "".join(line.format(n) for n in (1, 2, 3)), READ_AT)
    assert (reading.table["watts"], reading.table["held_by"]) == ([400.0], ["p1|p2|p3"])
    assert reading.counts.folded == 2


def test_a_pod_that_starts_anew_is_no_second_card():
    before, after = series([[at(0), "300"], [at(60), "310"]], pod="a"), series([[at(60), "310"]], pod="b")
    reading = read_answer(before, after)
    assert (len(reading.table), reading.totals["gpus"], reading.counts.folded) == (2, 1, 1)


def test_two_powers_of_one_card_at_one_moment_are_refused_not_added():
    reading = read_answer(series([[at(0), "300"]]), series([[at(0), "100"]], pod="b"))
    assert (reading.table["watts"], reading.counts.rejected) == ([300.0], 1)


@pytest.mark.parametrize("value", ["NaN", "+Inf", "-Inf", "-5", "1e9", "many", ""])
def test_values_that_are_no_power_refuse_themselves_alone(value):
    reading = read_answer(series([[at(0), value], [at(60), "300"]]))
    assert (reading.counts.rejected, reading.table["watts"]) == (1, [300.0])


def test_an_energy_counter_that_falls_began_again():
    values = [[at(0), "1000000"], [at(60), "19000000"], [at(120), "2000000"]]
    reading = read_answer(series(values, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION"))
    assert reading.totals["by_gpu"][0]["counted_j"] == pytest.approx(18_000 + 2_000)


def test_idle_is_known_where_utilisation_stands_beside_power():
    util = series([[at(0), "0"], [at(60), "95"]], "DCGM_FI_DEV_GPU_UTIL")
    reading = read_answer(series([[at(0), "70"], [at(60), "650"]]), util)
    (power,) = reading.totals["by_model"]
    assert (power["idle_w"], power["peak_w"]) == (70.0, 650.0)


def test_a_series_without_its_name_is_asked_about():
    bare = series([[at(0), "300"]])
    del bare["metric"]["__name__"]
    assert [question.key for question in read_answer(bare).unanswered] == ["metric"]
    assert read_answer(bare, answers={"metric": POWER}).table["watts"] == [300.0]


def test_the_error_of_prometheus_is_shown():
    body = {"status": "error", "errorType": "bad_data", "error": "invalid parameter: parse error"}
    with pytest.raises(FormatError, match="bad_data: invalid parameter: parse error"):
        read_text("prometheus-query", json.dumps(body))


def test_warnings_beside_a_success_are_told():
    assert any("partial" in fact for fact in read_answer(series([[at(0), "1"]]), warnings=["partial data"]).facts)


@pytest.mark.parametrize("kind", ["scalar", "string", None])
def test_results_without_cards_are_refused(kind):
    body = {"status": "success", "data": {"resultType": kind, "result": [at(0), "1"]}}
    with pytest.raises(FormatError, match="matrix or vector"):
        read_text("prometheus-query", json.dumps(body))


@pytest.mark.parametrize("pair", [[at(0)], ["soon", "1"], {"a": 1}, [5, "1"], [True, "1"]])
def test_values_without_a_time_are_refused(pair):
    assert read_answer(series([pair])).counts.rejected == 1


def test_broken_lines_of_the_exporter_are_refused_with_their_place():
    text = f'# HELP x\n{POWER}{{UUID="GPU-a"}} 300\n{POWER}{{UUID=GPU-b}} 300\n{POWER}{{gpu="0"\n{POWER}{{}} 1\n'
    reading = read_text("dcgm-exporter", text, READ_AT)
    assert [issue.line for issue in reading.rejected] == [3, 4, 5]
    assert (reading.counts.in_file, len(reading.table)) == (5, 1)


@pytest.mark.parametrize("told", ["yesterday", "2026-03-02T10:00:00", "1970-01-01T00:00:00Z"])
def test_the_moment_of_reading_needs_an_offset(told):
    with pytest.raises(FormatError, match="read_at"):
        read_text("dcgm-exporter", POWER + '{UUID="GPU-a"} 300\n', {"read_at": told})


def test_lines_with_their_own_time_need_no_answer():
    reading = read_text("dcgm-exporter", f'{POWER}{{UUID="GPU-a"}} 300 {at(0)}000\n')
    assert (reading.ready, reading.table["at_s"]) == (True, [at(0)])


def test_an_answer_in_one_long_line_is_read_as_prometheus_sends_it():
    body = answer(series([[at(0), "300"]]), warnings=["x" * 1_000_000])
    assert "\n" not in body
    reading = read_text("prometheus-query", body)
    assert len(reading.table) == 1
    assert [len(line) for line in reading.head] == [500]
