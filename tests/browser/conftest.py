"""A real installation (web server, worker, database file) and a real browser that looks at it.

Both end with the last test here: while the browser runs, so does an event loop, beside which Django refuses to work.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser import journey, pages
from tests.browser.site import NAME, PASSWORD, Site
from tests.programs import chromium

QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run")  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


SUPERSEDED = ("htmx:afterRequest", "htmx:sendAbort")
"""How htmx tells of a request that a newer one has replaced; of one that failed it tells more."""


def _is_error(message: ConsoleMessage) -> bool:
    return message.type == "error" and not message.text.startswith(SUPERSEDED)


def listen(page: Page, said: list[str]) -> None:
    """Errors of the console and of scripts, and answers that are errors."""
    page.on("console", lambda message: said.append(message.text) if _is_error(message) else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("response", lambda answer: said.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)


@pytest.fixture(scope="package")
def site(tmp_path_factory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("site"))
    try:
        made.start()
        yield made
    finally:
        made.installation.stop_all()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        yield running
        running.close()


@pytest.fixture(scope="package")
def signed_in(site, browser) -> Iterator[BrowserContext]:
    """One person in one browser, signed in once."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=site.address)
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_navigation(url=lambda address: "sign-in" not in address):
        page.get_by_role("button", name="Sign in").click()
    page.close()
    yield context
    context.close()


@pytest.fixture(scope="package")
def study(site, signed_in) -> str:
    """The first hour, once: the address of the study that it ends with."""
    page, said = signed_in.new_page(), []
    listen(page, said)
    for step in (
        journey.make_workspace,
        journey.bring_data,
        journey.type_a_price,
        journey.limit_the_wait,
        journey.ask,
        journey.wait_for_the_front,
    ):
        step(page)
    address = page.url
    page.close()
    assert said == []
    return address


@pytest.fixture(scope="package")
def addresses(site, signed_in, study) -> list[str]:
    """Every page of the site that has something to show."""
    page = signed_in.new_page()
    page.goto("/w/research-platform/")
    journey.leave_open(page)
    page.close()
    return pages.addresses(site, study)


@pytest.fixture
def page(signed_in) -> Iterator[Page]:
    """A page whose console must stay silent."""
    opened, said = signed_in.new_page(), []
    listen(opened, said)
    yield opened
    opened.close()
    assert said == []
