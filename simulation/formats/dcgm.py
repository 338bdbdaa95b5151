"""DCGM exporter: its metrics with their units, and the text that it serves (one scrape, or several in a row)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.format import Format
from simulation.formats.instants import EARLIEST, EXPECTED, LATEST, Clock, parse_iso
from simulation.formats.power_figures import energy_words, sample_totals
from simulation.formats.quantities import decimal
from simulation.formats.reading import Question, Reading
from simulation.formats.samples import SampleRows, mebibytes, millijoules, percent, watts
from simulation.formats.source import Source

SLUG, VERSION = "dcgm-exporter", "1"

METRICS: dict[str, tuple[str, Callable[[str, str], float | int | None]]] = {
    "DCGM_FI_DEV_POWER_USAGE": ("watts", watts),
    "DCGM_FI_DEV_GPU_UTIL": ("utilisation", percent),
    "DCGM_FI_DEV_FB_USED": ("memory_used_bytes", mebibytes),
    "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION": ("energy_j", millijoules),
}
"""Metric -> the column that it fills, and how its text is read: W, %, MiB and mJ."""

_LINE = re.compile(r"([A-Za-z_:][\w:]*)\s*(?:\{(.*)\})?\s+(\S+)(?:\s+(-?\d+))?\s*")
_LABEL = re.compile(r'\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?')


def detect_dcgm(text: str, filename: str) -> tuple[float, str]:
    if re.search(r"^DCGM_FI_\w+\{", text, re.MULTILINE):
        return 0.95, "lines that begin with DCGM_FI_, as the DCGM exporter serves them"
    return 0.0, ""


def read_dcgm(source: Source) -> Reading:
    """A row of the counts is one line. The first metric of a card and moment makes a row, the others join it."""
    collector = Collector("samples")
    rows, undated, read_at = SampleRows(collector), 0, _ask_read_at(source)
    others: set[str] = set()
    in_file = 0
    for line, text in source.lines():
        in_file += 1
        if not text.strip() or text.lstrip().startswith("#"):
            collector.skipped += 1
            continue
        try:
            metric, labels, value, stamp = _parsed(text)
            if metric not in METRICS:
                others.add(metric)
                collector.skipped += 1
                continue
            undated += stamp is None
            rows.take(card_of(labels), _at(stamp, read_at), column_of(metric, labels, value), line, text)
        except CellError as error:
            collector.reject(line, error, text)
    table = collector.table()
    facts = [*source.facts(), *energy_words(table)]
    if undated:
        facts.append(f"{undated} lines have no time: all of them are taken as one scrape.")
    if others:
        facts.append(f"Metrics that are not read: {', '.join(sorted(others))}.")
    totals = sample_totals(table)
    return collector.reading(source, SLUG, VERSION, table, in_file=in_file, totals=totals, facts=facts)


def _ask_read_at(source: Source) -> float | None:
    """When the text was served, asked where a line has no time of its own."""
    dated = (_LINE.fullmatch(text) for _, text in source.lines())
    if all(match is None or match[4] or match[1] not in METRICS for match in dated):
        return None
    question = Question(
        "read_at",
        "The lines have no time: when was this read from the exporter?",
        "text",
        (),
        None,
        "with its offset, as 2026-03-02T10:00:00Z; power at an unknown moment is in no sum over time",
    )
    answer = source.interview.ask(question)
    if answer is None:
        return None
    try:
        moment: datetime = parse_iso(answer.strip(), "read_at")
        at = Clock(None).instant(moment, answer, "read_at") if moment.tzinfo else None
    except CellError:
        at = None
    if at is None:
        raise source.interview.refusal("read_at", answer, "a time with its offset, as 2026-03-02T10:00:00Z")
    return at


def _parsed(text: str) -> tuple[str, dict[str, str], str, str | None]:
    match = _LINE.fullmatch(text)
    if match is None:
        raise CellError(None, text, 'METRIC{label="value"} NUMBER', "not a line of this format")
    labels, at = {}, 0
    inside = match[2] or ""
    while at < len(inside):
        label = _LABEL.match(inside, at)
        if label is None:
            raise CellError(None, text, 'labels such as UUID="GPU-..."', "the labels are broken")
        labels[label[1]] = label[2]
        at = label.end()
    return match[1], labels, match[3], match[4]


def _at(stamp: str | None, read_at: float | None) -> float | None:
    return read_at if stamp is None else instant(float(stamp) / 1000.0, stamp)


def instant(seconds: float, text: str) -> float:
    """Seconds since 1970 UTC; CellError where no log can be as old, or as new."""
    if not EARLIEST <= seconds < LATEST:
        raise CellError("time", text, EXPECTED, "a date that cannot be")
    return seconds


def card_of(labels: Mapping[str, str]) -> str:
    """The card's UUID, else its host and number; CellError where neither is there."""
    if labels.get("UUID"):
        return labels["UUID"]
    host = labels.get("Hostname") or labels.get("instance") or ""
    if not labels.get("gpu"):
        raise CellError("UUID", "", "a label UUID or gpu", "it is not known which card this is")
    return f"{host} GPU {labels['gpu']}".strip()


def column_of(metric: str, labels: Mapping[str, str], value: str) -> dict[str, Any]:
    """The columns that one value of a metric fills. CellError for a value that cannot be; NaN and Inf are no value."""
    column, parse = METRICS[metric]
    decimal(value, metric)
    pod = labels.get("exported_pod") or labels.get("pod")
    told = {"gpu_model": labels.get("modelName") or None, "held_by": pod or None, column: parse(value, metric)}
    return {name: known for name, known in told.items() if known is not None}


FORMAT = Format(
    slug=SLUG,
    title="DCGM exporter metrics",
    kind="samples",
    made_by="curl EXPORTER:9400/metrics",
    detect=detect_dcgm,
    read=read_dcgm,
    reads=(
        "card (UUID), model, power (W), share of time with a running kernel, memory in use, energy counter (mJ), pods; "
        "a card's power counts once, however many slices and pods repeat it"
    ),
    leaves="all other metrics, which are named; what each slice of a card draws, for nothing measures it",
    unknowns="no time in the lines: asked; NaN and Inf: the line is rejected; a counter that falls began again at 0",
)
