"""The URL map as tests walk it: every route of the API and of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, get_resolver
from django.urls.resolvers import RoutePattern

METHODS = ("GET", "POST", "PATCH", "DELETE")


@dataclass(frozen=True)
class Route:
    """`name` with its namespace; `arguments` are the names in the path; `methods` are known of the API's classes."""

    name: str
    arguments: tuple[str, ...]
    methods: frozenset[str]

    @property
    def is_api(self) -> bool:
        return self.name.startswith("api:")


def routes() -> list[Route]:
    return list(_walk(get_resolver().url_patterns, "", ()))


def _walk(patterns, namespace: str, arguments: tuple[str, ...]) -> Iterator[Route]:
    for one in patterns:
        found = (*arguments, *one.pattern.converters) if isinstance(one.pattern, RoutePattern) else arguments
        if isinstance(one, URLPattern):
            view = getattr(one.callback, "cls", None)
            yield Route(f"{namespace}{one.name}", found, frozenset(m for m in METHODS if hasattr(view, m.lower())))
        else:
            inner = f"{namespace}{one.namespace}:" if one.namespace else namespace
            yield from _walk(one.url_patterns, inner, found)
