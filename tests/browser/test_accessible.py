"""No page has a serious or critical finding of axe, in light or in dark, and none says an error to the console."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser import pages

pytestmark = pytest.mark.xdist_group("browser")  # one browser, one site

GRAVE = ("serious", "critical")
OPERATION = ".opblock-summary-control"  # a button with buttons in it: how Swagger UI is built, no style mends it
FINDINGS = {"resultTypes": ["violations"]}  # else half of the time goes into telling what is well
COLOURS = FINDINGS | {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def test_axe_finds_nothing_serious_in_light_or_in_dark(page: Page, addresses: list[str]) -> None:
    """In the dark only colours differ: there, the rules about them are enough."""
    found = []
    for address in addresses:
        page.emulate_media(color_scheme="light")
        pages.show(page, address)
        found += [(address, "light", *finding) for finding in findings(page, FINDINGS)]
        page.emulate_media(color_scheme="dark")
        found += [(address, "dark", *finding) for finding in findings(page, COLOURS)]
    assert found == []


def findings(page: Page, rules: dict[str, object]) -> Iterator[tuple[str, list[object]]]:
    for finding in Axe().run(page, options=rules).response["violations"]:
        targets = [node["target"] for node in finding["nodes"]]
        if finding["id"] == "nested-interactive":
            targets = [target for target in targets if OPERATION not in str(target)]
        if finding["impact"] in GRAVE and targets:
            yield finding["id"], targets[:3]
