"""Power samples -> a revision of a cluster whose idle and peak powers were measured."""

from __future__ import annotations

from typing import Any

from planner.catalog.drafts.draft import Context, Draft
from planner.catalog.drafts.onto_cluster import ask_cluster, document_of
from planner.catalog.figures import figure, group_origins
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.parts.part import ask_origin, counted, source_words
from simulation.formats.parts.power import measured_powers
from simulation.formats.power_figures import ModelPower
from simulation.formats.reading import Question, Reading
from simulation.provenance import Origin

NO_MODEL = "the file does not name the GPU model"
NOT_THERE = "no pool of the cluster has this GPU model"
NO_POWER = "no power was measured"


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.CLUSTER, ask_origin(interview, reading))
    base = ask_cluster(interview, context, "Which cluster was measured?")
    powers = measured_powers(reading, interview)
    fields = _ask_fields(interview)
    made.said = [_sentence(power) for power in (powers or {}).values()]
    if base is None or powers is None or not reading.ready:
        return made
    document = document_of(base)
    changed = _put(document, powers, fields, made.origin, source_words(reading))
    made.left_out = _left_out(reading, powers, document)
    if not changed:
        return made
    for pool in document["cluster"]["pools"]:
        if pool["idle_w"] is not None and pool["peak_w"] is not None and pool["idle_w"] > pool["peak_w"]:
            told = f"idle {pool['idle_w']:g} W, peak {pool['peak_w']:g} W"
            raise interview.refusal("power", told, f"less power when idle than at peak in pool {pool['name']}")
    document["origins"]["power"] = group_origins(document["figures"].values(), made.origin)["power"]
    made.document = document
    made.amount = f"measured power of {counted(len(changed), 'pool')}"
    return made


def _ask_fields(interview: Interview) -> tuple[str, ...]:
    answer = interview.ask(
        Question(
            "power",
            "Which figures are taken?",
            "choice",
            (("both", "idle and peak"), ("idle", "idle alone"), ("peak", "peak alone")),
            "both",
            "take peak alone where the cards were under full load for some time, idle alone where they had a rest",
        )
    )
    return {"idle": ("idle_w",), "peak": ("peak_w",)}.get(answer or "both", ("idle_w", "peak_w"))


def _put(
    document: dict[str, Any], powers: dict[str, ModelPower], fields: tuple[str, ...], origin: Origin, source: str
) -> list[str]:
    """Write the powers into the pools of their models; the names of the pools that have a new figure."""
    changed = []
    for pool in document["cluster"]["pools"]:
        power = powers.get(pool["gpu_model"])
        known = document["figures"].setdefault(pool["name"], {})
        if power is None:
            continue
        found = {"idle_w": (power.idle_w, power.idle_words()), "peak_w": (power.peak_w, power.peak_words())}
        for field in fields:
            watts, words = found[field]
            if watts is not None:
                pool[field] = watts
                known[field] = figure(origin, f"{words}; {source}")
                changed.append(pool["name"])
    return list(dict.fromkeys(changed))


def _left_out(reading: Reading, powers: dict[str, ModelPower], document: dict[str, Any]) -> dict[str, int]:
    """Reason -> samples that give no figure."""
    table = reading.table
    there = {pool["gpu_model"] for pool in document["cluster"]["pools"]}
    reasons = {
        NO_MODEL: sum(1 for model in table["gpu_model"] if not model),
        NO_POWER: sum(1 for m, w in zip(table["gpu_model"], table["watts"], strict=True) if m and w is None),
        NOT_THERE: sum(power.n for model, power in powers.items() if model not in there),
    }
    return {reason: rows for reason, rows in reasons.items() if rows}


def _sentence(power: ModelPower) -> str:
    idle = "idle power not seen" if power.idle_w is None else f"idle {power.idle_w:,.2f} W ({power.idle_words()})"
    peak = "peak not seen" if power.peak_w is None else f"peak {power.peak_w:,.2f} W ({power.peak_words()})"
    return f"{power.model}: {idle}, {peak}, highest {power.max_w:,.2f} W."
