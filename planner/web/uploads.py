"""Uploads that stop at their limit while they stream in, before anything of them is kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect

DRAINED = 8
"""A body of up to so many times the limit is read to its end, so that the browser gets our answer and not a reset."""


class Limited(FileUploadHandler):
    """Counts the bytes of all files of a request; beyond the limit it stops and says so in `too_large`."""

    def __init__(self, request: HttpRequest, limit: int) -> None:
        super().__init__(request)
        self.limit, self.seen, self.too_large = limit, 0, False

    def handle_raw_input(
        self, input_data: Any, META: Any, content_length: int, boundary: bytes, encoding: str | None = None
    ) -> None:
        if content_length > DRAINED * self.limit:
            self.too_large = True
            raise StopUpload(connection_reset=True)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        self.seen += len(raw_data)
        if self.seen > self.limit:
            self.too_large = True
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def limited_upload(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give `view` a keyword `too_large`: whether the upload was larger than the settings permit, and so is not there.

    The limit has to be in place before anything reads the body, the CSRF check included: so that check runs inside.
    A view that is told `too_large` must only answer; it is called without the check, for there may be no token left.
    """
    checked = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def outer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        limited = Limited(request, settings.UPLOAD_LIMIT_BYTES)
        request.upload_handlers.insert(0, limited)
        try:
            request.POST  # noqa: B018 reads the body
        except (RequestDataTooBig, StopUpload):
            limited.too_large = True
        called = view if limited.too_large else checked
        return called(request, *args, too_large=limited.too_large, **kwargs)

    return outer
