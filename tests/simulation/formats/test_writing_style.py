"""Numbers, dates and units of spreadsheets: proved, or asked; never guessed where two readings fit."""

from __future__ import annotations

import pytest

from simulation.formats.collector import CellError
from simulation.formats.errors import FormatError
from simulation.formats.quantities import clock_span, decimal, memory_bytes, number, span
from tests.simulation.formats.conftest import read_text


def jobs(*rows, header="job;gpus;submit;hours", answers=None):
    return read_text("generic-jobs", "\n".join([header, *rows]) + "\n", answers or {"time_zone": "UTC"})


def open_questions(reading):
    return [question.key for question in reading.unanswered]


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("1234.5", ".", 1234.5),
        ("1,234.5", ".", 1234.5),
        ("1.234,5", ",", 1234.5),
        ("1 234,5", ",", 1234.5),
        ("1\u00a0234,5", ",", 1234.5),
        ("1\u202f234,5", ",", 1234.5),
        ("1'234.5", ".", 1234.5),
        ("1\u2019234.5", ".", 1234.5),
        ("-2,5", ",", -2.5),
        (".5", ".", 0.5),
        ("1e3", ".", 1000.0),
    ],
)
def test_numbers(text, mark, value):
    assert number(text, "x", mark) == value


@pytest.mark.parametrize("text", ["1,23,4", "12,34.5", "1.2.3", "abc", "1e9999", "--1", "0x10", "1_000", "=1"])
def test_numbers_that_are_none(text):
    with pytest.raises(CellError):
        decimal(text, "x")


@pytest.mark.parametrize("text", ["", "n/a", "None", "-", "NaN", " "])
def test_unknown_is_not_zero(text):
    assert number(text, "x") is None
    assert span(text, "x", "hours") is None
    assert memory_bytes(text, "x") is None


@pytest.mark.parametrize(
    ("text", "unit", "seconds"),
    [
        ("1-12:00:00", None, 129_600),
        ("12:30:00", None, 45_000),
        ("90m", None, 5_400),
        ("1.5h", None, 5_400),
        ("2h 30min", None, 9_000),
        ("2 days", None, 172_800),
        ("250ms", None, 0.25),
        ("1 hr 5 mins 3 secs", None, 3_903),
        ("2.5", "hours", 9_000),
        ("90", "seconds", 90),
        ("15", "minutes", 900),
    ],
)
def test_spans(text, unit, seconds):
    assert span(text, "x", unit) == seconds


@pytest.mark.parametrize("text", ["-5", "-1:00:00", "99999999999", "1:2:3:4", "5 parsecs", "1h x", "3 months"])
def test_spans_that_cannot_be(text):
    with pytest.raises(CellError):
        span(text, "x", "hours")


def test_a_bare_span_without_a_unit_is_not_read():
    with pytest.raises(CellError, match="without a unit"):
        span("90", "x", None)


def test_slurm_minutes_with_decimals():
    assert clock_span("00:15.057", "TotalCPU") == 15.057
    assert clock_span("UNLIMITED", "Timelimit") is None


def test_a_comma_that_could_group_or_divide_is_asked():
    reading = jobs("a;2;2026-03-01T08:00:00;1,250")
    assert open_questions(reading) == ["decimal_mark"]
    assert jobs("a;2;2026-03-01T08:00:00;1,250", answers={"time_zone": "UTC", "decimal_mark": ","}).table[
        "elapsed_s"
    ] == [4_500]
    assert jobs("a;2;2026-03-01T08:00:00;1,250", answers={"time_zone": "UTC", "decimal_mark": "."}).table[
        "elapsed_s"
    ] == [4_500_000]


def test_another_cell_that_proves_the_mark_settles_it():
    reading = jobs("a;2;2026-03-01T08:00:00;1,250", "b;2;2026-03-01T08:00:00;2,5")
    assert reading.ready
    assert reading.answers["decimal_mark"] == ","


def test_numbers_of_both_kinds_are_asked():
    assert open_questions(jobs("a;2;2026-03-01T08:00:00;1.5", "b;2;2026-03-01T08:00:00;2,5")) == ["decimal_mark"]


@pytest.mark.parametrize(
    ("stamp", "order"), [("01.03.2026 08:00", "dmy"), ("13/03/2026 08:00", "dmy"), ("03/13/2026 08:00", "mdy")]
)
def test_date_orders_that_are_proved(stamp, order):
    reading = jobs(f"a;2;{stamp};1")
    assert reading.ready
    assert reading.answers["date_order"] == order


def test_a_date_that_could_be_read_both_ways_is_asked():
    assert open_questions(jobs("a;2;03/04/2026 08:00;1")) == ["date_order"]
    day = jobs("a;2;03/04/2026 08:00;1", answers={"time_zone": "UTC", "date_order": "dmy"}).table["submit_s"]
    month = jobs("a;2;03/04/2026 08:00;1", answers={"time_zone": "UTC", "date_order": "mdy"}).table["submit_s"]
    assert day[0] - month[0] == 30 * 86_400  # 3 April and 4 March


def test_afternoons():
    assert jobs("a;2;03/13/2026 1:05 PM;1").table["submit_s"] == [1_773_407_100]
    assert jobs("a;2;03/13/2026 12:05 AM;1").table["submit_s"] == [1_773_360_300]


