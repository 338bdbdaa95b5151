"""What every page's shell needs: the workspaces of the person and the state of the queue."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


def shell(request: HttpRequest) -> dict[str, Any]:
    return {}
