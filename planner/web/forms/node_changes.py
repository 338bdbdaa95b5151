"""Recorded changes of the nodes of a pool, typed one a line: when, how many, and whether they go down or come up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from pydantic import ValidationError

from planner.catalog.documents import complaint
from planner.web.forms.numbers import span_as_typed, span_typed
from simulation.hardware import NodeChange

LINE = re.compile(r"(?P<at>.+?)[\s,;:]+(?P<nodes>\d{1,9})\s*(?:nodes?)?[\s,;]+(?P<way>up|down)", re.IGNORECASE)


class ChangesField(forms.CharField):
    """Each change as {"at_s", "nodes", "up"}; the pool that it is of is the row's."""

    def __init__(self, **options: Any) -> None:
        attrs = {"rows": 3, "autocomplete": "off", "spellcheck": "false", "placeholder": "2 d: 3 down"}
        super().__init__(max_length=200_000, widget=forms.Textarea(attrs=attrs), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(_line(change) for change in value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[dict[str, Any]] | None:
        """None where nothing is typed, so that a blank row stays one."""
        return list(_changes(super().to_python(value))) or None

    def run_validators(self, value: Any) -> None:
        """The length is that of the text, which is gone by now: the size of a request is limited for all fields."""


def _line(change: dict[str, Any]) -> str:
    return f"{span_as_typed(change['at_s'])}: {change['nodes']} {'up' if change['up'] else 'down'}"


def _changes(text: str) -> Iterator[dict[str, Any]]:
    for at, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield _change(line.strip(), f"Line {at}: ")


def _change(line: str, where: str) -> dict[str, Any]:
    found = LINE.fullmatch(line)
    if found is None:
        raise forms.ValidationError(f"{where}expected a time, a number of nodes, and up or down, such as 2 d: 3 down.")
    try:
        change = {"at_s": span_typed(found["at"]), "nodes": int(found["nodes"]), "up": found["way"].lower() == "up"}
        NodeChange.model_validate({**change, "pool": ""})
    except forms.ValidationError as error:
        raise forms.ValidationError(where + error.message) from None
    except ValidationError as error:
        raise forms.ValidationError(where + complaint(error.errors()[0])) from None
    return change
