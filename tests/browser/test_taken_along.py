"""What leaves the first hour: a link for anybody, the table with the numbers of the page, a bundle that runs again."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, Page

from planner.web.numbers import scale_for
from tests.browser import journey, take_along
from tests.browser.by_keyboard import COMES_OUT_EQUAL

pytestmark = pytest.mark.xdist_group("browser")  # one browser, one site


def test_a_link_opens_the_report_without_an_account(page: Page, study: str, browser: Browser) -> None:
    page.goto(study)
    page.get_by_role("link", name="Share").click()
    page.get_by_role("button", name="Make a link").click()
    take_along.follow_the_link(browser, take_along.made_link(page), journey.QUESTION)


def test_the_bundle_verifies_without_the_site(page: Page, study: str, tmp_path: Path) -> None:
    page.goto(study)
    page.get_by_role("link", name="Take away").click()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download the bundle").click()
    assert COMES_OUT_EQUAL in take_along.verify(kept(taken.value, tmp_path))


def test_the_file_of_the_table_says_what_the_page_says(page: Page, study: str, tmp_path: Path) -> None:
    page.goto(study)
    shown = take_along.shown_numbers(page.locator("#compare-table"))
    with page.expect_download() as taken:
        page.locator("#compare").get_by_role("link", name="CSV").click()
    with kept(taken.value, tmp_path).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    written = as_written(rows)
    metrics = {metric for _, metric in shown}
    assert len(metrics) > 3
    assert shown == {place: text for place, text in written.items() if place[1] in metrics}


def as_written(rows: list[dict[str, str]]) -> dict[tuple[str, str], str]:
    """Scenario and metric -> the value of the file in the unit and with the decimals that its column has on a page."""
    columns: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        if row["value"]:  # what is unknown is left empty
            columns[row["metric"]].append(row)
    written = {}
    for metric, of in columns.items():
        scale = scale_for(of[0]["unit"], [float(row["value"]) for row in of])
        written |= {(row["scenario"], metric): scale.text(float(row["value"])) for row in of}
    return written


def kept(taken: Download, folder: Path) -> Path:
    path = folder / taken.suggested_filename
    taken.save_as(path)
    return path
