"""The form of a cluster: what it is called, and a table of pools with what may be said of each beyond its row."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, get_args

from django import forms
from pydantic import ValidationError

from planner.catalog.documents import complaint
from planner.catalog.models import Revision
from planner.catalog.selectors import cluster_of
from planner.web.forms import pool_details
from planner.web.forms.numbers import NumberField, SizeField, WholeField
from planner.web.forms.rows import Rows, rows_of
from simulation.hardware import MAX_NODES, Interruptions, Links, Pool, Purchase

GB = 10**9
PURCHASES = [(kind, kind) for kind in get_args(Purchase)]


class ClusterForm(forms.Form):
    name = forms.CharField(max_length=100, label="Name")
    pue = NumberField(
        label="PUE", min_value=1, max_value=5, decimal_places=3, required=False,
        help_text="Power of the building over power of the machines; empty means 1: only the machines count.",
    )  # fmt: skip
    why = forms.CharField(
        max_length=300, required=False, label="Where do these numbers come from?",
        help_text="Typed numbers are marked as assumed, with your name and this sentence.",
    )  # fmt: skip
    based_on = forms.UUIDField(required=False, widget=forms.HiddenInput)


@dataclass(frozen=True, slots=True)
class Details:
    """A group of fields beyond the row, as the page shows it."""

    title: str
    help: str
    fields: list[forms.BoundField]

    @property
    def given(self) -> bool:
        """Whether any of them says something."""
        return any(field.value() for field in self.fields)

    @property
    def wrong(self) -> bool:
        return any(field.errors for field in self.fields)


class PoolForm(forms.Form):
    was = forms.CharField(max_length=100, required=False, widget=forms.HiddenInput)
    name = forms.CharField(max_length=100, label="Pool")
    gpu_model = forms.CharField(
        max_length=100, label="GPU model", widget=forms.TextInput(attrs={"list": "gpu-models", "autocomplete": "off"})
    )
    nodes = WholeField(label="Nodes", min_value=0, max_value=MAX_NODES)
    gpus_per_node = WholeField(label="GPUs a node", min_value=0, max_value=64)
    purchase = forms.ChoiceField(label="Purchase", choices=PURCHASES, initial="owned")
    gpu_memory_bytes = SizeField(label="Memory (GB)", unit_bytes=GB, min_value=0.001, max_value=10_000, required=False)
    idle_w = NumberField(label="Idle (W)", min_value=0, max_value=10_000, required=False)
    peak_w = NumberField(label="Peak (W)", min_value=0, max_value=10_000, required=False)
    speed = NumberField(label="Speed", min_value=0.001, max_value=1000, required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields |= copy.deepcopy(pool_details.FIELDS)
        self.pool: dict[str, Any] = {}

    def clean(self) -> None:
        """The row as `simulation.hardware.Pool` takes it; what that refuses is said at the field."""
        given = {name: value for name, value in self.cleaned_data.items() if value is not None}
        nested = {"links": _part(given, Links), "interruptions": _part(given, Interruptions) or None}
        own = {name: value for name, value in given.items() if name in Pool.model_fields}
        try:
            self.pool = Pool.model_validate(own | nested).model_dump(mode="json", exclude={"node_names"})
        except ValidationError as error:
            self._complain(error)

    def _complain(self, error: ValidationError) -> None:
        for one in error.errors():
            field = str(one["loc"][-1])
            said = "Needed where the others of its group are given." if one["type"] == "missing" else complaint(one)
            if field not in self.errors:
                self.add_error(field if field in self.fields else None, said)

    @property
    def changes(self) -> list[dict[str, Any]]:
        """Recorded changes of this pool."""
        return [{**change, "pool": self.cleaned_data["name"]} for change in self.cleaned_data.get("changes") or []]

    @property
    def details(self) -> list[Details]:
        return [Details(g.title, g.help, [self[name] for name in g.fields]) for g in pool_details.GROUPS]

    @property
    def told(self) -> list[str]:
        """Titles of the groups that say something."""
        return [group.title for group in self.details if group.given]

    @property
    def wrong(self) -> bool:
        """Whether a field beyond the row has an error."""
        return any(group.wrong for group in self.details)


def _part(given: dict[str, Any], part: type[Links] | type[Interruptions]) -> dict[str, Any]:
    """The fields of a part of a pool, taken out of `given`."""
    return {name: given.pop(name) for name in part.model_fields if name in given}


class Pools(Rows):
    wanted = "A cluster needs at least one pool."
    beyond: Collection[str] = pool_details.FIELDS

    def changes(self) -> list[dict[str, Any]]:
        return [change for row in self.kept for change in row.changes]

    def continues(self) -> dict[str, str]:
        """Name now -> name before, of pools that were there."""
        return {row.pool["name"]: row.cleaned_data["was"] for row in self.kept if row.cleaned_data["was"]}


def pool_rows(extra: int) -> type[Rows]:
    return rows_of(PoolForm, Pools, most=90, extra=extra)


def pools_as_typed(revision: Revision) -> list[dict[str, Any]]:
    """The pools of a revision as the form shows them: only what differs from saying nothing."""
    return list(_as_typed(revision))


def _as_typed(revision: Revision) -> Iterator[dict[str, Any]]:
    cluster = cluster_of(revision)
    for pool in cluster.pools:
        changes = [change.model_dump() for change in cluster.changes if change.pool == pool.name]
        yield {**pool_details.said_of(pool), "changes": changes, "was": pool.name}
