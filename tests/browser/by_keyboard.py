"""The first hour without a mouse: the same way as in journey.py, with a smaller question."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser import take_along
from tests.browser.keyboard import Keyboard
from tests.browser.logs import sacct, scontrol

QUESTION = "Does shortest first shorten the wait when one node is added?"
RUNS = 8  # two policies, two sizes of the cluster, two seeds
COMES_OUT_EQUAL = "all results are equal"  # the last line of `verify`
UNWANTED = ("FCFS with backfill", "Shortest remaining time", "Tiresias", "Least-loaded fair share")


def sign_in(keys: Keyboard, name: str, password: str) -> None:
    """The page puts the focus where one begins to type."""
    page = keys.page
    page.goto("/")
    keys.write(page.get_by_label("Name"), name)
    keys.write(page.get_by_label("Password"), password)
    keys.leave()
    expect(page.get_by_role("button", name=re.compile("^Sign out"))).to_be_visible()


def make_workspace(keys: Keyboard, name: str) -> None:
    page = keys.page
    page.goto("/workspaces/new/")
    keys.skip_to_content()
    keys.write(page.get_by_label("Name of a new workspace"), name)
    keys.leave()
    keys.is_on("Headroom needs a cluster, a workload and prices")


def bring_data(keys: Keyboard) -> None:
    page = keys.page
    _upload(keys, "sacct_march.psv", sacct())
    keys.write(page.get_by_label(re.compile("which zone wrote")), "Europe/Berlin")
    _accept(keys)
    _upload(keys, "nodes.txt", scontrol())
    keys.choose(page.get_by_label("a100 is which model?"), "A100-SXM4-80GB")
    _accept(keys)


def _upload(keys: Keyboard, name: str, text: str) -> None:
    page = keys.page
    keys.open("Imports")
    keys.follow(page.get_by_role("link", name="Upload a file"))
    keys.skip_to_content()
    keys.give_file(page.get_by_label("Drop a file here, or choose one"), name, text)
    keys.follow(page.get_by_role("button", name="Read it"))
    keys.is_on(name)


def _accept(keys: Keyboard) -> None:
    """Leaving the last answer sends it; the button that was closed until then can be reached."""
    go = keys.page.locator("#go")
    keys.press("Tab")
    expect(go).to_be_enabled()
    keys.follow(go)
    expect(keys.page.get_by_role("row", name=re.compile("^1 shown measured"))).to_be_visible()


def type_a_price(keys: Keyboard) -> None:
    page = keys.page
    keys.open("Prices")
    keys.follow(page.get_by_role("link", name="Type prices"))
    keys.skip_to_content()
    keys.write(page.get_by_label("Name", exact=True), "Rack rate")
    keys.write(page.get_by_label("Price, row 1"), "2.50")
    keys.follow(page.get_by_role("button", name="Save the price sheet"))
    keys.is_on("Rack rate")


def limit_the_wait(keys: Keyboard) -> None:
    page = keys.page
    keys.open("SLOs")
    keys.follow(page.get_by_role("link", name="Set limits"))
    keys.skip_to_content()
    keys.write(page.get_by_label("Name", exact=True), "P95 wait 10 h")
    keys.choose(page.get_by_label("Metric, row 1"), "Wait, P95")
    keys.write(page.get_by_label("Limit, row 1"), "36000")
    keys.follow(page.get_by_role("button", name=re.compile("^Save")))
    keys.is_on("P95 wait 10 h")


def ask(keys: Keyboard) -> None:
    page = keys.page
    keys.open("Studies")
    keys.follow(page.get_by_role("link", name="New study"))
    keys.skip_to_content()
    keys.write(page.get_by_label("Question"), QUESTION)
    keys.choose(page.get_by_label("SLOs"), "P95")
    for policy in UNWANTED:
        keys.tick(page.get_by_role("checkbox", name=re.compile(policy)))
    keys.write(page.get_by_label(re.compile("Nodes of")), "+1")
    keys.write(page.get_by_label("Seeds a scenario"), "2")
    keys.press("Tab")
    expect(page.locator("#plan").get_by_role("row", name=re.compile("^Runs"))).to_contain_text(str(RUNS))
    keys.follow(page.get_by_role("button", name="Start the runs"))
    keys.is_on(QUESTION)


def wait_for_the_front(keys: Keyboard) -> None:
    expect(keys.page.locator("#study-progress")).to_have_text(f"{RUNS} runs", timeout=240_000)
    expect(keys.page.locator("#front .plot .scatterlayer")).to_be_visible()


def move_a_limit(keys: Keyboard) -> None:
    """A slider answers to arrows, and the address keeps what it says."""
    keys.reach(keys.page.locator(".limit[data-metric=cost_usd] [type=range]"))
    for _ in range(3):
        keys.press("ArrowLeft")
    keys.page.wait_for_url(re.compile(r"limit\.cost_usd="))


def look_at_a_source(keys: Keyboard) -> None:
    """A number opens its source; Escape closes it and the focus is back at the number."""
    number = keys.page.locator("#compare-table button.src").first
    keys.activate(number)
    sheet = keys.page.locator("#source")
    expect(sheet.get_by_text("How it was made")).to_be_visible()
    keys.reach(sheet.get_by_role("link").first)
    keys.press("Escape")
    expect(sheet).to_be_hidden()
    expect(number).to_be_focused()


def look_at_the_keys(keys: Keyboard) -> None:
    """The list of keys is a dialog: it takes the focus and gives it back."""
    before = keys.page.evaluate_handle("document.activeElement")
    keys.press("?")
    shown = keys.page.get_by_role("dialog", name="Keys")
    expect(shown).to_be_visible()
    assert shown.evaluate("e => e.contains(document.activeElement)")
    keys.press("Escape")
    expect(shown).to_be_hidden()
    assert before.evaluate("e => e === document.activeElement")


def make_a_link(keys: Keyboard) -> None:
    page = keys.page
    study = page.url
    keys.follow(page.get_by_role("link", name="Share"))
    keys.skip_to_content()
    keys.choose(page.get_by_label("It ends after"), "1 day")
    keys.follow(page.get_by_role("button", name="Make a link"))
    keys.reach(page.locator(take_along.MADE))
    page.goto(study)


def take_the_bundle(keys: Keyboard, folder: Path) -> Path:
    page = keys.page
    keys.skip_to_content()
    keys.follow(page.get_by_role("link", name="Take away"))
    keys.skip_to_content()
    keys.tick(page.get_by_role("checkbox", name=re.compile("^Replace names")))
    keys.reach(page.get_by_role("button", name="Download the bundle"))
    with page.expect_download() as taken:
        keys.press("Enter")
    bundle = folder / taken.value.suggested_filename
    taken.value.save_as(bundle)
    return bundle
