"""Carbon of a grid -> a price sheet that knows it: its mean over time goes onto a sheet, or makes one of its own."""

from __future__ import annotations

import copy
from typing import Any

from planner.catalog.drafts.draft import Context, Draft
from planner.catalog.drafts.onto_cluster import ITEM
from planner.catalog.models import Kind
from planner.catalog.services_entry import Tariff, price_document
from simulation.formats.grid_carbon import QUANTITIES, steps, time_mean, zones
from simulation.formats.interview import Interview
from simulation.formats.parts.part import ask_origin, source_words
from simulation.formats.reading import Question, Reading
from simulation.provenance import Origin


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.PRICES, ask_origin(interview, reading))
    zone, quantity = _ask_zone(interview, reading), _ask_quantity(interview, reading)
    document = _sheet(interview, context)
    mean = None if zone is None or quantity is None else time_mean(reading.table, quantity, zone)
    if mean is None or quantity is None or not reading.ready:
        return made
    words = f"mean over time, {QUANTITIES[quantity]}"
    document["prices"]["carbon_g_per_kwh"] = round(mean, 6)
    document["origins"]["carbon"] = str(made.origin)
    document["as_given"]["carbon"] = {
        "quantity": quantity,
        "zone": zone,
        "source": f"{words}; {source_words(reading)}",
        "steps": steps(reading.table, quantity, zone or ""),
    }
    made.document = document
    made.said = [f"{mean:g} gCO2e/kWh, {words}; its course is kept beside it, and not simulated."]
    made.amount = f"{mean:g} gCO2e/kWh"
    return made


def _ask_zone(interview: Interview, reading: Reading) -> str | None:
    found = zones(reading.table)
    if len(found) < 2:
        return found[0] if found else None
    options = tuple((zone, zone or "zone not stated") for zone in found)
    return interview.ask(Question("zone", "Which zone?", "choice", options, None, "zones are never mixed"))


def _ask_quantity(interview: Interview, reading: Reading) -> str | None:
    """Direct or life cycle, average or marginal: asked where the file has several."""
    found = [name for name in QUANTITIES if any(value is not None for value in reading.table[f"{name}_g_per_kwh"])]
    if len(found) < 2:
        return found[0] if found else None
    options = tuple((name, QUANTITIES[name]) for name in found)
    why = "they are different quantities, and the name stays with the number"
    return interview.ask(Question("quantity", "Which intensity counts?", "choice", options, None, why))


def _sheet(interview: Interview, context: Context) -> dict[str, Any]:
    """The document that gets the figure: a copy of the sheet that the import goes to, or one without prices."""
    for revision in context.price_sheets():
        if str(revision.item_id) == interview.given.get(ITEM):
            return copy.deepcopy(revision.document)
    return price_document([], Tariff(), Origin.ASSUMED)
