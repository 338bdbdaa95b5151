"""The addresses of every page that has something to show, once the first hour has filled a workspace."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.site import SLUG, Site

UNDRAWN = ".plot:not(:has(.main-svg)), #api:not(:has(.opblock))"

HERE = f"/w/{SLUG}"
KINDS = {"cluster": "clusters", "prices": "prices", "workload": "workloads", "slos": "slos"}
LISTS = (*KINDS.values(), "imports", "sources", "studies", "queue", "systems", "grid", "library", "audit")
FORMS = ("clusters/new", "prices/new", "slos/new", "imports/new", "imports/bundle", "studies/new")
OF_RUN = ("", "numbers/", "numbers/wait_p95_s/", "numbers/cost_usd/", "evidence/", "take-away/", "share/")
OF_STUDY = ("", "evidence/", "exceptions/", "take-away/", "share/")
ELSEWHERE = ("/workspaces/new/", "/glossary/", "/fidelity/", "/speed/", "/account/tokens/", "/api/")


def addresses(site: Site, study: str) -> list[str]:
    """`study` is the address of the one that the first hour ended with."""
    run = f"{HERE}/runs/{site.base_run()}/"
    items = [(f"{HERE}/{KINDS[kind]}/{id}/", kind) for id, kind in site.items()]
    return [
        f"{HERE}/",
        *(f"{study}{part}" for part in OF_STUDY),
        *(f"{run}{part}" for part in OF_RUN),
        f"{HERE}/systems/tiresias/",
        *(f"{HERE}/imports/{id}/" for id in site.imports()),
        *(address for address, _ in items),
        *(f"{address}edit/" for address, kind in items if kind != "workload"),
        *(f"{HERE}/{name}/" for name in (*LISTS, *FORMS)),
        *ELSEWHERE,
    ]


def show(page: Page, address: str) -> None:
    """Until its figures, or the reference of the API, are drawn; what is asked of a row beyond it is opened."""
    page.goto(address)
    expect(page.locator(UNDRAWN)).to_have_count(0)
    page.locator(".more details").evaluate_all("found => found.forEach(part => { part.open = true; })")
