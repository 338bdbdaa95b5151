"""The shell: sign-in, workspace switch, glossary, and nobody sees another team's world."""

from __future__ import annotations

import pytest
from django.urls import reverse

from planner.accounts.services import workspace_create
from planner.web.assets import ASSETS
from simulation.metrics.definitions import METRICS


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


def test_the_workspace_switch_goes_only_where_one_belongs(signed_in, person, workspace):
    other = workspace_create(name="Secret", owner=person("stranger"))
    assert signed_in.get(reverse("home"), {"workspace": workspace.slug}).url == f"/w/{workspace.slug}/"
    assert signed_in.get(reverse("home"), {"workspace": other.slug}).url == f"/w/{workspace.slug}/"


def test_the_glossary_has_every_metric_under_its_anchor(signed_in):
    page = signed_in.get(reverse("glossary")).content.decode()
    assert [name for name in METRICS if f'id="{name}"' not in page] == []


def test_an_unchanged_queue_count_is_answered_with_304(signed_in, workspace):
    address = reverse("queue-count", args=[workspace.slug])
    first = signed_in.get(address)
    again = signed_in.get(address, headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


@pytest.mark.parametrize("asset", ASSETS, ids=lambda a: a.url)
def test_browser_libraries_are_the_ones_that_were_tried(asset):
    assert asset.digest() == asset.sha256
