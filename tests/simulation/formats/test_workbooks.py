"""Excel workbooks: typed cells, several sheets, and archives that are not what they seem."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime, timedelta

import openpyxl
import pytest

from simulation.formats.errors import FormatError
from simulation.formats.limits import Limits
from simulation.formats.registry import detect
from tests.simulation.formats.conftest import read_text

ANSWERS = {"time_zone": "UTC", "submission": "start"}
JOBS = [
    ["Job", "GPU-Modell", "GPUs", "Beginn", "Laufzeit", "Preis je GPU-Stunde (EUR)"],
    ["train-a", "A100", 8, datetime(2026, 3, 1, 8, 0), timedelta(hours=12, minutes=30), 2.10],  # noqa: DTZ001
    ["train-b", "H100", 4, datetime(2026, 3, 1, 9, 30), timedelta(hours=3, minutes=15), 3.90],  # noqa: DTZ001
    ["serve-c", "L4", 1, datetime(2026, 3, 2), timedelta(days=1), 0.71],  # noqa: DTZ001
]


def workbook(*sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
        for cell in sheet["E"] if rows and len(rows[0]) > 4 else ():
            cell.number_format = "[h]:mm:ss"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_typed_cells_are_read_without_questions_about_their_form():
    reading = read_text("generic-jobs", workbook(JOBS), ANSWERS, filename="jobs.xlsx")
    assert reading.ready
    assert reading.totals["cost"] == {"EUR": "277.74"}
    assert reading.table["elapsed_s"] == [45_000, 11_700, 86_400]
    assert reading.table["start_s"][0] == 1_772_352_000
    assert "decimal_mark" not in reading.answers
    assert "date_order" not in reading.answers


def test_header_of_a_small_workbook_ranks_the_kinds():
    assert detect(workbook(JOBS), "jobs.xlsx")[0].slug == "generic-jobs"


def test_several_sheets_are_asked_about():
    content = workbook(JOBS, [["other"], ["thing"]], [])
    reading = read_text("generic-jobs", content, ANSWERS)
    (question,) = reading.unanswered
    assert (question.key, [value for value, _ in question.options]) == ("sheet", ["Sheet 1", "Sheet 2"])
    assert read_text("generic-jobs", content, {**ANSWERS, "sheet": "Sheet 1"}).totals["jobs"] == 3


def test_excel_day_numbers():
    rows = [["job", "gpus", "start", "hours"], ["a", 2, 46082.333333333336, 1]]
    open_ = read_text("generic-jobs", workbook(rows), ANSWERS)
    assert [question.key for question in open_.unanswered] == ["time_form"]
    reading = read_text("generic-jobs", workbook(rows), {**ANSWERS, "time_form": "excel"})
    assert reading.table["start_s"] == [1_772_352_000]


def test_formulas_are_not_run_and_their_text_is_not_a_value():
    rows = [["job", "gpus", "start", "hours"], ["=1+1", "=2*4", "2026-03-01T08:00:00Z", 1]]
    reading = read_text("generic-jobs", workbook(rows), {"submission": "start"})
    assert reading.table["gpus"] == [None]


def test_rows_below_the_last_value_are_not_counted():
    reading = read_text("generic-jobs", workbook([*JOBS, [None] * 6, [None] * 6]), ANSWERS)
    assert reading.counts.in_file == 4


def archive(entries: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as target:
        for name, content in entries.items():
            target.writestr(name, content)
    return stream.getvalue()


SOUND = {"xl/workbook.xml": b"<workbook/>"}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ({"readme.txt": b"hello"}, "an .xlsx workbook"),
        ({**SOUND, "xl/worksheets/sheet1.xml": bytes(60_000_000)}, "unpack to at most 100 times"),
        ({**SOUND, "../evil": b"x"}, "entries inside the .xlsx workbook"),
        ({**SOUND, "/etc/evil": b"x"}, "entries inside the .xlsx workbook"),
        ({**SOUND, "C:evil": b"x"}, "entries inside the .xlsx workbook"),
        ({**SOUND, "xl/a.xml": b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'}, "XML without entities"),
        ({**SOUND, "xl/a.xml": b" " * 65_530 + b"<!DOCTYPE x>"}, "XML without entities"),
        (SOUND | {f"xl/{n}.xml": b"" for n in range(1_001)}, "at most 1,000 entries"),
        (SOUND, "this one is damaged"),
    ],
)
def test_hostile_archives_are_refused(entries, expected):
    with pytest.raises(FormatError, match="expected") as caught:
        read_text("generic-jobs", archive(entries), filename="jobs.xlsx")
    assert expected in str(caught.value)
    assert "jobs.xlsx" in str(caught.value)


def test_sizes_are_counted_while_unpacking():
    entries = {**SOUND, "xl/a.xml": bytes(range(256)) * 100}
    with pytest.raises(FormatError, match="parts of at most 1,000 bytes"):
        read_text("generic-jobs", archive(entries, zipfile.ZIP_STORED), limits=Limits(entry_bytes=1_000))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_occur_twice_are_refused():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        target.writestr("xl/workbook.xml", b"<a/>")
        target.writestr("xl/workbook.xml", b"<b/>")
    with pytest.raises(FormatError, match="each name once"):
        read_text("generic-jobs", stream.getvalue())


def test_a_workbook_with_a_password_flag_is_refused():
    content = bytearray(archive(SOUND))
    content[6] |= 1
    central = content.index(b"PK\x01\x02")
    content[central + 8] |= 1
    with pytest.raises(FormatError, match="without a password"):
        read_text("generic-jobs", bytes(content))


def test_a_row_number_that_lies_is_stopped():
    data = workbook([["job", "gpus"], ["a", 1]])
    source = zipfile.ZipFile(io.BytesIO(data))
    entries = {name: source.read(name) for name in source.namelist()}
    sheet = entries["xl/worksheets/sheet1.xml"]
    entries["xl/worksheets/sheet1.xml"] = sheet.replace(b'<row r="2"', b'<row r="99999999"')
    with pytest.raises(FormatError, match="at most 100,000 rows"):
        read_text("generic-jobs", archive(entries), limits=Limits(rows=100_000))
