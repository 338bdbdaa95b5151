"""What the page of a system shows, in words: parameters with their bounds and origin, facts, its place on the map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planner.web import numbers
from planner.web.figures.figure import listed
from simulation.provenance import Origin

if TYPE_CHECKING:
    from simulation.library.published import Published
    from simulation.systems.system import System


@dataclass(frozen=True, slots=True)
class Parameter:
    key: str  # as a scenario names it
    description: str
    value: str
    bounds: str
    unit: str
    source: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Map:
    """The grid in small: row by row, whether the system stands in the cell."""

    cells: tuple[bool, ...]
    objectives: str
    uses: str


def parameters(system: System) -> list[Parameter]:
    return [_parameter(row) for row in system.recipe.parameters()]


def _parameter(row: dict[str, Any]) -> Parameter:
    return Parameter(
        key=row["key"],
        description=row["description"],
        value=written(row["value"]),
        bounds=_bounds(row),
        unit=row["unit"],
        source=row["source"],
        origin=origin_of(row["source"]),
    )


def origin_of(source: str) -> Origin:
    """A default of ours is assumed; any other is cited from where its source says."""
    return Origin.ASSUMED if source.split(":")[0].strip() == "ours" else Origin.CITED


def written(value: Any) -> str:
    """A value of a parameter as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(written(item) for item in value) or "none"
    return exact(value) if isinstance(value, int | float) else str(value)


def exact(value: float) -> str:
    """A number that a person chose or published, with all its figures and no others."""
    return f"{value:,.12g}".replace("-", numbers.MINUS)


def _bounds(row: dict[str, Any]) -> str:
    if row["choices"]:
        return ", ".join(row["choices"])
    if isinstance(row["value"], bool):
        return "yes, no"
    low, high = (None if row[end] is None else written(row[end]) for end in ("low", "high"))
    if low is None or high is None:
        return f"from {low}" if low is not None else f"up to {high}" if high is not None else ""
    return f"{low} to {high}"


def claim_value(value: float | None, up_to: float | None) -> str:
    """One figure or a range of a claim; nothing where the publication has words only."""
    if value is None:
        return ""
    return exact(value) if up_to is None else f"{exact(value)} to {exact(up_to)}"


def claims_shown(found: Iterable[Published]) -> list[tuple[Published, str]]:
    """Claims with their figure as it is written."""
    return [(one, claim_value(one.claim.value, one.claim.up_to)) for one in found]


def place_of(system: System) -> Map:
    from simulation.systems.taxonomy import OBJECTIVES, RESOURCES, USES, places

    here = places(system)
    return Map(
        cells=tuple((objective, use.slug) in here for objective in OBJECTIVES for use in USES),
        objectives=listed([_in_a_sentence(OBJECTIVES[word]) for word in system.objectives]),
        uses=listed([RESOURCES[word] for word in system.resources]),
    )


def _in_a_sentence(title: str) -> str:
    return title if title.isupper() else title.lower()
