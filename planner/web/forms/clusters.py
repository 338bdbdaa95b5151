"""The form of a cluster: what it is called, and a table of pools."""

from __future__ import annotations

from typing import Any, get_args

from django import forms

from planner.catalog.models import Revision
from planner.web.forms.numbers import NumberField, WholeField
from planner.web.forms.rows import Rows, rows_of
from simulation.hardware import MAX_NODES, Purchase

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


class PoolForm(forms.Form):
    name = forms.CharField(max_length=100, label="Pool")
    gpu_model = forms.CharField(
        max_length=100, label="GPU model", widget=forms.TextInput(attrs={"list": "gpu-models", "autocomplete": "off"})
    )
    nodes = WholeField(label="Nodes", min_value=0, max_value=MAX_NODES)
    gpus_per_node = WholeField(label="GPUs a node", min_value=0, max_value=64)
    purchase = forms.ChoiceField(label="Purchase", choices=PURCHASES, initial="owned")
    memory_gb = NumberField(label="Memory (GB)", min_value=0.001, max_value=10_000, required=False)
    idle_w = NumberField(label="Idle (W)", min_value=0, max_value=10_000, required=False)
    peak_w = NumberField(label="Peak (W)", min_value=0, max_value=10_000, required=False)
    speed = NumberField(label="Speed", min_value=0.001, max_value=1000, required=False)

    def pool(self) -> dict[str, Any]:
        """The pool as `simulation.scenario.Pool` wants it; figures left blank are None."""
        given = self.cleaned_data
        figures = {field: _float(given[field]) for field in ("idle_w", "peak_w")}
        memory = given["memory_gb"]
        return {
            **{field: given[field] for field in ("name", "gpu_model", "nodes", "gpus_per_node")},
            **figures,
            "purchase": given["purchase"],
            "speed": _float(given["speed"]) or 1.0,
            "gpu_memory_bytes": None if memory is None else int(memory * GB),
        }


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


class Pools(Rows):
    wanted = "A cluster needs at least one pool."


def pool_rows(extra: int) -> type[Rows]:
    return rows_of(PoolForm, Pools, most=90, extra=extra)


def pools_as_typed(revision: Revision) -> list[dict[str, Any]]:
    """The pools of a revision as the form shows them."""
    rows = []
    for pool in revision.document["cluster"]["pools"]:
        memory = pool["gpu_memory_bytes"]
        typed = {field: short(pool[field]) for field in ("idle_w", "peak_w", "speed")}
        rows.append({**pool, **typed, "memory_gb": short(None if memory is None else memory / GB)})
    return rows


def short(value: float | None) -> str:
    """A figure as a person would type it: 700, not 700.0."""
    return "" if value is None else f"{value:.10g}"
