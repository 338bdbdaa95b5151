"""No page has a serious or critical finding of axe, in light or in dark."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE = ("serious", "critical")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page: Page, addresses: list[str], scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    axe, found = Axe(), []
    for address in addresses:
        page.goto(address)
        page.wait_for_load_state("networkidle") if "queue" not in address else None
        for finding in axe.run(page).response["violations"]:
            if finding["impact"] in GRAVE:
                found.append((address, finding["id"], [node["target"] for node in finding["nodes"][:3]]))
    assert found == []
