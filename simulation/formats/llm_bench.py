"""Results of LLM serving benchmarks: vLLM `bench serve` (summary or detailed) and SGLang (JSON lines)."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

from simulation.catalogues.gpu_models import gpu_models
from simulation.formats.bench_latencies import latencies
from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.interview import Interview
from simulation.formats.limits import DEFAULT_LIMITS
from simulation.formats.quantities import checked_span, count, number
from simulation.formats.reading import Question, Reading
from simulation.formats.source import Source, open_source

SLUG, VERSION = "llm-bench", "1"
TEXTS = "generated_texts"
NEEDED = ("completed", "duration", "request_throughput")
AGREES = 0.01
SMALL_SAMPLE = 100


def detect_llm_bench(text: str, filename: str) -> tuple[float, str]:
    fits = text.lstrip().startswith("{") and '"request_throughput"' in text and '"output_throughput"' in text
    return (0.95, "a result of an LLM serving benchmark") if fits else (0.0, "")


def read_llm_bench(source: Source) -> Reading:
    """A record is one run. Texts that the model wrote are not looked at, and leave with nothing that is kept."""
    gpus, model = _ask_gpus(source.interview), _ask_model(source.interview)
    collector, found = Collector("benchmarks"), list(_runs(source))
    for line, run in found:
        shown = {key: value for key, value in run.items() if key != TEXTS}
        try:
            row, oddities = _row(shown)
            collector.keep({**row, "gpus": gpus, "gpu_model": model, "line": line}, oddities, json.dumps(shown))
        except CellError as error:
            collector.reject(line, error, json.dumps(shown))
    table = collector.table()
    facts = [*source.facts(), "Neither the GPUs nor their model are in the file: they are as answered."]
    if any(table["saturating"]):
        facts.append("All requests were sent at once: throughput at saturation, and no latency under a load.")
    if any(TEXTS in run for _, run in found):
        facts.append("The texts that the model generated are neither shown nor kept.")
    head = tuple(json.dumps({key: value for key, value in run.items() if key != TEXTS})[:500] for _, run in found[:20])
    totals = {"runs": len(table), "requests": sum(n for n in table["completed"] if n is not None)}
    return collector.reading(source, SLUG, VERSION, table, in_file=len(found), totals=totals, facts=facts, head=head)


def without_texts(content: bytes) -> bytes:
    """The runs of a file as JSON lines, without the texts that the model generated; FormatError where it is none."""
    source, _ = open_source(io.BytesIO(content), filename="", limits=DEFAULT_LIMITS, interview=Interview())
    runs = [{key: value for key, value in run.items() if key != TEXTS} for _, run in _runs(source)]
    return "".join(json.dumps(run) + "\n" for run in runs).encode()


def _runs(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, run): one document, or one in each line."""
    lines = [(at, line) for at, line in source.lines(long=True) if line.strip()]
    if not lines:
        raise FormatError(source.name, expected="a JSON object of one run, or one in each line; there are blank lines")
    whole = _object("\n".join(line for _, line in lines))
    if whole is not None:
        yield lines[0][0], whole
        return
    for at, line in lines:
        run = _object(line)
        if run is None:
            raise FormatError(source.name, line=at, value=line[:40], expected="a JSON object of one run")
        yield at, run


