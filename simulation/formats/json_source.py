"""JSON documents under limits: size, depth, plain values; the error names the line."""

from __future__ import annotations

import json
from typing import Any

from simulation.formats.errors import FormatError
from simulation.formats.source import Source


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
    depth = line = 0
    in_string = escaped = False
    for character in text if text.count("[") + text.count("{") > source.limits.nesting else "":
        if escaped:
            escaped = False
        elif in_string:
            escaped = character == "\\"
            in_string = character != '"'
        elif character == '"':
            in_string = True
        elif character in "[{":
            depth += 1
            if depth > source.limits.nesting:
                raise FormatError(source.name, line=line + 1, expected=f"JSON at most {source.limits.nesting} deep")
        elif character in "]}":
            depth -= 1
        elif character == "\n":
            line += 1
