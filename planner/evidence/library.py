"""The library of systems, read from the engine's registry. The engine is loaded when first asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404

if TYPE_CHECKING:
    from simulation.systems.system import System

WORK = {"training": "Training", "inference": "Services"}
"""What a system schedules -> its title on pages."""


def systems(work: str = "") -> list[System]:
    """All systems in the order of the registry, or those of one kind of work."""
    from simulation.systems.registry import SYSTEMS

    return [system for system in SYSTEMS.values() if work in ("", system.workload)]


def system_for(slug: str) -> System:
    for system in systems():
        if system.slug == slug:
            return system
    raise Http404("No such system")
