"""A person without a mouse: Tab, arrows, Space, Enter, Escape and letters, and every stop has to be seen."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

MOST_STOPS = 400
NO_POINTER = "addEventListener('pointerdown', () => console.error('a pointer was used'), true)"
FOCUS_STOP = (Path(__file__).parent / "focus_stop.js").read_text()


class Keyboard:
    """Keys pressed on one page, and where the focus was not to be seen."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.unseen: list[str] = []
        page.add_init_script(NO_POINTER)
        page.on("filechooser", lambda _: None)  # from now on: what begins with the key that opens one comes too late

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def skip_to_content(self) -> None:
        """The first stop of every page leads past the bar and the menu."""
        self.press("Tab")
        expect(self.page.get_by_role("link", name="Skip to content")).to_be_focused()
        self._look()
        self.press("Enter")
        expect(self.page.locator("#main")).to_be_focused()

    def reach(self, target: Locator) -> None:
        """Tab on until the focus is there; whatever is passed on the way has to be seen too."""
        expect(target).to_be_visible()
        for _ in range(MOST_STOPS):
            if target.evaluate("e => e === document.activeElement"):
                return
            self.press("Tab")
            self._look()
        raise AssertionError(f"no way to {target} by {MOST_STOPS} presses of Tab")

    def activate(self, target: Locator) -> None:
        """Something that opens on the page that is there."""
        self.reach(target)
        self.press("Enter")

    def follow(self, target: Locator) -> None:
        """A link or a button that leads to another page; there, the focus begins anew."""
        self.reach(target)
        self.leave()

    def leave(self) -> None:
        """Once nothing is on its way: what leaving breaks off, the library of fragments calls an error."""
        expect(self.page.locator(".htmx-request")).to_have_count(0)
        with self.page.expect_navigation(wait_until="load"):
            self.press("Enter")

    def tick(self, target: Locator) -> None:
        self.reach(target)
        self.press("Space")

    def write(self, target: Locator, text: str) -> None:
        self.reach(target)
        self.press("ControlOrMeta+a")
        self.page.keyboard.type(text)
        expect(target).to_have_value(text)

    def choose(self, target: Locator, option: str) -> None:
        """By its first letters, as a closed list takes them."""
        self.reach(target)
        self.page.keyboard.type(option)
        expect(target.locator("option:checked")).to_have_text(re.compile(re.escape(option)))

    def give_file(self, target: Locator, name: str, text: str) -> None:
        self.reach(target)
        with self.page.expect_file_chooser() as chooser:
            self.press("Enter")
        chooser.value.set_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})

    def open(self, entry: str) -> None:
        """An entry of the main menu, that folds where there is little room."""
        fold = self.page.get_by_role("button", name="Menu")
        if fold.is_visible() and fold.get_attribute("aria-expanded") == "false":
            self.activate(fold)
        self.follow(self.page.get_by_role("navigation", name="Main").get_by_role("link", name=entry, exact=True))
        self.skip_to_content()

    def is_on(self, heading: str) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(heading)

    def _look(self) -> None:
        if fault := self.page.evaluate(FOCUS_STOP):
            self.unseen.append(f"{self.page.url}: {fault}")
