"""The end of the first hour: a link for people without an account, the table, and the bundle that proves itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.conftest import ROOT

MADE = "#main a[href*='/shared/']"
NUMBERS = """table => [...table.querySelectorAll("button.src")].map(button => [
  button.closest("tr").querySelector("th a").textContent.trim(),
  new URLSearchParams(button.getAttribute("hx-get").split("?")[1]).get("metric"),
  button.textContent.trim(),
])"""


def follow_the_link(browser: Browser, address: str, question: str) -> None:
    """In a browser that is signed in nowhere."""
    stranger = browser.new_context()
    page = stranger.new_page()
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200
    expect(page.get_by_role("heading", level=1)).to_contain_text(question)
    stranger.close()


def made_link(page: Page) -> str:
    return str(page.locator(MADE).get_attribute("href"))


def shown_numbers(table: Locator) -> dict[tuple[str, str], str]:
    """Scenario and metric -> the number as the page writes it."""
    return {(scenario, metric): text for scenario, metric, text in table.evaluate(NUMBERS)}


def verify(bundle: Path) -> str:
    """What the command says that takes nothing but the bundle; it has to end well."""
    command = [sys.executable, "-m", "simulation", "verify", str(bundle)]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout
