"""Gavel traces: steps stay steps until a table of throughputs is given, and then a GPU type must be chosen."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.registry import detect
from simulation.formats.workload import SPAN_UNKNOWN, choose_jobs
from tests.simulation.formats.conftest import read_text

ROW = "ResNet-18 (batch size 32)\tpython3 x\t-n\t1\t1000\t5.0\t2\n"
RATES = {
    "v100": {"('ResNet-18 (batch size 32)', 2)": {"null": 4.0}},
    "k80": {"('ResNet-18 (batch size 32)', 2)": {"null": 0.0}},
}


def packed(trace: str, rates: object, name: str = "simulation_throughputs.json") -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("msr.trace", trace)
        archive.writestr(name, rates if isinstance(rates, bytes) else json.dumps(rates))
    return stream.getvalue()


def test_five_jobs_of_seven_columns_have_no_duration(sample):
    reading = sample("gavel-trace", "gavel-trace/msr_seven_columns.trace")
    assert reading.table["gpus"] == [1, 1, 8, 8, 8]
    assert reading.table["elapsed_s"] == [None] * 5
    assert choose_jobs(reading.table).left_out == {SPAN_UNKNOWN: 5}


def test_five_jobs_of_ten_columns(sample):
    reading = sample("gavel-trace", "gavel-trace/physical_ten_columns.trace")
    assert reading.table["gpus"] == [2, 1, 1, 2, 1]
    assert reading.table["submit_s"] == [0] * 5
    assert (reading.totals["jobs_with_slo"], reading.totals["jobs_with_weight"]) == (0, 0)


def test_published_throughputs_give_run_times(shared_dir):
    trace = (shared_dir / "samples/gavel-trace/msr_seven_columns.trace").read_text()
    packed_rates = (shared_dir / "traces/gavel-throughputs/simulation_throughputs.json.gz").read_bytes()
    content = packed(trace, packed_rates, "simulation_throughputs.json.gz")
    assert detect(content, "gavel.zip")[0].slug == "gavel-trace"
    reading = read_text("gavel-trace", content, {"gpu_type": "v100"})
    rates = json.loads(gzip.decompress(packed_rates))["v100"]
    assert reading.table["elapsed_s"][0] == pytest.approx(
        14_612 / rates["('Transformer (batch size 128)', 1)"]["null"], rel=1e-12
    )
    assert choose_jobs(reading.table).left_out == {}


def test_the_gpu_type_is_asked_and_a_rate_of_0_is_no_run_time():
    asked = read_text("gavel-trace", packed(ROW, RATES))
    assert [question.key for question in asked.unanswered] == ["gpu_type"]
    row = read_text("gavel-trace", packed(ROW, RATES), {"gpu_type": "v100"}).table.row(0)
    assert (row["elapsed_s"], row["gpu_s"]) == (250, 500)
    cannot = read_text("gavel-trace", packed(ROW, RATES), {"gpu_type": "k80"})
    assert (cannot.table["elapsed_s"], cannot.counts.warned) == ([None], 1)
    other = read_text("gavel-trace", packed(ROW.replace("18", "50"), RATES), {"gpu_type": "v100"})
    assert "not known" in other.warned[0].reason


def test_arrivals_in_any_order_are_kept():
    rows = "".join(ROW.replace("5.0", at) for at in ("500", "0", "500", "86400"))
    reading = read_text("gavel-trace", rows)
    assert sorted(reading.table["submit_s"]) == [0, 500, 500, 86_400]
    assert len({*reading.table["id"]}) == 4


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [("\t2\n", "\t0\n", "scale factor"), ("\t2\n", "\t-2\n", "scale factor"), ("\t1000\t", "\tNaN\t", "total steps"),
     ("\t5.0\t", "\t-5.0\t", "arrival"), ("\t5.0\t", "\t1e99\t", "arrival"), ("\t5.0\t", "\t\t", "arrival")],
)  # fmt: skip
def test_impossible_cells_refuse_their_row(old, new, column):
    reading = read_text("gavel-trace", ROW + ROW.replace(old, new))
    assert (len(reading.table), reading.rejected[0].column) == (1, column)


def test_widths_do_not_mix():
    reading = read_text("gavel-trace", ROW + "a\tb\tc\td\t1\t10\t1\t1\t-1\t0\n")
    assert reading.rejected[0].expected == "7 cells"


@pytest.mark.parametrize("rates", [[1], {"v100": 3}, {"v100": {"x": {"null": "fast"}}}])
def test_a_table_of_another_layout_is_refused(rates):
    with pytest.raises(FormatError, match="steps a second"):
        read_text("gavel-trace", packed(ROW, rates), {"gpu_type": "v100"})


def test_slo_and_weight_are_counted_and_not_read():
    row = "a\tb\tc\td\t1\t10\t1\t2\t1.5\t0\n"
    reading = read_text("gavel-trace", row)
    assert (reading.totals["jobs_with_slo"], reading.totals["jobs_with_weight"]) == (1, 1)
    assert any("neither is read" in fact for fact in reading.facts)
