"""What the first hour ends with: a front that answers to the mouse, numbers that lead to their source."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.xdist_group("browser")  # one browser, one site


def test_a_limit_is_dragged_and_the_front_follows(page: Page, study: str) -> None:
    page.goto(study)
    slider = page.locator(".limit[data-metric=cost_usd] [type=range]")
    before = int(page.locator("#alive").inner_text())
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 8, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.12, middle, steps=8)
    page.mouse.up()
    page.wait_for_url(re.compile(r"limit\.cost_usd="))
    assert int(page.locator("#alive").inner_text()) < before
    expect(page.locator("#front .plot .scatterlayer")).to_be_visible()
    survivors = page.locator("#alive").inner_text()
    page.reload()
    expect(page.locator("#alive")).to_have_text(survivors)


def test_axes_baseline_and_classes_are_in_the_address(page: Page, study: str) -> None:
    page.goto(study)
    page.get_by_label("Upright axis").select_option("wait_p95_s")
    page.get_by_label("Level axis").select_option("jct_mean_s")
    page.wait_for_url(re.compile("x=jct_mean_s"))
    page.get_by_role("radio").nth(1).check()
    page.wait_for_url(re.compile("baseline="))
    page.get_by_role("checkbox", name=re.compile("dominated")).uncheck()
    page.wait_for_url(re.compile("hide=dominated"))
    expect(page.locator("#cmp-t")).to_contain_text("against FCFS with static quota, +1")
    page.reload()
    expect(page.get_by_role("checkbox", name=re.compile("dominated"))).not_to_be_checked()
    expect(page.get_by_role("radio").nth(1)).to_be_checked()


def test_a_number_opens_its_source_and_leads_to_the_run(page: Page, study: str) -> None:
    page.goto(study)
    page.locator("#compare-table button.src").first.click()
    sheet = page.locator("#source")
    expect(sheet.get_by_text("How it was made")).to_be_visible()
    expect(sheet.get_by_text("sacct_march.psv")).to_be_visible()
    sheet.get_by_role("link", name=re.compile(r"^\d")).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("where it comes from")
    page.get_by_role("link", name=re.compile("^run [0-9a-f]{8}$")).click()
    expect(page.get_by_role("heading", name="Queueing delay: how long jobs wait")).to_be_visible()


def test_a_figure_is_taken_along(page: Page, study: str) -> None:
    page.goto(study)
    expect(page.locator("#front .plot .scatterlayer")).to_be_visible()
    for tool, ending in (("PNG", "png"), ("SVG", "svg"), ("CSV", "csv")):
        with page.expect_download() as taken:
            page.locator("#front").get_by_role("button", name=tool).click()
        assert taken.value.suggested_filename == f"front.{ending}"
    page.locator("#front").get_by_role("button", name="Table").click()
    expect(page.locator("#front .data")).to_be_visible()


def test_the_theme_recolours_figures_without_a_reload(page: Page, study: str) -> None:
    page.goto(study)
    tick = page.locator("#front .plot .xtick text").first
    light = tick.evaluate("e => getComputedStyle(e).fill")
    page.evaluate("document.documentElement.dataset.kept = 'yes'")
    page.get_by_role("button", name=re.compile("theme. Change")).click()
    page.get_by_role("button", name=re.compile("theme. Change")).click()
    assert tick.evaluate("e => getComputedStyle(e).fill") != light
    assert page.evaluate("document.documentElement.dataset.kept") == "yes"
    page.get_by_role("button", name=re.compile("theme. Change")).click()
