"""Importing the same content again adds nothing: row order, line ends, marks and packing do not change its digest."""

from __future__ import annotations

import gzip

import pytest

from tests.simulation.formats.conftest import read_text
from tests.simulation.formats.test_every_row_is_accounted_for import LINE_FILES

ZONE = {"time_zone": "UTC"}


@pytest.mark.parametrize("slug", LINE_FILES)
def test_digest_holds(slug):
    text = LINE_FILES[slug]
    header, *rows = text.splitlines()
    backwards = "\n".join([header, *reversed(rows)]) + "\n"
    answers = ZONE if slug == "slurm-sacct" else {}
    expected = read_text(slug, text, answers).digest()
    variants = [
        text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + text.encode(),
        text.encode("utf-16"),
        b"\xfe\xff" + text.encode("utf-16-be"),
        text.encode("utf-16-le"),
        gzip.compress(text.encode()),
        text.rstrip("\n").encode(),
        backwards.encode(),
        text.replace("\n", "\n\n").encode(),
    ]
    assert [read_text(slug, variant, answers).digest() for variant in variants] == [expected] * len(variants)


def test_rows_without_ids_or_names_may_stand_in_any_order():
    jobs = ["2,2026-03-01T08:00:00Z,1,A100", "2,2026-03-01T08:00:00Z,1,H100", "2,2026-03-01T08:00:00Z,1,H100"]
    nodes = ["8,A100", "4,L40S", "8,A100"]
    for slug, header, rows in (
        ("generic-jobs", "gpus,submit,hours,gpu model", jobs),
        ("generic-nodes", "gpus,gpu model", nodes),
    ):
        forward, backward = ("\n".join([header, *order]) + "\n" for order in (rows, rows[::-1]))
        assert read_text(slug, forward).digest() == read_text(slug, backward).digest()
        assert len(read_text(slug, forward).table) == 3


def test_other_content_has_another_digest():
    text = LINE_FILES["philly-csv"]
    assert read_text("philly-csv", text).digest() != read_text("philly-csv", text.replace("66.0", "67.0")).digest()


def test_an_answer_that_moves_the_times_changes_the_digest():
    text = LINE_FILES["slurm-sacct"]
    assert read_text("slurm-sacct", text, ZONE).digest() != (
        read_text("slurm-sacct", text, {"time_zone": "Asia/Tokyo"}).digest()
    )
