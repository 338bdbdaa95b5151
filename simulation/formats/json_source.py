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
    _check_depth(text, source)
    try:
        return json.loads(text, parse_constant=lambda word: _refuse(source, word))
    except json.JSONDecodeError as error:
        found = text[error.pos : error.pos + 40].split("\n", 1)[0]
        raise FormatError(source.name, line=error.lineno, value=found, expected=f"JSON ({error.msg})") from None
    except (RecursionError, ValueError):
        raise FormatError(source.name, expected="JSON with numbers and depth within reason") from None


def _refuse(source: Source, word: str) -> None:
    raise FormatError(source.name, value=word, expected="finite numbers")


def _check_depth(text: str, source: Source) -> None:
    """Depth of brackets outside of strings."""
    depth = 0
    for token in _TOKEN.finditer(text) if text.count("[") + text.count("{") > source.limits.nesting else ():
        if token[0] in "[{":
            depth += 1
            if depth > source.limits.nesting:
                line = text.count("\n", 0, token.start()) + 1
                raise FormatError(source.name, line=line, expected=f"JSON at most {source.limits.nesting} deep")
        elif token[0] in "]}":
            depth -= 1
