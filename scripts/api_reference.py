"""Writes docs/reference/api.md out of the OpenAPI document; a test holds the page against it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "api.md"
HEAD = """# REST API

Made by `python -m scripts.api_reference` out of the code of `api/`; do not edit. A running installation serves the
whole document at `/api/v1/openapi.json` and a page to read and try it at `/api/`.

- **Paths** are those of the pages, below `/api/v1`. Each page shows itself as calls at its foot ("Show as API call").
- **Who asks**: `Authorization: Bearer hr_...`, a token made on the page "API tokens": read-only or full, it ends after
  at most a year, can be revoked, and is kept as a digest alone. What belongs to other workspaces is 404.
- **Numbers** have `value`, `unit`, `origin` and `source`; null is unknown, never 0. Money is a decimal in a text.
- **Lists** come in pages: `page`, `page_size` (at most 200); `next` is the address of the next page.
- **Tables** are CSV by `Accept: text/csv` or `?format=csv`; cells that begin like formulas are made text.
- **Caching**: answers carry an `ETag`; `If-None-Match` is answered by 304 where nothing has changed.
- **Once**: a POST marked with a key takes an `Idempotency-Key`; within 24 h the same request under it gets the first
  answer, another request 409.
- **From Python**: [client](../../client/README.md), one file that gives pandas frames.
"""


def reference() -> str:
    from drf_spectacular.generators import SchemaGenerator

    from api.errors import CODES

    document = SchemaGenerator().get_schema(request=None, public=True)
    return "\n".join([HEAD, *_operations(document), "", *_errors(CODES)]) + "\n"


def _operations(document: dict[str, Any]) -> Iterator[str]:
    parts: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts.setdefault(operation["tags"][0], []).append(_row(path, method.upper(), operation))
    for part, rows in parts.items():
        yield f"## {part.capitalize()}"
        yield ""
        yield "| method | path below /api/v1 | what it does | parameters | key |"
        yield "| --- | --- | --- | --- | --- |"
        yield from rows
        yield ""


def _row(path: str, method: str, operation: dict[str, Any]) -> str:
    given = operation.get("parameters", [])
    asked = [p["name"] for p in given if p["in"] == "query" and not p["name"].startswith("limit.")]
    limits = ["`limit.<metric>`"] if any(p["name"].startswith("limit.") for p in given) else []
    keyed = "yes" if any(p["name"] == "Idempotency-Key" for p in given) else ""
    words = operation.get("description", "").split("\n\n")[0].replace("\n", " ")
    names = ", ".join([*(f"`{name}`" for name in asked), *limits])
    return f"| {method} | `{path.removeprefix('/api/v1')}` | {words} | {names} | {keyed} |"


def _errors(codes: dict[str, str]) -> Iterator[str]:
    yield "## Errors"
    yield ""
    yield "`application/problem+json` with `code`, `status`, `message`, `request_id` and `problems`: one entry a fault,"
    yield "with `field`, `message`, and of files `line`, `column`, `value` and what was `expected`."
    yield ""
    yield "| code | means |"
    yield "| --- | --- |"
    yield from (f"| `{code}` | {meaning} |" for code, meaning in codes.items())


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.config.settings")
    django.setup()
    PAGE.write_text(reference())
