"""Imports: a file is stored and asked about; accepting it saves one revision, in one transaction, or nothing."""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from typing import Any, BinaryIO

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from planner.accounts.models import User, Workspace
from planner.accounts.selectors import Act, require
from planner.accounts.services import audit
from planner.catalog.documents import DocumentError, workload_in
from planner.catalog.intake import Intake, candidates, understand
from planner.catalog.models import Import, ImportIssue, Item, Kind, Revision
from planner.catalog.preview import preview_of
from planner.catalog.services import NewSource, revision_add
from simulation.formats.errors import FormatError
from simulation.formats.reading import RowIssue
from simulation.formats.registry import FORMATS
from simulation.provenance import Origin, weakest
from simulation.scenario import Workload

TARGET = ("name", "item")
"""Answers about where the import goes; all others are about the file."""
ISSUES_KEPT = 20_000
BATCH = 2_000


class ImportClosed(Exception):
    """The import was accepted or discarded before."""


def import_create(
    *,
    workspace: Workspace,
    user: User,
    upload: BinaryIO,
    kind: str | None = None,
    filename: str = "",
    format: str | None = None,
    answers: dict[str, str] | None = None,
) -> Import:
    """Store a file and what is understood of it. FormatError, and nothing stored, where it cannot be read.

    `kind` (jobs, nodes, requests, prices) is what the person takes the file for; `format` overrides detection.
    """
    require(user, workspace, Act.EDIT)
    name = _safe_name(filename or getattr(upload, "name", "") or "pasted text")
    content = upload.read(settings.UPLOAD_LIMIT_BYTES + 1)
    if len(content) > settings.UPLOAD_LIMIT_BYTES:
        raise FormatError(name, expected=f"at most {settings.UPLOAD_LIMIT_BYTES:,} bytes")
    found = candidates(content, name, kind) if format is None else []
    slug = format or found[0].slug
    if slug not in FORMATS:
        raise FormatError(name, column="format", value=slug, expected=f"one of {', '.join(FORMATS)}")
    intake = understand(slug, content, name, answers or {}, workspace=workspace, user=user)
    with transaction.atomic():
        importing = Import.objects.create(
            workspace=workspace,
            kind=intake.reading.kind,
            format=slug,
            file_name=name,
            size=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            content=FORMATS[slug].redact(content),
            answers=answers or {},
            preview=preview_of(intake, found),
            created_by=user,
        )
        audit(workspace=workspace, user=user, action="import.create", target=name, sha256=importing.sha256)
    return importing


def import_answer(*, importing: Import, user: User, answers: dict[str, str], format: str | None = None) -> Import:
    """Answer questions (all, or some of them), or read the file as another format; the preview follows.

    FormatError, and nothing stored, where an answer cannot be.
    """
    require(user, importing.workspace, Act.EDIT)
    _require_open(importing)
    slug = format or importing.format
    merged = {**(importing.answers if slug == importing.format else {}), **answers}
    merged = {key: value for key, value in merged.items() if value is not None}
    intake = _understood(importing, user, merged, slug)
    with transaction.atomic():
        changed = Import.objects.filter(pk=importing.pk, state=Import.State.UPLOADED).update(
            answers=merged,
            format=slug,
            kind=intake.reading.kind,
            **({} if slug == importing.format else {"content": FORMATS[slug].redact(bytes(importing.content))}),
            preview={**preview_of(intake, []), "candidates": importing.preview["candidates"]},
        )
        if not changed:
            raise ImportClosed(f"{importing.file_name} was accepted or discarded meanwhile.")
    return Import.objects.select_related("workspace").get(pk=importing.pk)


