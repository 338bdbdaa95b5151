"""Prometheus query results (`/api/v1/query_range`, `/api/v1/query`) of the metrics of the DCGM exporter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.dcgm import METRICS, card_of, column_of, instant
from simulation.formats.errors import FormatError, shortened
from simulation.formats.format import Format
from simulation.formats.json_source import read_json
from simulation.formats.power_figures import energy_words, sample_totals
from simulation.formats.reading import Question, Reading
from simulation.formats.samples import SampleRows
from simulation.formats.source import Source

SLUG, VERSION = "prometheus-query", "1"


def detect_prometheus(text: str, filename: str) -> tuple[float, str]:
    if text.lstrip().startswith("{") and '"resultType"' in text:
        return 0.95, "a JSON answer of Prometheus with resultType"
    if text.lstrip().startswith("{") and '"errorType"' in text and '"status"' in text:
        return 0.8, "a JSON answer of Prometheus that tells of an error"
    return 0.0, ""


def read_prometheus(source: Source) -> Reading:
    """A row of the counts is one value of one series; its place among all values stands for the line."""
    document = read_json(source)
    series = _series(document, source)
    collector = Collector("samples")
    rows, place, others = SampleRows(collector), 0, set()
    for labels, values in series:
        metric = labels.get("__name__") or _ask_metric(source)
        if metric is not None and metric not in METRICS:
            others.add(metric)
        for pair in values:
            place += 1
            raw = json.dumps([labels, pair])
            try:
                at, value = _pair(pair)
                if metric not in METRICS:
                    collector.skipped += 1
                else:
                    rows.take(card_of(labels), at, column_of(metric, labels, value), place, raw)
            except CellError as error:
                collector.reject(place, error, raw)
    table = collector.table()
    facts = [*source.facts(), *_warnings(document), *energy_words(table)]
    if others:
        facts.append(f"Metrics that are not read: {', '.join(sorted(others))}.")
    facts.append("Lines are places among all values, from 1.")
    totals = sample_totals(table)
    return collector.reading(source, SLUG, VERSION, table, in_file=place, totals=totals, facts=facts)


def _series(document: Any, source: Source) -> list[tuple[dict[str, str], list[Any]]]:
    """(labels, values) of each series; FormatError where Prometheus answered with an error, or with no series."""
    if not isinstance(document, dict):
        raise FormatError(source.name, line=1, value=type(document).__name__, expected="a JSON object with status")
    if document.get("status") != "success":
        told = f"{document.get('errorType', 'error')}: {document.get('error', 'no reason given')}"
        raise FormatError(source.name, value=told, expected="an answer of Prometheus with status success")
    data = document.get("data")
    kind = data.get("resultType") if isinstance(data, dict) else None
    if kind not in ("matrix", "vector"):
        raise FormatError(
            source.name, column="resultType", value=str(kind), expected="matrix or vector: series with labels of cards"
        )
    found = data.get("result") if isinstance(data, dict) else None
    if not isinstance(found, list):
        raise FormatError(source.name, column="result", value=str(found), expected="a list of series")
    return [_one_series(one, kind, source) for one in found]


def _one_series(one: Any, kind: str, source: Source) -> tuple[dict[str, str], list[Any]]:
    labels = one.get("metric") if isinstance(one, dict) else None
    values = one.get("values") if kind == "matrix" and isinstance(one, dict) else None
    if kind == "vector" and isinstance(one, dict):
        values = [one.get("value")]
    if not isinstance(labels, dict) or not isinstance(values, list):
        raise FormatError(
            source.name, column="result", value=json.dumps(one)[:80], expected="a series with metric and values"
        )
    return {str(key): str(value) for key, value in labels.items()}, values


def _ask_metric(source: Source) -> str | None:
    """A function such as avg() drops the name of its metric."""
    return source.interview.ask(
        Question(
            "metric",
            "The series do not name their metric: what are these values?",
            "choice",
            tuple((name, name) for name in METRICS),
            None,
            "W, %, MiB and mJ look alike",
        )
    )


def _pair(pair: Any) -> tuple[float, str]:
    if not isinstance(pair, list) or len(pair) != 2 or type(pair[0]) not in (int, float):
        raise CellError("values", str(pair), '[seconds, "number"]', "not a value at a time")
    return instant(float(pair[0]), str(pair[0])), str(pair[1])


def _warnings(document: Any) -> Iterator[str]:
    told = document.get("warnings")
    for warning in told if isinstance(told, list) else []:
        yield f"Prometheus warned: {shortened(str(warning))}."


FORMAT = Format(
    slug=SLUG,
    title="Prometheus query of GPU metrics",
    kind="samples",
    made_by="/api/v1/query_range?query=DCGM_FI_DEV_POWER_USAGE&step=60",
    detect=detect_prometheus,
    read=read_prometheus,
    reads="series of the metrics of the DCGM exporter, power first: card, model, pods, time, value",
    leaves="other metrics, which are named; results without labels (scalar, string)",
    unknowns=(
        "NaN and Inf: the value is rejected; a series without its metric's name: asked; no utilisation in the file: "
        "idle power stays unknown; an answer with status error is refused with its text"
    ),
)
