"""What the planner says about systems, asked of the engine's registry."""

from __future__ import annotations


def regime(slug: str) -> str:
    return ""
