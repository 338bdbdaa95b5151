"""A published (or plain) scheduling system: what it is, and the recipe that it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from simulation.systems.claim import Claim
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Signature


@dataclass(frozen=True)
class System:
    """`objectives` and `resources` are its place on the two axes of the survey of the field."""

    slug: str
    name: str
    title: str
    workload: Literal["training", "inference"]
    objectives: tuple[str, ...]
    resources: tuple[str, ...]
    description: str
    sources: tuple[str, ...]
    recipe: Recipe
    venue: str | None = None
    year: int | None = None
    claims: tuple[Claim, ...] = ()
    signature: Signature | None = None

    @property
    def information(self) -> str:
        return self.recipe.information.name.lower()

    def document(self) -> dict[str, Any]:
        """JSON for pages and the command line."""
        return {
            "slug": self.slug,
            "name": self.name,
            "title": self.title,
            "venue": self.venue,
            "year": self.year,
            "workload": self.workload,
            "objectives": list(self.objectives),
            "resources": list(self.resources),
            "information": self.information,
            "description": self.description,
            "sources": list(self.sources),
            "recipe": self.recipe.describe(),
            "parameters": self.recipe.parameters(),
            "claims": [claim.document() for claim in self.claims],
        }
