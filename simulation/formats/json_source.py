"""JSON documents under limits: size, depth, plain values; the error names the line."""

from __future__ import annotations

import json
import re
from typing import Any

from simulation.formats.errors import FormatError
from simulation.formats.source import Source

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
"""A whole string, or a bracket outside of one."""


def read_json(source: Source) -> Any:
    """The document of a whole file; FormatError where it is no JSON, too deep, or holds NaN or infinities."""
    text = "\n".join(line for _, line in source.lines(long=True))
    try:
        document = json.loads(text, parse_constant=lambda word: _refuse(source, word))
    except json.JSONDecodeError as error:
        found = text[error.pos : error.pos + 40].split("\n", 1)[0]
        raise FormatError(source.name, line=error.lineno, value=found, expected=f"JSON ({error.msg})") from None
    except RecursionError:
        raise _too_deep(source) from None
    except ValueError:
        raise FormatError(source.name, expected="JSON with numbers within reason") from None
    _check_depth(document, source)
    return document


def _refuse(source: Source, word: str) -> None:
    raise FormatError(source.name, value=word, expected="finite numbers")


def _check_depth(document: Any, source: Source) -> None:
    """Level by level, so that the check itself needs no depth."""
    level = [document]
    for _ in range(source.limits.nesting):
        level = [part for one in level for part in _containers_in(one)]
    if level:
        raise _too_deep(source)


def _containers_in(one: Any) -> list[Any]:
    parts = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
    return [part for part in parts if isinstance(part, dict | list)]


def _too_deep(source: Source) -> FormatError:
    return FormatError(source.name, expected=f"JSON at most {source.limits.nesting} deep")