def import_accept(*, importing: Import, user: User, answers: dict[str, str] | None = None) -> Revision:
    """Save what the file says as one revision; the import then names it, and `added` says whether it is new.

    `answers` may hold last ones, among them `name` (of a new item) or `item` (id of the one to add a revision to).
    The same file with the same answers gives the revision that it gave before. FormatError or DocumentError, and
    nothing stored, where something is open or wrong.
    """
    require(user, importing.workspace, Act.EDIT)
    _require_open(importing)
    merged = {**importing.answers, **(answers or {})}
    intake = _understood(importing, user, merged, importing.format)
    if intake.open:
        question = intake.open[0]
        raise FormatError(importing.file_name, column=f"answer {question.key}", expected=question.text)
    if intake.draft.kind is None:
        raise FormatError(importing.file_name, expected="a file of which something is saved; this kind is only shown")
    if not intake.draft.complete:
        raise FormatError(importing.file_name, expected="at least one row that can be used; see the reasons")
    with transaction.atomic():
        earlier = _same_before(importing, intake, merged)
        revision = earlier or _saved(importing, user, intake, merged)
        ours = revision.source.detail.get("import") == str(importing.id)
        _close(importing, intake, merged, revision, added=ours)
        told = {"revision": str(revision), "added": ours}
        audit(workspace=importing.workspace, user=user, action="import.accept", target=importing.file_name, **told)
    return revision


def import_discard(*, importing: Import, user: User) -> None:
    """Forget a file that was not accepted: its bytes go, the line in the list stays."""
    require(user, importing.workspace, Act.EDIT)
    with transaction.atomic():
        open_ = Import.objects.filter(pk=importing.pk, state=Import.State.UPLOADED)
        if not open_.update(state=Import.State.DISCARDED, content=b"", preview={}):
            raise ImportClosed(f"{importing.file_name} was accepted or discarded before.")
        audit(workspace=importing.workspace, user=user, action="import.discard", target=importing.file_name)


@transaction.atomic
def import_again(*, importing: Import, user: User) -> Import:
    """Open the file of an accepted import anew, with its answers, to change some of them."""
    require(user, importing.workspace, Act.EDIT)
    again = Import.objects.get(pk=importing.pk)
    if again.state != Import.State.ACCEPTED:
        raise ImportClosed("Only an accepted import can be opened again.")
    again.pk = None
    again._state.adding = True
    again.state, again.revision, again.added, again.accepted_at = Import.State.UPLOADED, None, None, None
    again.created_by = user
    again.answers = {key: value for key, value in again.answers.items() if key not in TARGET}
    if importing.revision is not None:
        again.answers["item"] = str(importing.revision.item_id)
    again.save()
    return again


def rejected_rows(importing: Import, user: User) -> tuple[RowIssue, ...]:
    """Every refused row with its reason, read from the stored file."""
    require(user, importing.workspace)
    return _understood(importing, user, importing.answers, importing.format).reading.rejected


def _understood(importing: Import, user: User, answers: dict[str, str], slug: str) -> Intake:
    if slug not in FORMATS:
        raise FormatError(importing.file_name, column="format", value=slug, expected=f"one of {', '.join(FORMATS)}")
    content, workspace = bytes(importing.content), importing.workspace
    return understand(
        slug, content, importing.file_name, answers, workspace=workspace, user=user, sha256=importing.sha256
    )


def _require_open(importing: Import) -> None:
    if importing.state != Import.State.UPLOADED:
        raise ImportClosed(f"{importing.file_name} was {importing.get_state_display().lower()} before.")


def _safe_name(name: str) -> str:
    """The last part of a name, printable characters only; a path in it is nobody's business."""
    last = PurePath(name.replace("\\", "/")).name
    return "".join(c for c in last if c.isprintable())[:255] or "unnamed file"


def _settled(intake: Intake, answers: dict[str, str]) -> dict[str, str]:
    """All that decides what is saved: the answers in force, and where it goes."""
    return {**intake.answers, **{key: answers[key] for key in TARGET if answers.get(key)}}


def _same_before(importing: Import, intake: Intake, answers: dict[str, str]) -> Revision | None:
    """The revision that this file gave before under the same reader and answers."""
    settled, version = _settled(intake, answers), intake.reading.version
    accepted = Import.objects.filter(
        workspace=importing.workspace,
        state=Import.State.ACCEPTED,
        sha256=importing.sha256,
        format=importing.format,
        revision__isnull=False,
    )
    for other in accepted.defer("content").select_related("revision__item"):
        if other.answers == settled and other.preview.get("version") == version:
            return other.revision
    return None


