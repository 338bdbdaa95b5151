"""What the import page shows, as plain JSON: the file's head, what was understood, questions, whether it adds up.

Worked out when the file is read, and stored, so that looking at the page costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from planner.catalog.intake import Intake
from simulation.formats.parts.jobs import DATED_FROM_S
from simulation.formats.reading import Question, Reading, RowIssue
from simulation.formats.registry import FORMATS, Candidate

ROWS_SHOWN = 25
LINES_NAMED = 5
SHORT = 32

SHOWN: dict[str, tuple[tuple[str, str, str], ...]] = {
    "jobs": (
        ("id", "Job", "name"),
        ("gpus", "GPUs", "count"),
        ("wait_s", "Wait", "span"),
        ("elapsed_s", "Ran", "span"),
        ("gpu_h", "GPU-h", "hours"),
        ("tenant", "Tenant", "text"),
        ("outcome", "End", "text"),
    ),
    "nodes": (
        ("name", "Node", "name"),
        ("gpus", "GPUs", "count"),
        ("gpu_model", "Model as written", "text"),
        ("state", "State", "text"),
        ("gpus_in_use", "In use", "count"),
    ),
    "requests": (
        ("number", "Request", "name"),
        ("arrival_s", "After the first", "span"),
        ("prompt_tokens", "Tokens in", "count"),
        ("output_tokens", "Tokens out", "count"),
    ),
    "prices": (
        ("gpu_model", "Model as written", "name"),
        ("purchase", "Purchase", "text"),
        ("instance", "Machine", "text"),
        ("amount", "Price", "text"),
        ("unit", "Unit", "text"),
        ("per_gpu_hour", "A GPU-hour", "text"),
        ("date", "Date", "text"),
    ),
    "quotes": (
        ("instance", "Machine", "name"),
        ("zone", "Zone", "text"),
        ("since", "From", "text"),
        ("amount", "A machine-hour", "text"),
        ("per_gpu_hour", "A GPU-hour", "text"),
    ),
    "charges": (
        ("description", "Charge", "name"),
        ("category", "Category", "text"),
        ("instance", "GPU machine", "text"),
        ("hours", "Hours", "text"),
        ("billed_cost", "Billed", "text"),
        ("effective_cost", "Effective", "text"),
    ),
    "carbon": (
        ("zone", "Zone", "name"),
        ("since", "From", "text"),
        ("lifecycle_g_per_kwh", "Life cycle, g/kWh", "count"),
        ("direct_g_per_kwh", "Direct, g/kWh", "count"),
        ("marginal_g_per_kwh", "Marginal, g/kWh", "count"),
        ("unnamed_g_per_kwh", "Not named, g/kWh", "count"),
    ),
    "trials": (
        ("id", "Trial", "name"),
        ("outcome", "End", "text"),
        ("elapsed_s", "Ran", "span"),
        ("gpus", "GPUs", "count"),
        ("gpu_h", "GPU-h", "hours"),
        ("objective", "Result", "text"),
    ),
    "benchmarks": (
        ("model", "Model served", "name"),
        ("gpus", "GPUs", "count"),
        ("rate_per_s", "Offered, 1/s", "count"),
        ("requests_per_s", "Answered, 1/s", "count"),
        ("ttft_p99_ms", "P99 TTFT, ms", "count"),
        ("tpot_mean_ms", "Mean TPOT, ms", "count"),
    ),
    "samples": (
        ("gpu", "GPU", "name"),
        ("gpu_model", "Model as written", "text"),
        ("at", "Measured at", "text"),
        ("watts", "Power, W", "count"),
        ("used", "Kernel running", "text"),
        ("held_by", "Held by", "text"),
    ),
    "devices": (
        ("name", "Device", "name"),
        ("numa", "NUMA node", "count"),
        ("cpus", "Nearest CPUs", "text"),
        ("joined", "Links", "text"),
    ),
}
"""Kind -> (column, heading, how it is written) of the table of what was understood."""


def preview_of(intake: Intake, candidates: Sequence[Candidate]) -> dict[str, Any]:
    reading = intake.reading
    return {
        "title": FORMATS[reading.format].title,
        "version": reading.version,
        "candidates": [{"slug": c.slug, "title": c.title, "kind": c.kind, "reason": c.reason} for c in candidates],
        "facts": [fact.rstrip(".") for fact in reading.facts],
        "said": intake.draft.said,
        "head": _head(reading),
        "table": _table(reading),
        "columns": [{"label": c.label, "samples": list(c.samples), "target": c.target} for c in reading.columns],
        "counts": _counts(reading),
        "why": {"rejected": _reasons(reading.rejected), "warned": _reasons(reading.warned)},
        "totals": dict(reading.totals),
        "left_out": intake.draft.left_out,
        "simulated": len(reading.table) - sum(intake.draft.left_out.values()),
        "waits": intake.draft.facts.get("waits"),
        "origin": str(intake.draft.origin),
        "questions": [_question(question, intake.answers) for question in intake.questions],
        "open": [question.key for question in intake.open],
        "open_words": [_in_short(question) for question in intake.open],
        "amount": intake.draft.amount,
        "ready": intake.ready,
    }


def _head(reading: Reading) -> list[dict[str, Any]]:
    bad = {issue.line for issue in reading.rejected}
    odd = {issue.line for issue in reading.warned}
    return [
        {"line": at, "text": text, "bad": at in bad, "odd": at in odd} for at, text in enumerate(reading.head, start=1)
    ]


def _counts(reading: Reading) -> dict[str, int]:
    names = ("in_file", "accepted", "warned", "rejected", "folded", "skipped")
    return {name: getattr(reading.counts, name) for name in names}


def _reasons(issues: Sequence[RowIssue]) -> list[dict[str, Any]]:
    """Issues by reason, most frequent first, each with the first lines where it stands."""
    lines: dict[str, list[int]] = {}
    for issue in issues:
        what = f"{issue.column}: {issue.reason}" if issue.column else issue.reason
        lines.setdefault(what, []).append(issue.line)
    ordered = sorted(lines.items(), key=lambda pair: (-len(pair[1]), pair[1][0]))
    return [
        {"reason": reason, "rows": len(at), "lines": at[:LINES_NAMED], "more": len(at) > LINES_NAMED}
        for reason, at in ordered
    ]


def _in_short(question: Question) -> str:
    """A question in a word or two: its text where that is short, else its key."""
    text = question.text.split(" (")[0].rstrip("?")
    return text[0].lower() + text[1:] if len(text) <= SHORT else question.key.replace("_", " ").replace(".", " ")


def _question(question: Question, answers: dict[str, str]) -> dict[str, Any]:
    answer = answers.get(question.key)
    return {
        "key": question.key,
        "text": question.text,
        "kind": question.kind,
        "options": [{"value": value, "text": text, "chosen": value == answer} for value, text in question.options],
        "why": question.why,
        "answer": answer,
        "open": answer is None,
    }


def _table(reading: Reading) -> dict[str, Any]:
    shown = SHOWN[reading.kind]
    rows = [_worked_out(row, at) for at, row in enumerate(reading.table.rows(0, ROWS_SHOWN), start=1)]
    return {
        "headings": [{"text": text, "as": how} for _, text, how in shown],
        "rows": [
            {"line": row["line"], "cells": [{"value": row[name], "as": how} for name, _, how in shown]} for row in rows
        ],
        "of": len(reading.table),
    }


def _worked_out(row: dict[str, Any], number: int) -> dict[str, Any]:
    """A row with what people look at beside what the file says: wait, GPU-hours, shares, days; None: not known."""
    start, submit, gpu_s = row.get("start_s"), row.get("submit_s"), row.get("gpu_s")
    at, share = row.get("at_s"), row.get("utilisation")
    return {
        **row,
        "number": str(number),
        "wait_s": start - submit if start is not None and submit is not None else None,
        "gpu_h": None if gpu_s is None else gpu_s / 3600,
        "at": _written(at),
        "since": _written(start),
        "used": None if share is None else f"{100 * share:.0f} %",
        "joined": ", ".join(row.get("links") or ()) or None,
    }


def _written(instant_s: float | None) -> str | None:
    """An instant as people read it; seconds since a trace began are none."""
    if instant_s is None or instant_s < DATED_FROM_S:
        return None
    return datetime.fromtimestamp(instant_s, UTC).isoformat(timespec="seconds")
