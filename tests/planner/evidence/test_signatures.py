"""Signatures are asked for by people, run once by a worker, and kept with engine and seeds."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.http import Http404

from planner.accounts.models import AuditEntry, Role
from planner.evidence import services
from planner.evidence.models import SignatureRun
from planner.evidence.services import TASK, signature_ask, signature_record, signature_work
from planner.evidence.signatures import signature_asked, signature_of
from simulation import ENGINE_VERSION

SEEDS = 3


@pytest.fixture
def bell(monkeypatch):
    rung = []
    monkeypatch.setattr(services, "ring", lambda ids, task: rung.extend((id, task) for id in ids))
    monkeypatch.setattr(services, "SEEDS", SEEDS)
    return rung


def test_a_question_rings_and_is_run_once(workspace, owner, bell, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        asked = signature_ask(workspace=workspace, user=owner, system="sjf")
    assert bell == [(asked.id, TASK)]
    assert signature_of("sjf") is None
    assert signature_asked("sjf") == asked
    assert signature_work(asked.id)
    assert not signature_work(asked.id)
    found = signature_of("sjf")
    assert (found, found.engine_version, found.seeds) == (asked, ENGINE_VERSION, SEEDS)
    assert (found.document["shown"], found.document["shown_when_ablated"]) == (True, False)
    assert signature_asked("sjf") is None


def test_asked_twice_is_one_question_and_rings_again(workspace, owner, bell, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        first, second = (signature_ask(workspace=workspace, user=owner, system="sjf") for _ in range(2))
    assert first == second
    assert len(bell) == 2
    assert AuditEntry.objects.filter(action="signature.ask").count() == 1


def test_who_may_not_edit_may_not_ask(workspace, member, person, bell):
    with pytest.raises(PermissionDenied):
        signature_ask(workspace=workspace, user=member(Role.MANAGER), system="sjf")
    with pytest.raises(Http404):
        signature_ask(workspace=workspace, user=person("stranger"), system="sjf")
    assert not SignatureRun.objects.exists()


def test_what_does_not_exist_is_not_asked_for(workspace, owner, bell):
    with pytest.raises(Http404):
        signature_ask(workspace=workspace, user=owner, system="nothing")
    assert signature_ask(workspace=workspace, user=owner, system="static-replicas") is None
    assert not SignatureRun.objects.exists()


def test_another_engine_version_is_another_signature(db):
    found = signature_record(system="sjf", seeds=SEEDS)
    assert signature_of("sjf") == found
    SignatureRun.objects.update(engine_version="0.0.0")
    assert signature_of("sjf") is None


def test_the_command_runs_and_keeps_them(db, capsys):
    call_command("signatures", "sjf", "srtf", seeds=SEEDS)
    assert capsys.readouterr().out.splitlines() == ["sjf: holds", "srtf: holds"]
    assert set(SignatureRun.objects.values_list("system", "seeds")) == {("sjf", SEEDS), ("srtf", SEEDS)}


@pytest.mark.parametrize(
    ("slug", "seeds", "said"),
    [("nothing", 3, "no system 'nothing'"), ("static-replicas", 3, "no signature"), ("sjf", 1, "expected 2 or more")],
)
def test_the_command_explains_wrong_input(db, slug, seeds, said):
    with pytest.raises(CommandError, match=said):
        call_command("signatures", slug, seeds=seeds)
