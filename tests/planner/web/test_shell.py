"""The shell: sign-in, workspace switch, glossary, and nobody sees another team's world."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from django.urls import reverse
from django.views.defaults import server_error

from planner.accounts.services import workspace_create
from planner.web.assets import ASSETS
from simulation.metrics.definitions import METRICS
from tests.conftest import ROOT


def test_pages_ask_for_sign_in_and_come_back(client, workspace):
    target = reverse("workspace", args=[workspace.slug])
    answer = client.get(target)
    assert answer.status_code == 302
    assert answer.url == f"{reverse('sign-in')}?next={target}"


def test_sign_in_opens_the_page_that_was_asked_for(client, workspace, owner):
    target = reverse("workspace", args=[workspace.slug])
    answer = client.post(
        reverse("sign-in"), {"username": owner.username, "password": "correct horse battery", "next": target}
    )
    assert answer.url == target


def test_a_wrong_password_is_told_in_words(client, owner):
    answer = client.post(reverse("sign-in"), {"username": owner.username, "password": "no"})
    assert "do not match" in answer.content.decode()


@pytest.mark.parametrize("name", ["workspace", "queue", "queue-count"])
def test_another_workspace_does_not_exist_for_strangers(client, person, workspace, name):
    client.force_login(person("stranger"))
    assert client.get(reverse(name, args=[workspace.slug])).status_code == 404


def test_the_workspaces_are_a_menu_of_links_to_those_where_one_belongs(signed_in, owner, person, workspace):
    mine, other = (workspace_create(name=name, owner=who) for name, who in (("Lab", owner), ("Secret", person("x"))))
    page = signed_in.get(reverse("workspace", args=[workspace.slug])).content.decode()
    menu = page.partition('<details class="menu grow">')[2].partition("</details>")[0]
    assert f'<a href="{reverse("workspace", args=[workspace.slug])}" aria-current="true">' in menu
    assert f'<a href="{reverse("workspace", args=[mine.slug])}">Lab</a>' in menu
    assert other.name not in page


def test_home_is_the_workspace_where_one_was_last(signed_in, owner, workspace):
    other = workspace_create(name="Lab", owner=owner)
    assert signed_in.get(reverse("home")).url == f"/w/{workspace.slug}/"
    signed_in.get(reverse("workspace", args=[other.slug]))
    assert signed_in.get(reverse("home")).url == f"/w/{other.slug}/"


def test_nothing_leads_away_by_being_chosen():
    """A choice in a list changes nothing by itself; a button beside it does (WCAG 2.2, 3.2.2)."""
    scripts = "".join(path.read_text() for path in (ROOT / "static").rglob("*.js"))
    pages = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    assert "requestSubmit" not in scripts
    assert ".submit()" not in scripts
    assert "onchange" not in pages


def test_the_glossary_has_every_metric_under_its_anchor(signed_in):
    page = signed_in.get(reverse("glossary")).content.decode()
    assert [name for name in METRICS if f'id="{name}"' not in page] == []


def test_an_unchanged_queue_count_is_answered_with_304(signed_in, workspace):
    address = reverse("queue-count", args=[workspace.slug])
    first = signed_in.get(address)
    again = signed_in.get(address, headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_the_page_of_a_fault_needs_nothing_that_may_be_at_fault(rf):
    """No database, no file of ours, no style sheet; and still the icon of the product."""
    page = server_error(rf.get("/")).content.decode()
    icon = unquote(re.search(r'rel="icon" href="data:image/svg\+xml,([^"]+)"', page)[1])
    assert icon == (ROOT / "static" / "icon.svg").read_text().strip().replace('"', "'")
    assert re.findall(r'(?:href|src)="(?!data:)([^"]+)"', page) == ["/"]


@pytest.mark.parametrize("asset", ASSETS, ids=lambda a: a.url)
def test_browser_libraries_are_the_ones_that_were_tried(asset):
    assert asset.digest() == asset.sha256
