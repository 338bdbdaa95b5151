"""A real installation (web server, worker, database file) and a real browser that looks at it."""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from planner.config.broker import free_port
from tests.browser import journey
from tests.faults.installation import Installation
from tests.programs import chromium
from tests.servers import wait_until

NAME, PASSWORD = "ines", "correct horse battery"
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run")  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


class Site:
    """An installation with its address."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        account = {"DJANGO_SUPERUSER_PASSWORD": PASSWORD, "DJANGO_SUPERUSER_USERNAME": NAME}
        kernels = {"NUMBA_CACHE_DIR": os.environ["NUMBA_CACHE_DIR"]}
        self.installation = Installation(folder, **account, **kernels, DJANGO_SUPERUSER_EMAIL="ines@site.example")

    def start(self) -> None:
        for words in (("migrate", "--no-input"), ("prepare", "--static-only"), ("createsuperuser", "--no-input")):
            self.installation.manage(*words)
        bind = ("--bind", f"127.0.0.1:{self.port}", "--threads", "4", "--no-control-socket")
        self.installation.start(sys.executable, "-m", "gunicorn", "planner.config.wsgi", *bind)
        self.installation.start(sys.executable, "manage.py", "run_worker", "--slots", "1")
        wait_until(self._answers, 60, f"the site answers; {self.installation.log()[-2000:]}")

    def ids(self, table: str) -> list[str]:
        return [str(uuid.UUID(id)) for (id,) in self.installation.rows(f"select id from {table}")]

    def base_run(self) -> str:
        """The first run of the base: the page with everything on it."""
        first = "select r.id from studies_run r join studies_scenario s on s.id = r.scenario_id"
        ((id,),) = self.installation.rows(f"{first} where s.position = 0 and r.seed = 0")
        return str(uuid.UUID(id))

    def items(self) -> list[tuple[str, str]]:
        rows = self.installation.rows("select id, kind from catalog_item")
        return [(str(uuid.UUID(id)), kind) for id, kind in rows]

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.address}/healthz", timeout=2).close()
        except urllib.error.HTTPError:
            return True  # it answers, though something is still missing
        except OSError:
            return False
        return True


def listen(page: Page, said: list[str]) -> None:
    """Errors of the console and of scripts, and answers that are errors."""
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("response", lambda answer: said.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("site"))
    try:
        made.start()
        yield made
    finally:
        made.installation.stop_all()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        yield running
        running.close()


@pytest.fixture(scope="session")
def signed_in(site, browser) -> Iterator[BrowserContext]:
    """One person in one browser, signed in once."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=site.address)
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.close()
    yield context
    context.close()


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def addresses(site, signed_in, study) -> list[str]:
    """Every page of the site that has something to show."""
    page = signed_in.new_page()
    page.goto("/w/research-platform/")
    journey.leave_open(page)
    page.close()
    here = "/w/research-platform"
    kinds = {"cluster": "clusters", "prices": "prices", "workload": "workloads", "slos": "slos"}
    items = [(f"{here}/{kinds[kind]}/{id}/", kind) for id, kind in site.items()]
    edits = [f"{address}edit/" for address, kind in items if kind != "workload"]
    imports = [f"{here}/imports/{id}/" for id in site.ids("catalog_import")]
    lists = [f"{here}/{name}/" for name in (*kinds.values(), "imports", "studies", "queue", "systems", "grid")]
    forms = [f"{here}/{name}/new/" for name in ("clusters", "prices", "slos", "imports", "studies")]
    others = [f"{here}/", study, f"{here}/runs/{site.base_run()}/", f"{here}/systems/tiresias/"]
    return [
        *others,
        *imports,
        *(a for a, _ in items),
        *edits,
        *lists,
        *forms,
        "/workspaces/new/",
        "/glossary/",
        "/fidelity/?peer=gavel",
        "/speed/",
    ]


@pytest.fixture
def page(signed_in) -> Iterator[Page]:
    """A page whose console must stay silent."""
    opened, said = signed_in.new_page(), []
    listen(opened, said)
    yield opened
    opened.close()
    assert said == []
