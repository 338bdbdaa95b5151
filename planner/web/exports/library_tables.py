"""The library of systems as a table: where each stands, what it is made of, and whose claims it carries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.evidence import library
from planner.web.exports.table import Table, table_of
from simulation import ENGINE_VERSION


def systems_table() -> Table:
    return table_of("systems", "Systems that can be simulated", _systems(), {"engine": ENGINE_VERSION})


def _systems() -> Iterator[dict[str, Any]]:
    for system in library.systems():
        told = system.document()
        names = ("slug", "name", "title", "workload", "venue", "year", "objectives", "resources", "information")
        yield {
            **{name: told[name] for name in names},
            "recipe": [f"{stage}: {part['member']}" for stage, part in told["recipe"].items()],
            "claims": len(system.claims),
            "sources": told["sources"],
        }
