"""The form of a price sheet: currency, tariff of electricity and carbon, and a table of price lines."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, get_args

from django import forms

from planner.catalog.models import Revision
from planner.catalog.money import UNITS, PriceEntry
from planner.catalog.services_entry import Tariff
from planner.web.forms.numbers import NumberField, WholeField
from planner.web.forms.rows import Rows, rows_of
from simulation.scenario import Purchase

ANY_PURCHASE = [("", "any"), *((kind, kind) for kind in get_args(Purchase))]


class PriceSheetForm(forms.Form):
    name = forms.CharField(max_length=100, label="Name")
    currency = forms.RegexField(
        regex=r"^[A-Z]{3}$", initial="USD", label="Currency", error_messages={"invalid": "Three capitals, such as USD."}
    )
    rate_usd = NumberField(
        label="USD for one of it", min_value=Decimal("0.000001"), required=False,
        help_text="Only for other currencies: costs are counted in USD.",
    )  # fmt: skip
    rate_date = forms.DateField(label="Rate of", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    electricity_per_kwh = NumberField(
        label="Electricity (per kWh)", min_value=0, required=False,
        help_text="Empty: electricity is part of the prices, or not known; no line is made for it.",
    )  # fmt: skip
    carbon_g_per_kwh = NumberField(
        label="Carbon (g CO2e per kWh)", min_value=0, required=False,
        help_text="Average intensity of your grid. Empty: emissions stay unknown.",
    )  # fmt: skip
    charge_idle = forms.BooleanField(
        label="Owned and reserved GPUs cost money while they are idle", required=False, initial=True
    )
    why = forms.CharField(
        max_length=300, required=False, label="Where do these prices come from?",
        help_text="Typed prices are marked as assumed, with your name and this sentence.",
    )  # fmt: skip
    based_on = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def tariff(self) -> Tariff:
        given = self.cleaned_data
        carbon = given["carbon_g_per_kwh"]
        return Tariff(
            currency=given["currency"],
            rate_usd=given["rate_usd"],
            rate_date=given["rate_date"].isoformat() if given["rate_date"] else "",
            charge_idle=given["charge_idle"],
            electricity_per_kwh=given["electricity_per_kwh"],
            carbon_g_per_kwh=None if carbon is None else float(carbon),
        )


FIELDS = ("gpu_model", "pool", "purchase", "amount", "unit", "gpus_per_node")


class PriceLineForm(forms.Form):
    gpu_model = forms.CharField(
        max_length=100, label="GPU model", required=False,
        widget=forms.TextInput(attrs={"list": "gpu-models", "autocomplete": "off", "placeholder": "every model"}),
    )  # fmt: skip
    pool = forms.CharField(
        max_length=100, label="Pool", required=False, widget=forms.TextInput(attrs={"placeholder": "every pool"})
    )
    purchase = forms.ChoiceField(label="Purchase", choices=ANY_PURCHASE, required=False)
    amount = NumberField(label="Price", min_value=0)
    unit = forms.ChoiceField(label="Unit", choices=list(UNITS.items()), initial="gpu-hour")
    gpus_per_node = WholeField(label="GPUs a node", min_value=1, max_value=64, required=False)

    def entry(self) -> PriceEntry:
        given = self.cleaned_data
        return PriceEntry(**{field: given[field] for field in FIELDS})


class Lines(Rows):
    wanted = "A price sheet needs at least one price."


def line_rows(extra: int) -> type[Rows]:
    return rows_of(PriceLineForm, Lines, most=120, extra=extra)


def lines_as_typed(revision: Revision) -> list[dict[str, Any]]:
    """The lines of a revision as they were given, each in its own unit."""
    given = revision.document["as_given"].get("lines")
    if given:
        return given
    return [
        {**line, "amount": line["usd_per_gpu_h"], "unit": "gpu-hour"} for line in revision.document["prices"]["lines"]
    ]


def tariff_as_typed(revision: Revision) -> dict[str, Any]:
    prices, given = revision.document["prices"], revision.document["as_given"]
    rate = Decimal(given.get("rate_usd", "1"))
    electricity = prices["electricity_usd_per_kwh"]
    return {
        "currency": revision.document["currency"],
        "rate_usd": rate if rate != 1 else None,
        "rate_date": given.get("rate_date") or None,
        "charge_idle": prices["charge_idle"],
        "electricity_per_kwh": None if electricity is None else (Decimal(electricity) / rate).normalize(),
        "carbon_g_per_kwh": prices["carbon_g_per_kwh"],
    }
