"""Objects of Kubernetes from YAML (several documents) or JSON, every value as text; quantities such as 191450m, 2Gi."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import yaml

from simulation.formats.collector import CellError
from simulation.formats.errors import FormatError
from simulation.formats.json_source import read_json
from simulation.formats.quantities import MAX_COUNT
from simulation.formats.source import Source

Object = dict[str, Any]

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Makes texts, lists and mappings, and nothing else: no tag of a file is ever acted on."""
_QUANTITY = re.compile(r"([+-]?[0-9]{1,24}(?:\.[0-9]{1,12})?)(m|[kKMGTPE]i?|[eE][+-]?[0-9]{1,2})?")
_POWERS = "kMGTPE"


def kinds_in(text: str) -> set[str]:
    """Kinds of the objects at the beginning of a file, as far as it can be seen without parsing it."""
    return set(re.findall(r"(?:^\s*(?:- )?|[{,]\s*)[\"']?kind[\"']?\s*:\s*[\"']?(\w+)", text, re.MULTILINE))


def objects_of(source: Source) -> list[Object]:
    """All objects, those of lists unpacked; FormatError for what is neither JSON nor plain YAML with kinds."""
    first = source.bytes().read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    documents = [_as_texts(read_json(source))] if first in (b"{", b"[") else _yaml_documents(source)
    found = [one for document in documents for one in _unpacked(document)]
    for place, one in enumerate(found, start=1):
        if not isinstance(one, dict) or not isinstance(one.get("kind"), str):
            raise FormatError(
                source.name, value=json.dumps(one)[:80], expected=f"an object with kind and metadata in place {place}"
            )
    return found


def _unpacked(document: Any) -> Iterator[Any]:
    if isinstance(document, dict) and isinstance(document.get("items"), list):
        yield from document["items"]
    elif isinstance(document, list):
        yield from document
    elif document not in (None, ""):
        yield document


def _yaml_documents(source: Source) -> list[Any]:
    """Documents of a YAML file without aliases and tags: neither is in what kubectl prints, both can be hostile."""
    text = "\n".join(line for _, line in source.lines())
    try:
        _refuse_hostile(text, source)
        return list(yaml.load_all(text, Loader=_LOADER))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise FormatError(
            source.name, line=mark.line + 1 if mark else None, expected=f"YAML or JSON of Kubernetes ({problem})"
        ) from None
    except (ValueError, RecursionError):
        raise FormatError(source.name, expected="YAML of plain values, its depth within reason") from None


def _refuse_hostile(text: str, source: Source) -> None:
    depth, limit = 0, source.limits.nesting
    event: Any
    for event in yaml.parse(text, Loader=_LOADER):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise FormatError(source.name, line=line, value=f"*{event.anchor}", expected="YAML without aliases")
        if getattr(event, "tag", None):
            raise FormatError(source.name, line=line, value=str(event.tag), expected="YAML without tags")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > limit:
            raise FormatError(source.name, line=line, expected=f"YAML at most {limit} deep")


def _as_texts(value: Any) -> Any:
    """JSON with the values of YAML's plain loader: texts, lists and mappings alone."""
    if isinstance(value, dict):
        return {key: _as_texts(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_as_texts(one) for one in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def inside(value: Any, *path: str) -> Any:
    """What stands under a path of keys; None where a part of it is missing."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def mapping(value: Any, *path: str) -> dict[str, Any]:
    """The mapping under a path, empty where there is none."""
    found = inside(value, *path)
    return found if isinstance(found, dict) else {}


def listed(value: Any, *path: str) -> list[Any]:
    """The list under a path, empty where there is none."""
    found = inside(value, *path)
    return found if isinstance(found, list) else []


def text(value: Any, *path: str) -> str:
    """The text under a path, '' where there is none."""
    found = inside(value, *path)
    return found if isinstance(found, str) else ""


def quantity(amount: Any, column: str) -> Decimal:
    """A quantity of 0 or more: `8`, `191450m`, `2113440328Ki`, `129M`, `129e6`; CellError for anything else."""
    match = _QUANTITY.fullmatch(amount) if isinstance(amount, str) else None
    if match is None:
        raise CellError(column, str(amount), "a quantity such as 8, 500m, 129M or 2Gi", "not a quantity")
    value, unit = Decimal(match[1]), match[2] or ""
    if unit == "m":
        value /= 1000
    elif unit[:1] in ("e", "E") and len(unit) > 1 and unit[1] != "i":
        value *= Decimal(10) ** int(unit[1:])
    elif unit:
        value *= Decimal(1024 if unit.endswith("i") else 1000) ** (_POWERS.index(unit[0].replace("K", "k")) + 1)
    if value < 0:
        raise CellError(column, str(amount), "0 or more", "a negative amount")
    return value


def whole(amount: Any, column: str, most: int = MAX_COUNT) -> int:
    """A quantity that counts things."""
    value = quantity(amount, column)
    if value != int(value) or value > most:
        raise CellError(column, str(amount), f"a whole number, at most {most:,}", "not a count")
    return int(value)


def amounts(resources: Mapping[str, Any], names: tuple[str, ...], most: int) -> int:
    """The sum of the named resources; 0 where none of them is there."""
    return sum(whole(resources[name], name, most) for name in names if name in resources)
