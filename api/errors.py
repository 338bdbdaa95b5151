"""The one shape of everything that is refused: what is wrong, where, and the name of the request."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import singledispatch
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.files.uploadhandler import StopUpload
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.request_id import request_id
from planner.accounts.models import ApiToken
from planner.catalog.documents import DocumentError
from planner.catalog.selectors import differences
from planner.catalog.services import Conflict
from planner.catalog.services_imports import ImportClosed
from planner.studies.spec import SpecError
from simulation.bundles.errors import BundleError
from simulation.formats.errors import FormatError

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
CODES = {
    "invalid": "A field of the request is wrong; `problems` names each.",
    "unreadable-file": "The file, or an answer about it, cannot be read; `problems` names line and column.",
    "unauthenticated": "No token, or one that is unknown, revoked or past its end.",
    "forbidden": "You may read here, but not do this; or your token may only read.",
    "not-found": "There is no such thing, or it belongs to a workspace of others.",
    "method-not-allowed": "This address knows other methods only.",
    "not-acceptable": "This address does not answer in the media type that was asked for.",
    "conflict": "Somebody else changed it meanwhile, or its state does not allow this any more.",
    "key-reused": "The Idempotency-Key was given with another request before.",
    "too-large": "The body is larger than this installation accepts.",
    "unsupported-media-type": "The body is of a type that this address does not read.",
    "throttled": "Too many requests; `Retry-After` says how many seconds to wait.",
    "failed": "The server failed. The request id leads to the line in its log.",
}
_OF_STATUS = {
    400: "invalid", 401: "unauthenticated", 403: "forbidden", 404: "not-found", 405: "method-not-allowed",
    406: "not-acceptable", 409: "conflict", 413: "too-large", 415: "unsupported-media-type", 429: "throttled",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is wrong, and where; what does not apply is None."""

    message: str
    field: str | None = None
    line: int | None = None
    column: str | None = None
    value: str | None = None
    expected: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    status: int
    message: str
    problems: tuple[Trouble, ...] = ()
    code: str = ""


class ProblemRenderer(JSONRenderer):
    media_type = MEDIA_TYPE
    format = "problem"


def problem(request: HttpRequest, told: Told) -> dict[str, Any]:
    return {
        "code": told.code or _OF_STATUS[told.status],
        "status": told.status,
        "message": told.message,
        "problems": [asdict(one) for one in told.problems],
        "request_id": request_id(request),
    }


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an exception of a view; None leaves an unforeseen one to be logged as a fault of ours."""
    said = told(error)
    if said is None:
        return None
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait) + 1)
    return Response(problem(context["request"]._request, said), status=said.status, headers=headers)


@singledispatch
def told(error: Exception) -> Told | None:
    """What to tell of an exception; None where it is not one that a caller can bring about."""
    return None


@told.register
def _(error: exceptions.APIException) -> Told:
    code = error.default_code if error.default_code in CODES else ""
    detail = getattr(error, "detail", "")
    if isinstance(error, exceptions.ValidationError):
        return _invalid(*_flat(detail))
    return Told(error.status_code, str(detail), code=code)


@told.register(Http404)
def _(error: Http404) -> Told:
    return Told(404, str(error) or "There is nothing here.")


@told.register
def _(error: PermissionDenied) -> Told:
    return Told(403, str(error) or "You may not do this.")


@told.register
def _(error: ApiToken.DoesNotExist) -> Told:
    return Told(404, "No such token")


@told.register
def _(error: SuspiciousOperation) -> Told:
    return Told(413 if isinstance(error, RequestDataTooBig) else 400, str(error))


@told.register
def _(error: StopUpload) -> Told:
    return Told(413, "The file is far larger than this installation accepts; nothing was read.")


@told.register
def _(error: SpecError) -> Told:
    return _invalid(*(Trouble(one.sentence, one.field) for one in error.problems))


@told.register
def _(error: DocumentError) -> Told:
    field, stop, _rest = str(error).partition(":")
    return _invalid(Trouble(str(error), field if stop and len(field) <= 60 else None))


@told.register
def _(error: FormatError) -> Told:
    place = Trouble(str(error), None, error.line, error.column, error.value or None, error.expected)
    return Told(400, str(error), (place,), "unreadable-file")


@told.register
def _(error: BundleError) -> Told:
    return Told(400, str(error), code="unreadable-file")


@told.register
def _(error: ImportClosed) -> Told:
    return Told(409, str(error))


@told.register
def _(error: Conflict) -> Told:
    changed = differences(error.started_from, error.newest)
    problems = (Trouble(f"was {row['old']!r}, is now {row['new']!r}", row["path"]) for row in changed)
    return Told(409, str(error), tuple(problems))


def _invalid(*problems: Trouble) -> Told:
    first = problems[0] if problems else Trouble("The request is wrong.")
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return Told(400, f"{first.field}: {first.message}{more}" if first.field else f"{first.message}{more}", problems)


def _flat(detail: Any, path: str = "") -> Iterator[Trouble]:
    """The nested complaints of serializers, one a field: `lines.2.amount`."""
    if isinstance(detail, dict):
        for key, part in detail.items():
            yield from _flat(part, path if key == "non_field_errors" else f"{path}.{key}".lstrip("."))
    elif isinstance(detail, list) and any(isinstance(part, dict | list) for part in detail):
        for at, part in enumerate(detail):
            yield from _flat(part, f"{path}.{at}".lstrip("."))
    else:
        for text in detail if isinstance(detail, list) else [detail]:
            yield Trouble(str(text), path or None)


def not_found(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """For addresses below /api/ that lead nowhere."""
    return _json(request, Told(404, "There is no such address; /api/v1/openapi.json lists all."))


def server_error(request: HttpRequest) -> HttpResponse:
    """Faults of ours: a problem for programs, a page for people."""
    log.error("request %s failed", request_id(request))
    if not request.path.startswith("/api/"):
        return defaults.server_error(request)
    return _json(request, Told(500, f"{CODES['failed']}", code="failed"))


def _json(request: HttpRequest, said: Told) -> HttpResponse:
    return JsonResponse(problem(request, said), status=said.status, content_type=MEDIA_TYPE)
