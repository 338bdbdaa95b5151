"""The audit log: written with what it tells of, only ever added to, read by owners, filtered, taken along."""

from __future__ import annotations

import ast
import csv
import io

import pytest
from django.urls import reverse

from planner.accounts.audit import ACTIONS, asked_of, entries
from planner.accounts.immutable import ImmutableError
from planner.accounts.models import ApiToken, AuditEntry, Role, ShareLink
from planner.accounts.services import audit, workspace_create
from planner.accounts.sharing import ShareError, share_create
from planner.catalog.models import Revision
from tests.conftest import ROOT
from tests.planner.web import material


def test_every_action_that_services_write_has_words():
    written = set()
    for path in (ROOT / "planner").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "audit":
                written |= {k.value.value for k in node.keywords if k.arg == "action" and hasattr(k.value, "value")}
    written = {action for action in written if isinstance(action, str)}
    assert len(written) > 12
    assert written - set(ACTIONS) == set()


def test_it_is_only_added_to(workspace):
    entry = AuditEntry.objects.filter(workspace=workspace).first()
    entry.action = "nothing.happened"
    for change in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.filter(workspace=workspace).update(action="nothing.happened"),
    ):
        with pytest.raises(ImmutableError):
            change()
    assert AuditEntry.objects.get(pk=entry.pk).action == "workspace.create"


def test_it_goes_with_its_workspace_and_stays_when_a_person_goes(workspace, owner, member):
    planner = member(Role.PLANNER)
    audit(workspace=workspace, user=planner, action="run.cancel", target="a run")
    planner.delete()
    assert AuditEntry.objects.get(action="run.cancel").user is None
    workspace.delete()
    assert not AuditEntry.objects.exists()


def test_what_was_refused_is_not_told_as_done(workspace, owner, member):
    before = AuditEntry.objects.count()
    with pytest.raises(ShareError):
        share_create(workspace=workspace, user=owner, of=ShareLink.Of.STUDY, target=workspace.id, name="?", days=0)
    assert AuditEntry.objects.count() == before


def test_signing_in_and_out_is_told_in_every_workspace_of_the_person(client, owner, workspace):
    second = workspace_create(name="Another", owner=owner)
    form = {"username": "olga", "password": "correct horse battery"}
    client.post(reverse("sign-in"), form | {"password": "wrong horse battery"})
    assert not AuditEntry.objects.filter(action__startswith="sign.").exists()
    client.post(reverse("sign-in"), form)
    client.post(reverse("sign-out"))
    for here in (workspace, second):
        told = AuditEntry.objects.filter(workspace=here, action__startswith="sign.").values_list("action", "user")
        assert list(told) == [("sign.out", owner.pk), ("sign.in", owner.pk)]


@pytest.fixture
def busy(workspace, owner, member):
    planner = member(Role.PLANNER)
    audit(workspace=workspace, user=planner, action="run.cancel", target="=1+1", stopped=3)
    audit(workspace=workspace, user=owner, action="item.rename", target="V100-64", to="V100-72")
    return planner


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"action": "run.cancel"}, ["run.cancel"]),
        ({"person": "planner-person"}, ["run.cancel"]),
        ({"text": "v100-72"}, ["item.rename"]),
        ({"since": "2100-01-01"}, []),
        ({"until": "2000-01-01"}, []),
        ({"person": "nobody"}, []),
        ({"action": "item.rename", "person": "planner-person"}, []),
    ],
)
def test_it_is_filtered(busy, workspace, owner, given, found):
    asked = asked_of(given)
    assert asked.notes == ()
    assert [entry.action for entry in entries(owner, workspace, asked)] == found


@pytest.mark.parametrize("given", [{"action": "x.y"}, {"since": "yesterday"}, {"until": "2026-02-30"}])
def test_what_is_not_understood_is_said_and_left_out(busy, workspace, owner, given):
    asked = asked_of(given)
    assert len(asked.notes) == 1
    assert entries(owner, workspace, asked).count() == AuditEntry.objects.filter(workspace=workspace).count()


def test_the_page_shows_it_to_owners_alone(signed_in, client, busy, workspace):
    address = reverse("audit", args=[workspace.slug])
    shown = signed_in.get(address + "?action=run.cancel").content.decode()
    assert "cancelled a run" in shown
    assert "=1+1" in shown
    assert "V100-72" not in shown
    assert f'href="{address}"' in shown  # in the menu
    client.force_login(busy)
    assert client.get(address).status_code == 403
    assert address not in client.get(reverse("workspace", args=[workspace.slug])).content.decode()


def test_the_file_has_the_rows_of_the_page_and_no_formula(signed_in, busy, workspace):
    answer = signed_in.get(reverse("audit-file", args=[workspace.slug, "csv"]) + "?action=run.cancel")
    (row,) = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert (row["person"], row["action"], row["object"]) == ("planner-person", "run.cancel", "'=1+1")
    assert row["about_action"] == "run.cancel"


@pytest.mark.parametrize("service", ["share", "token", "revision", "member"])
def test_what_cannot_be_logged_is_not_done(workspace, owner, person, monkeypatch, service):
    """Both are one transaction."""
    from planner.accounts import services, sharing, tokens
    from planner.catalog import services as catalog

    def full(**_):
        raise OSError("no room left for the log")

    other = person("otto")
    acts = {
        "share": (sharing, lambda: share_create(
            workspace=workspace, user=owner, of=ShareLink.Of.STUDY, target=workspace.id, name="?", days=1)),
        "token": (tokens, lambda: tokens.token_create(user=owner, name="a", scope="read", days=1)),
        "revision": (catalog, lambda: material.catalogue(workspace, owner)),
        "member": (services, lambda: services.member_set(workspace=workspace, user=other, role=Role.PLANNER)),
    }  # fmt: skip
    module, act = acts[service]
    monkeypatch.setattr(module, "audit", full)
    with pytest.raises(OSError, match="no room"):
        act()
    assert not ShareLink.objects.exists()
    assert not ApiToken.objects.exists()
    assert not Revision.objects.exists()
    assert not workspace.members.filter(pk=other.pk).exists()
