"""The audit log as a table."""

from __future__ import annotations

from collections.abc import Iterable

from planner.accounts.audit import ACTIONS, Asked
from planner.accounts.models import AuditEntry, Workspace
from planner.web.exports.table import Table

MOST = 100_000
"""Rows of one file, newest first; a spreadsheet takes ten times as many, a server rather not."""
HEAD = ("at", "person", "action", "what", "object", "detail")


def audit_table(workspace: Workspace, rows: Iterable[AuditEntry], asked: Asked) -> Table:
    told = tuple((row.at.isoformat(), _who(row), row.action, words(row), row.target, _detail(row)) for row in rows)
    days = {name: f"{day:%Y-%m-%d}" for name, day in (("since", asked.since), ("until", asked.until)) if day}
    narrow = {"action": asked.action, "person": asked.person, "text": asked.text} | days
    about = {"workspace": workspace.slug} | {name: value for name, value in narrow.items() if value}
    return Table("audit", workspace.name, HEAD, told, about)


def words(entry: AuditEntry) -> str:
    return ACTIONS.get(entry.action, entry.action)


def _who(entry: AuditEntry) -> str:
    return entry.user.get_username() if entry.user else ""


def _detail(entry: AuditEntry) -> str:
    return "; ".join(f"{name} {value}" for name, value in sorted(entry.detail.items()))
