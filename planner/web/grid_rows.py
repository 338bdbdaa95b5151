"""The grid of objectives and uses of resources: its cells with their systems, and where each cell leads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.accounts.models import Workspace
from planner.web.study_links import link_to

if TYPE_CHECKING:
    from simulation.systems.system import System

_TINT = 14  # per cent of ink in the fullest cell


@dataclass(frozen=True, slots=True)
class Cell:
    systems: tuple[System, ...]
    study: str  # the builder with these systems ticked
    tint: int
    words: str  # objective and use


@dataclass(frozen=True, slots=True)
class Row:
    title: str
    systems: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    uses: tuple[str, ...]
    rows: tuple[Row, ...]
    systems: int

    @property
    def empty(self) -> int:
        return sum(not cell.systems for row in self.rows for cell in row.cells)


def grid_of(workspace: Workspace, systems: Sequence[System]) -> Grid:
    from simulation.systems.taxonomy import OBJECTIVES, USES, grid

    found = grid(systems)
    most = max(len(cell) for cell in found.values()) or 1
    rows = []
    for objective, title in OBJECTIVES.items():
        cells = tuple(
            Cell(
                systems=tuple(found[objective, use.slug]),
                study=link_to(workspace, found[objective, use.slug]),
                tint=round(_TINT * len(found[objective, use.slug]) / most),
                words=f"{title}, {use.title.lower()}",
            )
            for use in USES
        )
        rows.append(Row(title, len({system.slug for cell in cells for system in cell.systems}), cells))
    return Grid(tuple(use.title for use in USES), tuple(rows), len(systems))
