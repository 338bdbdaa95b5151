"""The first hour by mouse: from a log, a node list and a typed price to a finished front."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.logs import sacct, scontrol

QUESTION = "Does shortest first shorten the wait, and what do two more nodes cost?"
RUNS = 18  # two policies, three sizes of the cluster, three seeds


def make_workspace(page: Page) -> None:
    page.goto("/workspaces/new/")  # others may have made one before
    page.get_by_label("Name of a new workspace").fill("Research platform")
    page.get_by_role("button", name="Make a workspace").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Headroom needs a cluster, a workload and prices")


def bring_data(page: Page) -> None:
    _upload(page, "sacct_march.psv", sacct())
    zone = page.get_by_label(re.compile("which zone wrote"))
    zone.fill("Europe/Berlin")
    zone.press("Tab")
    _accept(page)
    _upload(page, "nodes.txt", scontrol())
    page.get_by_label("a100 is which model?").select_option("A100-SXM4-80GB")
    _accept(page)


def leave_open(page: Page) -> None:
    """A file whose questions are not answered yet."""
    _upload(page, "sacct_april.psv", sacct(jobs=24))
    expect(page.get_by_label(re.compile("which zone wrote"))).to_be_visible()


def _upload(page: Page, name: str, text: str) -> None:
    page.get_by_role("link", name="Imports").click()
    page.get_by_role("link", name="Upload a file").click()
    page.get_by_label("Drop a file here, or choose one").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    )
    page.get_by_role("button", name="Read it").click()


def _accept(page: Page) -> None:
    expect(page.locator("#go")).to_be_enabled()
    page.locator("#go").click()
    expect(page.get_by_role("row", name=re.compile("^1 shown measured"))).to_be_visible()


def type_a_price(page: Page) -> None:
    page.get_by_role("link", name="Prices").click()
    page.get_by_role("link", name="Type prices").click()
    page.get_by_label("Name", exact=True).fill("Rack rate")
    page.get_by_label("Price, row 1").fill("2.50")
    page.get_by_role("button", name="Save the price sheet").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rack rate")


def limit_the_wait(page: Page) -> None:
    page.get_by_role("link", name="SLOs").click()
    page.get_by_role("link", name="Set limits").click()
    page.get_by_label("Name", exact=True).fill("P95 wait 10 h")
    page.get_by_label("Metric, row 1").select_option("wait_p95_s")
    page.get_by_label("Limit, row 1").fill("36000")
    page.get_by_role("button", name=re.compile("^Save")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("P95 wait 10 h")


def ask(page: Page) -> None:
    """Fill the builder, see the plan follow, lose nothing in a reload, start."""
    page.get_by_role("link", name="Studies").click()
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_label("SLOs").select_option(label="P95 wait 10 h rev 1")
    for policy in ("FCFS with backfill", "Shortest remaining time", "Tiresias", "Least-loaded fair share"):
        page.get_by_role("checkbox", name=re.compile(policy)).uncheck()
    page.get_by_label(re.compile("Nodes of")).fill("+1, +2")
    page.get_by_label("Seeds a scenario").fill("3")
    page.get_by_label("Demand factors").click()
    expect(page.locator("#plan").get_by_role("row", name=re.compile("^Runs"))).to_contain_text(str(RUNS))
    page.reload()
    expect(page.get_by_label("Question")).to_have_value(QUESTION)
    page.get_by_role("button", name="Start the runs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)


def wait_for_the_front(page: Page) -> None:
    """The page fills itself while the worker works; nobody reloads it."""
    expect(page.locator("#study-progress")).to_have_text(f"{RUNS} runs", timeout=240_000)
    expect(page.locator("#front .plot .scatterlayer")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel runs")).to_have_count(0)