def _saved(importing: Import, user: User, intake: Intake, answers: dict[str, str]) -> Revision:
    draft, workspace = intake.draft, importing.workspace
    item = _target(workspace, draft.kind, answers.get("item", ""))
    name = item.name if item else answers.get("name", "").strip() or _stem(importing.file_name)
    workload, origin = _merged(draft.workload, item, draft.origin)
    document = draft.document
    if document is not None and "cluster" in document:
        document = {**document, "cluster": {**document["cluster"], "name": name}}
    source = NewSource(
        title=f"{importing.file_name} ({importing.preview['title']})",
        origin=draft.origin,
        file_name=importing.file_name,
        sha256=importing.sha256,
        detail={
            "format": importing.format,
            "version": intake.reading.version,
            "size": importing.size,
            "answers": intake.answers,
            "counts": importing.preview["counts"],
            "import": str(importing.id),
        },
    )
    return revision_add(
        workspace=workspace,
        user=user,
        kind=draft.kind,
        item=item,
        name=name,
        document=document,
        workload=workload,
        origin=origin,
        source=source,
        note=f"imported from {importing.file_name}",
        facts=draft.facts,
    )


def _target(workspace: Workspace, kind: Kind, id: str) -> Item | None:
    if not id:
        return None
    try:
        return Item.objects.get(workspace=workspace, kind=kind, id=id)
    except (Item.DoesNotExist, ValidationError):  # not there, or not an id at all
        raise DocumentError("item: there is no such one to add a revision to") from None


def _merged(new: Workload | None, item: Item | None, origin: Origin) -> tuple[Workload | None, Origin]:
    """Added to a workload, jobs replace its jobs and a service joins its services (or takes its name's place)."""
    newest = Revision.objects.filter(item=item).order_by("-number").first() if item and new else None
    if newest is None or new is None:
        return new, origin
    old = workload_in(newest)
    names = {service.name for service in new.services}
    services = [*(service for service in old.services if service.name not in names), *new.services]
    kept_old = (new.jobs is None and old.jobs is not None) or len(services) > len(new.services)
    merged = Workload(jobs=new.jobs or old.jobs, services=services)
    return merged, weakest([origin, newest.origin]) if kept_old else origin


def _stem(filename: str) -> str:
    """A name for people: `sacct_march.psv.gz` -> `sacct march`."""
    return filename.split(".", 1)[0].replace("_", " ").strip()[:100] or filename[:100]


def _close(importing: Import, intake: Intake, answers: dict[str, str], revision: Revision, *, added: bool) -> None:
    changed = Import.objects.filter(pk=importing.pk, state=Import.State.UPLOADED).update(
        state=Import.State.ACCEPTED,
        accepted_at=timezone.now(),
        answers=_settled(intake, answers),
        preview={**preview_of(intake, []), "candidates": importing.preview["candidates"]},
        revision=revision,
        added=added,
    )
    if not changed:
        raise ImportClosed(f"{importing.file_name} was accepted or discarded meanwhile.")
    reading = intake.reading
    issues = [*((True, one) for one in reading.rejected), *((False, one) for one in reading.warned)]
    rows = [_issue(importing, rejected, one) for rejected, one in issues[:ISSUES_KEPT]]
    ImportIssue.objects.bulk_create(rows, batch_size=BATCH)
    importing.refresh_from_db(fields=["state", "accepted_at", "answers", "preview", "revision", "added"])


def _issue(importing: Import, rejected: bool, one: RowIssue) -> ImportIssue:
    texts: dict[str, Any] = {"column": one.column or "", "value": one.value, "expected": one.expected}
    limits = {"column": 100, "value": 200, "expected": 200}
    return ImportIssue(
        importing=importing,
        rejected=rejected,
        line=one.line,
        reason=one.reason[:300],
        raw=one.raw,
        **{key: text[: limits[key]] for key, text in texts.items()},
    )