@pytest.mark.parametrize("stamp", ["31.02.2026 08:00", "2026-13-01", "32/01/2026", "01.03.2026 25:00", "tomorrow"])
def test_dates_that_cannot_be(stamp):
    reading = jobs(f"a;2;{stamp};1", "b;2;01.03.2026 08:00;1")
    (issue,) = reading.rejected
    assert (issue.line, issue.column, issue.value) == (2, "submit", stamp)


def test_times_with_an_offset_ask_for_no_zone():
    reading = read_text("generic-jobs", "job;gpus;submit;hours\na;2;2026-03-01T08:00:00+01:00;1\n")
    assert reading.ready
    assert reading.table["submit_s"] == [1_772_348_400]


@pytest.mark.parametrize(("value", "form"), [("1772352000", "epoch-s"), ("1772352000000", "epoch-ms")])
def test_epochs_are_told_by_their_size(value, form):
    reading = jobs(f"a;2;{value};1")
    assert reading.answers["time_form"] == form
    assert reading.table["submit_s"] == [1_772_352_000]


def test_small_numbers_as_times_are_asked():
    assert open_questions(jobs("a;2;0;1", "b;2;500;1")) == ["time_form"]
    reading = jobs("a;2;0;1", "b;2;500;1", answers={"time_form": "relative-s"})
    assert reading.table["submit_s"] == [0, 500]


def test_the_unit_of_a_run_time_is_asked_unless_its_header_names_it():
    assert open_questions(jobs("a;2;2026-03-01T08:00:00;90", header="job;gpus;submit;duration")) == ["unit.elapsed_s"]
    assert jobs("a;2;2026-03-01T08:00:00;90", header="job;gpus;submit;duration (min)").table["elapsed_s"] == [5_400]
    assert jobs("a;2;2026-03-01T08:00:00;1:30:00", header="job;gpus;submit;duration").table["elapsed_s"] == [5_400]


def test_gpu_hours_are_no_run_time():
    reading = jobs("a;2;2026-03-01T08:00:00;90", header="job;gpus;submit;gpu hours")
    assert reading.answers["column.elapsed_s"] == ""


def test_sep_line_names_the_separator():
    text = "sep=;\njob;gpus;submit;hours\na;2;2026-03-01T08:00:00Z;2\n"
    reading = read_text("generic-jobs", text)
    assert (reading.table["gpus"], reading.counts.in_file, reading.counts.skipped) == ([2], 3, 2)


def test_tabs_and_quotes_with_line_breaks():
    text = 'job\tgpus\tsubmit\thours\n"a\nb"\t2\t2026-03-01T08:00:00Z\t2\n'
    reading = read_text("generic-jobs", text)
    assert reading.table["id"] == ["a\nb"]
    assert reading.counts.in_file == 2


def test_header_names_twice_or_empty():
    text = "job,hours,hours,,gpus,submit\na,1,2,x,2,2026-03-01T08:00:00Z\n"
    reading = read_text("generic-jobs", text)
    assert [column.label for column in reading.columns] == ["job", "hours", "hours (2)", "column 4", "gpus", "submit"]


def test_ragged_rows_are_refused():
    reading = jobs("a;2;2026-03-01T08:00:00;1", "b;2;2026-03-01T08:00:00", "c;2;2026-03-01T08:00:00;1;extra")
    assert [(issue.line, issue.reason) for issue in reading.rejected] == [(3, "a ragged row"), (4, "a ragged row")]


def test_windows_text_is_asked_about_and_shown_in_each_encoding():
    text = "job;gpus;submit;hours\nMüller;2;2026-03-01T08:00:00Z;1\n".encode("windows-1252")
    reading = read_text("generic-jobs", text)
    (question,) = reading.unanswered
    assert question.key == "encoding"
    assert "line 2" in question.why
    assert any("Müller" in label for _, label in question.options)
    assert read_text("generic-jobs", text, {"encoding": "windows-1252"}).table["id"] == ["Müller"]


def test_french_and_german_headers():
    french = "Tâche;GPU;Soumission;Durée (heures);Équipe\na;2;2026-03-01T08:00:00Z;1,5;x\n"
    german = "Auftrag;Anzahl GPUs;Eingereicht;Laufzeit (Stunden);Abteilung\na;2;2026-03-01T08:00:00Z;1,5;x\n"
    for text in (french, german):
        row = read_text("generic-jobs", text).table.row(0)
        assert (row["id"], row["gpus"], row["elapsed_s"], row["tenant"]) == ("a", 2, 5_400, "x")


def test_a_mapping_can_be_changed_and_a_column_that_is_not_there_is_refused():
    text = "who,n,when,hours\nx,2,2026-03-01T08:00:00Z,1\n"
    reading = read_text("generic-jobs", text, {"column.gpus": "n", "column.submit_s": "when", "column.user": "who"})
    assert (reading.table["gpus"], reading.table["user"]) == ([2], ["x"])
    with pytest.raises(FormatError, match=r"answer column\.gpus.*expected one of"):
        read_text("generic-jobs", text, {"column.gpus": "nonsense"})


def test_rows_for_several_nodes():
    text = "name,count,gpus per node,gpu model,ram (GiB)\nbig,3,8,H100,2048\nsmall,1,4,L40S,512\n"
    reading = read_text("generic-nodes", text)
    assert (reading.totals["gpus"], reading.totals["nodes"]) == (28, 4)
    assert reading.table["name"] == ["big-1", "big-2", "big-3", "small"]
    assert reading.table["memory_bytes"][3] == 512 * 1024**3
