"""A file as it would be imported under the answers given so far: read, drafted, and with every question listed."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, replace
from io import BytesIO

from django.conf import settings
from pydantic import ValidationError

from planner.accounts.models import User, Workspace
from planner.catalog import selectors
from planner.catalog.drafts import DRAFTS, Context, Draft
from planner.catalog.models import Kind
from simulation.formats.errors import FormatError
from simulation.formats.interview import Interview
from simulation.formats.limits import Limits
from simulation.formats.reading import Question, Reading
from simulation.formats.registry import HEAD_BYTES, Candidate, detect, read

LIKELY = 0.15
"""How much a person's word for what the file holds counts beside what the file looks like (0 to 1)."""

ANY_TABLE = "generic-jobs"
"""The reader with the widest layout: what it refuses is no table at all."""


@dataclass(frozen=True, slots=True)
class Intake:
    """A reading and the draft of what it would save; `answers` are those in force, given or default."""

    reading: Reading
    draft: Draft
    questions: tuple[Question, ...]
    answers: dict[str, str]

    @property
    def open(self) -> tuple[Question, ...]:
        return tuple(question for question in self.questions if question.key not in self.answers)

    @property
    def ready(self) -> bool:
        return not self.open and self.draft.complete


def limits() -> Limits:
    """What the website accepts: uploads as the settings say, unpacked to at most twenty times that."""
    largest = settings.UPLOAD_LIMIT_BYTES
    return Limits(file_bytes=largest, expanded_bytes=20 * largest)


def candidates(content: bytes, filename: str, kind: str | None = None) -> list[Candidate]:
    """Formats that fit, likeliest first; FormatError where none does, naming those that are read."""
    found = detect(content[:HEAD_BYTES], filename)
    if not found:
        read(ANY_TABLE, BytesIO(content), filename=filename, limits=limits())  # says what the file is instead
        raise FormatError(filename, expected="a file in one of the formats listed on this page; none of them fits")
    return sorted(found, key=lambda one: -(one.confidence + LIKELY * (one.kind == kind)))


def understand(
    slug: str,
    content: bytes,
    filename: str,
    answers: dict[str, str],
    *,
    workspace: Workspace,
    user: User,
    sha256: str = "",
) -> Intake:
    """Read and draft; FormatError for whatever is wrong with the file or an answer.

    `sha256` is that of the file as it came in, where `content` is what may be stored of it.
    """
    reading = read(slug, BytesIO(content), answers, filename=filename, limits=limits())
    reading = replace(reading, sha256=sha256 or reading.sha256)
    interview = Interview(answers, filename)
    context = Context(
        user.get_username(),
        pseudonym=lambda name: pseudonym(workspace, name),
        clusters=lambda: selectors.newest(workspace, Kind.CLUSTER),
        price_sheets=lambda: selectors.newest(workspace, Kind.PRICES),
    )
    try:
        draft = DRAFTS[reading.kind](reading, interview, context)
    except ValidationError as error:
        raise FormatError(filename, expected=error.errors()[0]["msg"]) from None
    questions = (*reading.questions, *interview.questions)
    return Intake(reading, draft, questions, {**reading.answers, **interview.answers})


def pseudonym(workspace: Workspace, name: str) -> str:
    """The same short name for the same person in every file of a workspace; not to be undone without the secret key."""
    key = f"{settings.SECRET_KEY}/{workspace.id}".encode()
    return f"user-{hmac.new(key, name.encode(), hashlib.sha256).hexdigest()[:8]}"