def _object(text: str) -> dict[str, Any] | None:
    """The object; None where it is none. NaN and Infinity, which are no JSON but are written, stay as words."""
    try:
        found = json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _row(run: dict[str, Any]) -> tuple[dict[str, Any], list[CellError]]:
    for name in NEEDED:
        if run.get(name) is None:
            raise CellError(name, "", "a number", "not the result of a benchmark")
    duration, completed = _number(run, "duration"), _count(run, "completed")
    if not duration or completed is None:
        raise CellError("duration", str(run["duration"]), "a span above 0", "not the result of a benchmark")
    prompts = _count(run, "num_prompts")
    figures, oddities = latencies(run, completed)
    row = {
        "model": _text(run, "model_id") or _text(run, "model"),
        "backend": _text(run, "backend"),
        "date": _text(run, "date"),
        **_rate(run),
        "concurrency": _count(run, "max_concurrency"),
        "burstiness": _number(run, "burstiness"),
        "prompts": prompts,
        "completed": completed,
        "duration_s": checked_span(duration, str(duration), "duration"),
        "input_tokens": _count(run, "total_input_tokens"),
        "output_tokens": _count(run, "total_output_tokens"),
        "requests_per_s": _number(run, "request_throughput"),
        "output_tokens_per_s": _number(run, "output_throughput"),
        **figures,
    }
    oddities += _disagreement("request_throughput", row["requests_per_s"], completed / duration, "completed / duration")
    if row["output_tokens"] is not None:
        ours = row["output_tokens"] / duration
        oddities += _disagreement("output_throughput", row["output_tokens_per_s"], ours, "output tokens / duration")
    if prompts is not None and completed < prompts:
        oddities.append(CellError("completed", str(completed), str(prompts), f"{prompts - completed} requests failed"))
    if completed < SMALL_SAMPLE:
        expected = f"{SMALL_SAMPLE} requests or more"
        oddities.append(CellError("completed", str(completed), expected, f"n = {completed}: read a P99 with care"))
    return row, oddities


def _rate(run: dict[str, Any]) -> dict[str, Any]:
    """An offered rate of infinity is written as a string: all requests at once."""
    text = _text(run, "request_rate")
    if text is not None and text.lower() in {"inf", "infinity"}:
        return {"rate_per_s": None, "saturating": True}
    return {"rate_per_s": _number(run, "request_rate"), "saturating": None if text is None else False}


def _disagreement(name: str, stated: float | None, ours: float, words: str) -> list[CellError]:
    if stated is None or abs(stated - ours) <= AGREES * max(ours, 1e-9):
        return []
    return [CellError(name, f"{stated:g}", f"{ours:g}, {words}", "the file's figures do not agree")]


def _text(run: dict[str, Any], name: str) -> str | None:
    value = run.get(name)
    return None if value is None or isinstance(value, dict | list) else str(value) or None


def _number(run: dict[str, Any], name: str) -> float | None:
    value = number(_text(run, name) or "", name)
    if value is not None and value < 0:
        raise CellError(name, str(run[name]), "0 or more", "a negative amount")
    return value


def _count(run: dict[str, Any], name: str) -> int | None:
    return count(_text(run, name) or "", name)


def _ask_gpus(interview: Interview) -> int | None:
    options = tuple((str(n), str(n)) for n in (1, 2, 4, 8))
    answer = interview.ask(
        Question("gpus", "How many GPUs served?", "text", options, None, "the file does not say, and no price without")
    )
    if answer is None or not answer.strip():
        return None
    if not answer.strip().isdigit() or not 1 <= int(answer) <= 100_000:
        raise interview.refusal("gpus", answer, "a whole number from 1 to 100,000")
    return int(answer)


def _ask_model(interview: Interview) -> str | None:
    options = tuple((model, model) for model in gpu_models())
    why = "the same program is faster on another GPU"
    answer = interview.ask(Question("gpu_model", "On which GPU model?", "choice", options, None, why))
    return answer or None


FORMAT = Format(
    SLUG,
    "LLM serving benchmark",
    "benchmarks",
    "vllm bench serve --save-result, or SGLang's JSON lines",
    detect_llm_bench,
    read_llm_bench,
    reads="model, offered rate, concurrency, completed requests, duration, tokens, throughputs; mean, median and P99 "
    "of TTFT, TPOT, ITL and end-to-end latency, worked out from the lists of a detailed file where it states none",
    leaves="the texts that the model generated (never kept), other percentiles, tokenizer and labels",
    unknowns="GPUs and their model are not in the file, and asked; a percentile that the run did not write: unknown; "
    "failed requests are no part of a latency",
    redact=without_texts,
)
