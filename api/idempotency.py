"""A request that names an Idempotency-Key is done once, however often it is sent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.models import KeyedRequest

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEPT = timedelta(hours=24)
_LONGEST = 200

Handler = Callable[..., Response]


class KeyReused(APIException):
    status_code = status.HTTP_409_CONFLICT
    default_code = "key-reused"
    default_detail = "This Idempotency-Key was given with another request before."


def once(handler: Handler) -> Handler:
    """Give a handler the promise: the same key and request again gets the first answer, and changes nothing.

    Key and effects are committed together. Whoever comes second at the same moment waits for the first: at the unique
    key, or where a database has one writer at a time, at its door. What failed is not remembered.
    """

    @wraps(handler)
    def keyed(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(HEADER)
        if key is None:
            return handler(view, request, *args, **kwargs)
        if not 1 <= len(key) <= _LONGEST or not key.isprintable() or not key.isascii():
            raise ValidationError({HEADER: f"Expected 1 to {_LONGEST} printable ASCII characters."})
        with transaction.atomic():
            known, new = _claimed(request, key)
            if not new:
                return Response(json.loads(known.body), status=known.status, headers={REPLAYED: "true"})
            response = handler(view, request, *args, **kwargs)
            known.status, known.body = response.status_code, JSONRenderer().render(response.data).decode()
            known.save(update_fields=["status", "body"])
        return response

    keyed.keyed = True
    return keyed


def _claimed(request: Request, key: str) -> tuple[KeyedRequest, bool]:
    """The row of this key, and whether it is new; KeyReused where it belongs to another request."""
    KeyedRequest.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    mark = _fingerprint(request)
    row, new = KeyedRequest.objects.get_or_create(user=request.user, key=key, defaults={"fingerprint": mark})
    if row.fingerprint != mark:
        raise KeyReused
    return row, new


def _fingerprint(request: Request) -> str:
    asked = {"method": request.method, "path": request.get_full_path(), "content": _content(request.data)}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _content(data: Any) -> Any:
    """The body as JSON, files by their digest; they are left as if nobody had read them."""
    if hasattr(data, "lists"):
        return {name: [_content(value) for value in values] for name, values in data.lists()}
    if isinstance(data, UploadedFile):
        digest = hashlib.file_digest(data, "sha256").hexdigest()
        data.seek(0)
        return {"name": data.name, "sha256": digest}
    return data
