"""Samples of nvidia-smi: power once for each card and moment, what was not measured is unknown, energy says which."""

from __future__ import annotations

import pytest

from simulation.formats.errors import FormatError
from tests.simulation.formats.conftest import read_text

UTC = {"time_zone": "UTC"}
HEADER = "timestamp, index, name, uuid, utilization.gpu [%], memory.used [MiB], power.draw [W]\n"
ROW = "2026/03/02 10:00:{s:02}.000, 0, NVIDIA H100 80GB HBM3, GPU-a, {u}, {m}, {w}\n"


def row(s=0, u="98 %", m="70112 MiB", w="391.50 W"):
    return ROW.format(s=s, u=u, m=m, w=w)


def read_rows(*rows, header=HEADER, answers=UTC):
    return read_text("nvidia-smi", header + "".join(rows), answers)


def test_h100_idle_then_load(sample):
    reading = sample("nvidia-smi", "nvidia-smi-query-csv/h100_idle_then_load.csv", UTC)
    (energy,) = reading.totals["by_gpu"]
    assert reading.totals["samples"] == 2
    assert energy["span_s"] == pytest.approx(14.657, abs=1e-6)
    assert energy["between_j"] / energy["span_s"] == pytest.approx(350.9, abs=1e-6)
    (power,) = reading.totals["by_model"]
    assert (power["idle_w"], power["n_idle"], power["peak_w"], power["n_active"]) == (69.85, 1, 631.95, 1)


def test_utilisation_and_memory_of_the_l40s_need_not_agree(sample):
    table = sample("nvidia-smi", "nvidia-smi-query-csv/l40s_two_samples.csv", UTC).table
    assert table["utilisation"] == [1.0, pytest.approx(0.09)]
    assert table["memory_used_bytes"] == [0, 1235 * 1024**2]
    assert table["watts"] == [144.97, 110.23]


def test_four_a100_in_one_minute(sample):
    reading = sample("nvidia-smi", "nvidia-smi-query-csv/a100_four_gpus_one_minute.csv", UTC)
    moments = {}
    for at, watts in zip(reading.table["at_s"], reading.table["watts"], strict=True):
        moments[at] = moments.get(at, 0.0) + watts
    assert list(moments.values()) == [1081.50, 1081.50, 1081.50]
    by_gpu = reading.totals["by_gpu"]
    assert sum(one["between_j"] for one in by_gpu) == pytest.approx(43_260)
    assert sum(one["held_j"] for one in by_gpu) == pytest.approx(64_890)
    assert reading.totals["energy_between_wh"] == pytest.approx(12.0167, abs=5e-5)
    assert reading.totals["energy_held_wh"] == pytest.approx(18.025)
    said = " ".join(reading.facts)
    assert "12.0167 Wh (straight lines" in said
    assert "18.0250 Wh" in said


def test_the_zone_is_asked_for_there_is_no_offset():
    assert [question.key for question in read_rows(row(), answers={}).unanswered] == ["time_zone"]


@pytest.mark.parametrize("cell", ["[N/A]", "[Not Supported]", "[Unknown Error]", "[GPU requires reset]", "N/A"])
def test_power_in_words_is_not_measured_and_never_zero(cell):
    reading = read_rows(row(w=cell))
    assert reading.table["watts"] == [None]
    assert "not 0 W" in reading.warned[0].reason
    assert reading.totals["without_power"] == 1


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"w": "-5.00 W"}, "power.draw"),
        ({"w": "0.39 kW"}, "power.draw"),
        ({"w": "391500.00 W"}, "power.draw"),
        ({"w": "1e999 W"}, "power.draw"),
        ({"w": "=1+1"}, "power.draw"),
        ({"u": "150 %"}, "utilization.gpu"),
        ({"u": "0.98 x"}, "utilization.gpu"),
        ({"m": "70112 GiB"}, "memory.used"),
    ],
)
def test_impossible_values_and_wrong_units_refuse_their_row_alone(cells, column):
    reading = read_rows(row(**cells), row(s=20))
    assert [(issue.line, issue.column) for issue in reading.rejected] == [(2, column)]
    assert len(reading.table) == 1


def test_a_line_that_is_cut_off_is_refused():
    reading = read_rows(row(), "2026/03/02 10:00:20.000, 0, NVID")
    assert "a line is broken" in reading.rejected[0].reason


def test_without_header_the_fields_are_asked():
    text = row(u="98", m="70112", w="391.50")
    assert [question.key for question in read_rows(text, header="", answers={}).questions] == ["fields", "time_zone"]
    fields = "timestamp,index,name,uuid,utilization.gpu,memory.used,power.draw"
    reading = read_rows(text, header="", answers={**UTC, "fields": fields})
    assert (reading.table["watts"], reading.table["utilisation"]) == ([391.5], [0.98])


def test_fields_that_do_not_fit_the_cells_are_refused():
    with pytest.raises(FormatError, match="as many as cells"):
        read_rows(row(), header="", answers={**UTC, "fields": "timestamp,power.draw"})


def test_a_header_that_comes_again_may_name_other_fields():
    again = "timestamp, uuid, power.draw [W]\n2026/03/02 11:00:00.000, GPU-a, 80.00 W\n"
    reading = read_rows(row(), again)
    assert reading.table["watts"] == [391.5, 80.0]
    assert (reading.counts.in_file, reading.counts.skipped) == (4, 2)


def test_a_sample_twice_counts_once_and_never_in_two_ways():
    same = read_rows(row(), row())
    assert (len(same.table), same.counts.folded) == (1, 1)
    other = read_rows(row(), row(w="12.00 W"))
    assert (len(other.table), other.counts.rejected) == (1, 1)


def test_a_gap_in_the_samples_is_in_no_energy():
    reading = read_rows(row(s=0, w="100 W"), row(s=1, w="100 W"), row(s=2, w="100 W"), row(s=32, w="100 W"))
    (energy,) = reading.totals["by_gpu"]
    assert (energy["between_j"], energy["held_j"], energy["unknown_s"]) == (200.0, 400.0, 30.0)
    assert any("nothing was measured" in fact for fact in reading.facts)


def test_samples_in_any_order_give_the_same():
    rows = [row(s=0, w="100 W"), row(s=20, w="200 W"), row(s=40, w="100 W")]
    assert read_rows(*rows).totals == read_rows(*reversed(rows)).totals


def test_peak_is_the_99th_percentile_by_linear_interpolation():
    reading = read_rows(*(row(s=s, w=f"{100 + s} W") for s in range(11)))
    (power,) = reading.totals["by_model"]
    assert power["peak_w"] == pytest.approx(109.9)
    assert (power["active_w"], power["max_w"], power["idle_w"]) == (105.0, 110.0, None)
