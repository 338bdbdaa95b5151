"""Files that cannot be read: one error that names file, row, column, value and what was expected; nothing else."""

from __future__ import annotations

import gzip
import io

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.limits import Limits
from simulation.formats.registry import FORMATS, detect, read
from tests.simulation.formats.conftest import read_text

PHILLY_HEADER = "timestamp,duration,num_gpus,gpu_time,cluster\n"


@pytest.mark.parametrize("slug", FORMATS)
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "the file is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "expected"),
        (b"%PDF-1.7 \n", "expected a text file"),
        (b"a,b\n1,\x002\n", "this is binary"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "save it as .xlsx"),
        (b"\x1f\x8b\x08\x00broken", "gzip file"),
        (b"PK\x03\x04" + bytes(60), "expected"),
        (b"\n\n   \n", "expected"),
    ],
)
def test_files_of_another_kind(slug, content, expected):
    with pytest.raises(FormatError) as caught:
        read_text(slug, content, filename="upload.bin")
    assert expected in str(caught.value)
    assert "upload.bin" in str(caught.value)


@pytest.mark.parametrize("slug", FORMATS)
def test_one_line_of_ten_megabytes(slug):
    with pytest.raises(FormatError, match=r"line 1.*(?:at most 1,000,000 characters|JSON)"):
        read_text(slug, b"x" * 10_000_000, filename="long.csv")


def test_ten_megabytes_in_one_cell_after_a_sound_header():
    with pytest.raises(FormatError, match=r"big\.csv, line 2.*characters"):
        read_text("philly-csv", PHILLY_HEADER + "x" * 10_000_000, filename="big.csv")


def test_a_million_columns():
    with pytest.raises(FormatError, match="columns"):
        read_text("generic-jobs", ",".join("a" * 1 for _ in range(400_000)) + "\n1,2\n")


def test_a_file_that_is_too_large_is_refused_while_it_is_read():
    with pytest.raises(FormatError, match="at most 1,000 bytes"):
        read_text("philly-csv", PHILLY_HEADER + "x,1,1,1,a\n" * 200, limits=Limits(file_bytes=1_000))


def test_too_many_lines():
    with pytest.raises(FormatError, match="at most 10 lines"):
        read_text("philly-csv", PHILLY_HEADER + "\n" * 20, limits=Limits(rows=10))


def test_a_gzip_bomb_is_refused_before_it_is_unpacked():
    bomb = gzip.compress(b"0" * 50_000_000)
    with pytest.raises(FormatError, match="100 times its size"):
        read_text("philly-csv", bomb, filename="bomb.gz")


def test_a_gzip_that_unpacks_beyond_the_limit():
    packed = gzip.compress(PHILLY_HEADER.encode() + b"a,b\n" * 3_000)
    with pytest.raises(FormatError, match="10,000 bytes when unpacked"):
        read_text("philly-csv", packed, limits=Limits(expanded_bytes=10_000))


def test_a_gzip_that_is_cut_off():
    packed = gzip.compress((PHILLY_HEADER + "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n" * 500).encode())
    with pytest.raises(FormatError, match="damaged or cut off"):
        read_text("philly-csv", packed[:-40])


def test_a_missing_column_is_named():
    with pytest.raises(FormatError) as caught:
        read_text("philly-csv", "timestamp,duration,gpus\n", filename="jobs.csv")
    error = caught.value
    assert (error.file, error.line, error.column) == ("jobs.csv", 1, "num_gpus")
    assert "expected columns timestamp, duration, num_gpus" in str(error)


def test_a_missing_file_is_told_without_its_folder(tmp_path):
    with pytest.raises(FormatError, match=r"^nothing\.csv: expected a readable file"):
        read("philly-csv", tmp_path / "nothing.csv")


@pytest.mark.parametrize(
    ("row", "column", "reason"),
    [
        ("2017-02-30 07:01:55,66.0,1,66.0,a", "timestamp", "not a time that can be"),
        ("0917-02-03 07:01:55,66.0,1,66.0,a", "timestamp", "a date that cannot be"),
        ("2999-02-03 07:01:55,66.0,1,66.0,a", "timestamp", "a date that cannot be"),
        ("2017-10-09 07:01:55,-5,1,66.0,a", "duration", "a negative duration"),
        ("2017-10-09 07:01:55,66.0,-1,66.0,a", "num_gpus", "not a count"),
        ("2017-10-09 07:01:55,66.0,1.5,66.0,a", "num_gpus", "not a count"),
        ("2017-10-09 07:01:55,1e999,1,66.0,a", "duration", "beyond all measure"),
        ("2017-10-09 07:01:55,66.0,many,66.0,a", "num_gpus", "not a number"),
    ],
)
def test_impossible_values_refuse_their_row_alone(row, column, reason):
    reading = read_text("philly-csv", PHILLY_HEADER + row + "\n2017-10-09 07:01:55,66.0,1,66.0,a\n")
    (issue,) = reading.rejected
    assert (issue.line, issue.column, issue.reason) == (2, column, reason)
    assert issue.expected
    assert issue.raw == row
    assert len(reading.table) == 1


def test_epoch_zero_is_unknown_and_told():
    reading = read_text("philly-csv", PHILLY_HEADER + "1970-01-01 00:00:00,66.0,1,66.0,a\n")
    assert reading.table["submit_s"] == [None]
    assert "1970-01-01" in reading.warned[0].reason


def test_the_raw_line_of_a_refusal_is_cut():
    reading = read_text("philly-csv", PHILLY_HEADER + "x" * 5_000 + ",1,1,1,a\n")
    assert len(reading.rejected[0].raw) == 500


def test_json_that_is_broken_names_the_line():
    with pytest.raises(FormatError, match=r"line 3.*JSON"):
        read_text("philly-json", '[\n {"jobid": "a",\n  oops}\n]')


def test_json_that_is_too_deep():
    with pytest.raises(FormatError, match="at most 50 deep"):
        read_text("philly-json", "[" * 5_000 + "]" * 5_000)


def test_no_format_fits_a_picture():
    assert detect(b"\x89PNG\r\n\x1a\n" + bytes(100), "photo.png") == []


def test_reading_leaves_the_given_stream_open():
    stream = io.BytesIO((PHILLY_HEADER + "2017-10-09 07:01:55,66.0,1,66.0,a\n").encode())
    read("philly-csv", stream, filename="a.csv")
    assert not stream.closed
