"""Reads of the audit log, what its actions are called, and the two acts that no service does: signing in and out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date

from planner.accounts.models import AuditEntry, User, Workspace
from planner.accounts.selectors import Act, require, workspaces_of
from planner.accounts.services import audit

ACTIONS = {
    "sign.in": "signed in",
    "sign.out": "signed out",
    "token.create": "made an API token",
    "token.revoke": "revoked an API token",
    "workspace.create": "made the workspace",
    "member.set": "made a member or changed a role",
    "share.create": "made a share link",
    "share.revoke": "revoked a share link",
    "revision.add": "saved a revision",
    "item.rename": "renamed",
    "item.archive": "archived",
    "item.restore": "restored",
    "source.correct": "corrected a source",
    "import.create": "uploaded a file",
    "import.accept": "accepted an import",
    "import.discard": "discarded an import",
    "study.create": "asked a study",
    "study.archive": "archived a study",
    "study.restore": "restored a study",
    "study.cancel": "cancelled the runs of a study",
    "study.export": "exported a study",
    "study.bundle": "took a study away as a bundle",
    "run.cancel": "cancelled a run",
    "run.retry": "queued a run again",
    "run.export": "exported a run",
    "run.bundle": "took a run away as a bundle",
    "bundle.import": "brought a bundle in",
    "signature.ask": "asked for a signature",
    "exception.record": "compared by exception",
    "exception.revoke": "ended an exception",
}
"""Action -> what the person did. A test holds this against what services write."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What of the log is asked for; `notes` tell what of it was not understood and left out."""

    action: str = ""
    person: str = ""
    text: str = ""
    since: datetime | None = None
    until: datetime | None = None
    notes: tuple[str, ...] = ()

    @property
    def narrow(self) -> bool:
        return bool(self.action or self.person or self.text or self.since or self.until)


def asked_of(given: Mapping[str, str]) -> Asked:
    """`action`, `person`, `text`, `since` and `until` (days, UTC, both included) of an address."""
    notes: list[str] = []
    action = given.get("action", "")
    if action and action not in ACTIONS:
        notes.append(f"No action is called “{action[:40]}”; all are shown.")
        action = ""
    since, until = (_day(given.get(name, ""), at, notes) for name, at in (("since", time.min), ("until", time.max)))
    person, text = (given.get(name, "").replace("\x00", "").strip()[:120] for name in ("person", "text"))
    return Asked(action, person, text, since, until, tuple(notes))


def _day(text: str, at: time, notes: list[str]) -> datetime | None:
    if not text:
        return None
    try:
        found = parse_date(text)
    except ValueError:  # the 30th of February
        found = None
    if found is None:
        notes.append(f"“{text[:40]}” is no day; expected one like 2026-07-31.")
        return None
    return datetime.combine(found, at, tzinfo=timezone.get_default_timezone())


def entries(user: User, workspace: Workspace, asked: Asked) -> QuerySet[AuditEntry]:
    """What was done in `workspace`, newest first. For its owners."""
    require(user, workspace, Act.ADMINISTER)
    found = AuditEntry.objects.filter(workspace=workspace).select_related("user")
    if asked.action:
        found = found.filter(action=asked.action)
    if asked.person:
        found = found.filter(user__username=asked.person)
    if asked.text:
        found = found.filter(Q(target__icontains=asked.text) | Q(detail__icontains=asked.text))
    if asked.since:
        found = found.filter(at__gte=asked.since)
    return found.filter(at__lte=asked.until) if asked.until else found


def people_in(workspace: Workspace) -> list[str]:
    """Names of those who ever did something here."""
    found = User.objects.filter(pk__in=AuditEntry.objects.filter(workspace=workspace).values("user"))
    return list(found.order_by("username").values_list("username", flat=True))


def signed_in(sender: Any, request: HttpRequest | None, user: User, **_: Any) -> None:
    _everywhere(user, "sign.in")


def signed_out(sender: Any, request: HttpRequest | None, user: User | None, **_: Any) -> None:
    if user is not None:  # a session that had ended by itself
        _everywhere(user, "sign.out")


@transaction.atomic
def _everywhere(user: User, action: str) -> None:
    """Whoever signs in reaches every workspace of theirs, so each of them hears of it."""
    for workspace in workspaces_of(user):
        audit(workspace=workspace, user=user, action=action, target=user.get_username())
