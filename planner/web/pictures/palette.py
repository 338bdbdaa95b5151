"""Colours of pictures: those of the stylesheet in its light scheme, so that they stand in one place only."""

from __future__ import annotations

import re
from functools import cache

from django.conf import settings

_TOKEN = re.compile(r"--([\w-]+): light-dark\((#[0-9A-Fa-f]{6}),")


@cache
def _tokens() -> dict[str, str]:
    text = (settings.BASE_DIR / "static" / "headroom.css").read_text(encoding="utf-8")
    return dict(_TOKEN.findall(text))


def color(name: str) -> tuple[str, float]:
    """`@token` or `@token/.45` of a figure as (#rrggbb, opacity). KeyError on a token that the stylesheet has not."""
    token, _, alpha = name.removeprefix("@").partition("/")
    return _tokens()[token], float(alpha) if alpha else 1.0


def ink(token: str) -> str:
    return _tokens()[token]
