"""The form of an SLO set: a table of limits on metrics."""

from __future__ import annotations

from typing import Any

from django import forms

from planner.catalog.models import Revision
from planner.web.forms.numbers import NumberField
from planner.web.forms.rows import Rows, rows_of
from simulation.metrics.definitions import METRICS

HARD = [("hard", "hard limit"), ("soft", "preference")]


def _metrics() -> list[tuple[str, str]]:
    named = [(metric.name, f"{metric.title} ({metric.unit})") for metric in METRICS.values() if metric.better]
    return [("", "choose a metric"), *named]


class SloSetForm(forms.Form):
    name = forms.CharField(max_length=100, label="Name")
    why = forms.CharField(
        max_length=300, required=False, label="Who set these limits?",
        help_text="Limits are marked as assumed, with your name and this sentence.",
    )  # fmt: skip
    based_on = forms.UUIDField(required=False, widget=forms.HiddenInput)


class SloForm(forms.Form):
    metric = forms.ChoiceField(label="Metric", choices=_metrics)
    limit = NumberField(label="Limit")
    hard = forms.ChoiceField(label="Kind", choices=HARD, initial="hard")

    def slo(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {"metric": given["metric"], "limit": float(given["limit"]), "hard": given["hard"] == "hard"}


class Limits(Rows):
    wanted = "An SLO set needs at least one limit."


def limit_rows(extra: int) -> type[Rows]:
    return rows_of(SloForm, Limits, most=50, extra=extra)


def limits_as_typed(revision: Revision) -> list[dict[str, Any]]:
    return [{**slo, "hard": "hard" if slo["hard"] else "soft"} for slo in revision.document["slos"]]
