"""Tables of a bundle as CSV: the columns of the layout, exact numbers, unknown left empty, no formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from simulation.bundles.layout import TABLES, Column
from simulation.formats.tables import cell_text


def table(name: str, rows: Iterable[Mapping[str, Any]]) -> bytes:
    """The table `name` of the layout. A column that a row does not mention is unknown there."""
    columns = TABLES[name].columns
    text = io.StringIO()
    writer = csv.writer(text)  # its line ends are CR LF: so that it quotes text with either of them
    writer.writerow([column.name for column in columns])
    for row in rows:
        writer.writerow([_cell(row.get(column.name), column) for column in columns])
    return text.getvalue().encode()


def _cell(value: Any, column: Column) -> str:
    """Numbers as Python writes them: the shortest text that reads back as the same number."""
    if column.type == "string" or value is None or isinstance(value, bool):
        return cell_text(value)
    return str(value)


def package(names: Iterable[str]) -> dict[str, Any]:
    """The Frictionless description of these tables."""
    return {
        "profile": "tabular-data-package",
        "name": "headroom-bundle",
        "resources": [_resource(name) for name in sorted(names)],
    }


def _resource(name: str) -> dict[str, Any]:
    described = TABLES[name]
    return {
        "profile": "tabular-data-resource",
        "name": name.rsplit("/", 1)[-1].removesuffix(".csv"),
        "title": described.title,
        "description": described.description,
        "path": name,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "schema": {"fields": [_field(column) for column in described.columns], "missingValues": [""]},
    }


def _field(column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {"name": column.name, "type": column.type, "description": column.description}
    if column.unit:
        field["unit"] = column.unit
    if column.type == "boolean":
        field |= {"trueValues": ["true"], "falseValues": ["false"]}
    if column.among:
        field["constraints"] = {"enum": list(column.among)}
    return field
