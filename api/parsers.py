"""JSON bodies: bounded in size and depth, without characters that no database keeps."""

from __future__ import annotations

import json
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

DEEPEST = 64


class PlainJson(BaseParser):
    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body = parser_context["request"]._request.body  # reading the stream instead would pass by the size limit
        try:
            found = json.loads(body.decode("utf-8"), parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The body is not JSON: {str(error)[:200]}.") from None
        _check(found, 0)
        return found


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is not a number in JSON")


def _check(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise ParseError(f"The body is nested deeper than {DEEPEST} levels.")
    if isinstance(value, dict):
        for key, part in value.items():
            _check(key, depth)
            _check(part, depth + 1)
    elif isinstance(value, list):
        for part in value:
            _check(part, depth + 1)
    elif isinstance(value, str) and any(c == "\x00" or "\ud800" <= c <= "\udfff" for c in value):
        raise ParseError("The body holds a text with a NUL character or half a surrogate pair.")
    elif isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise ParseError("The body holds a number that is too large.")
