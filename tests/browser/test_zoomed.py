"""At 400 % zoom (320 points wide), and on a phone, a page scrolls one way only and none of its controls is cut off."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, TimeoutError

from tests.browser import pages

pytestmark = pytest.mark.xdist_group("browser")  # one browser, one site

SIZES = {"phone": (390, 800), "400 %": (320, 225)}
FITS = "document.documentElement.scrollWidth <= innerWidth"
CUT_OFF = (Path(__file__).parent / "cut_off.js").read_text()


def scrolls_sideways(page: Page) -> bool:
    """Still, once the figures have been drawn anew in the width that there is."""
    try:
        page.wait_for_function(FITS, timeout=2_000)
    except TimeoutError:
        return True
    return False


def test_nothing_scrolls_sideways_or_is_cut(page: Page, addresses: list[str]) -> None:
    faults = []
    for address in addresses:
        pages.show(page, address)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            if scrolls_sideways(page):
                faults.append((address, size, "scrolls sideways"))
            faults += [(address, size, cut) for cut in page.evaluate(CUT_OFF)]
    assert faults == []
