"""The first hour can be had without a mouse, at working size and at 400 % zoom: each stop of the focus is seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import by_keyboard, take_along
from tests.browser.conftest import listen
from tests.browser.keyboard import Keyboard
from tests.browser.site import NAME, PASSWORD, Site

pytestmark = pytest.mark.xdist_group("browser")  # one browser, one site

SIZES = {"as it is": (1280, 900), "at 400 %": (320, 225)}  # 1280 by 900 pixels, four of them to one of the page
STEPS = (
    by_keyboard.bring_data,
    by_keyboard.type_a_price,
    by_keyboard.limit_the_wait,
    by_keyboard.ask,
    by_keyboard.wait_for_the_front,
    by_keyboard.move_a_limit,
    by_keyboard.look_at_a_source,
    by_keyboard.look_at_the_keys,
    by_keyboard.make_a_link,
)


@pytest.mark.parametrize("size", [pytest.param("as it is", marks=pytest.mark.slow), "at 400 %"])
def test_the_first_hour_by_keyboard_alone(site: Site, browser: Browser, size: str, tmp_path: Path) -> None:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, base_url=site.address)
    context.set_default_timeout(15_000)
    page, said = context.new_page(), []
    listen(page, said)
    keys = Keyboard(page)
    by_keyboard.sign_in(keys, NAME, PASSWORD)
    by_keyboard.make_workspace(keys, f"Keyboard {size}")
    for step in STEPS:
        step(keys)
    bundle = by_keyboard.take_the_bundle(keys, tmp_path)
    context.close()
    assert said == []
    assert keys.unseen == []
    assert by_keyboard.COMES_OUT_EQUAL in take_along.verify(bundle)
