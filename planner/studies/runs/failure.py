"""The reason of a failed run in words that a page may show: no path of this machine, no secret."""

from __future__ import annotations

import re

from django.conf import settings

_LENGTH = 500
_PATH = re.compile(r"(?:[A-Za-z]:)?(?:[/\\][\w.@+~-]+){2,}")
_CREDENTIALS = re.compile(r"(\w+://)[^\s/@]+@")


def reason_of(error: BaseException) -> str:
    """What went wrong, in one paragraph, fit to be shown to any member of the workspace."""
    if isinstance(error, MemoryError):
        limit = settings.RUN_MEMORY_LIMIT_BYTES / 1024**3
        return f"Needed more memory than a run may take ({limit:.1f} GiB). Use fewer jobs or a lower demand factor."
    text = " ".join(str(error).split())
    for secret in _secrets():
        text = text.replace(secret, "***")
    text = _CREDENTIALS.sub(r"\1***@", text)
    text = _PATH.sub(lambda path: re.split(r"[/\\]", path.group())[-1], text)
    return f"{type(error).__name__}: {text}"[:_LENGTH] if text else type(error).__name__


def overtime_reason() -> str:
    return f"Took longer than a run may take ({settings.RUN_TIME_LIMIT_S:,.0f} s)."


def _secrets() -> list[str]:
    given = [settings.SECRET_KEY, str(settings.DATABASES["default"].get("PASSWORD") or ""), settings.REDIS_URL]
    return [secret for secret in given if len(secret) >= 6]
