"""What the planner says about systems, asked of the engine's registry."""

from __future__ import annotations

from simulation.scenario import Choice


def titles() -> dict[str, str]:
    return {}


def complaints(role: str, choice: Choice) -> list[tuple[str, str]]:
    return []


def regime(slug: str) -> str:
    return ""


def baseline_roles(slug: str) -> set[str]:
    return set()
