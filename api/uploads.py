"""Files that are sent: counted while they stream in, refused before anything of them is kept."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from api.parsers import PlainJson
from planner.web.uploads import Limited


class TakesFile:
    """For endpoints with a file among their fields: put it before the endpoint's base, and read `sent()`."""

    parser_classes = [MultiPartParser, PlainJson]

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """The limit is in place before anything reads the body, the check of a session's CSRF token included."""
        self.limited = Limited(request, settings.UPLOAD_LIMIT_BYTES)
        request.upload_handlers.insert(0, self.limited)
        return super().initialize_request(request, *args, **kwargs)

    def sent(self) -> Any:
        """The fields of the body, files among them; what was too large is refused here."""
        given = self.request.data
        if self.limited.too_large:
            limit = settings.UPLOAD_LIMIT_BYTES
            raise RequestDataTooBig(f"The file is larger than {limit:,} bytes; nothing was kept. Pack it with gzip.")
        return given
