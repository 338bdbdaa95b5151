"""Requests of a log -> a workload with one service; how the service answers them is asked, and assumed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from planner.catalog.drafts.draft import Context, Draft, ask_origin, count
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.reading import Question, Reading
from simulation.provenance import Origin, weakest
from simulation.scenario import Requests, Service, Workload


@dataclass(frozen=True, slots=True)
class Parameter:
    """A figure of a service that no request log holds. `default` None: it must be typed."""

    field: str
    text: str
    unit: str
    of: Callable[[str], Any]
    default: str | None
    why: str


def _optional(text: str) -> float | None:
    return float(text) if text.strip() else None


PARAMETERS = (
    Parameter("name", "Name of the service", "", str, "service", "shown with its results"),
    Parameter("tenant", "Tenant that pays for it", "", str, "serving", "its share counts towards fairness"),
    Parameter("alpha_s", "Fixed time of a batch", "s", float, None, "a batch of b takes alpha + beta x b"),
    Parameter("beta_s", "Time for each request in it", "s", float, None, "measure it with two batch sizes"),
    Parameter("batch_max", "Largest batch", "requests", int, "8", "larger batches share alpha"),
    Parameter("timeout_s", "Longest wait for a full batch", "s", float, "0", "0 starts whatever is there"),
    Parameter("gpus_per_replica", "GPUs a replica", "GPUs", int, "1", "whole devices"),
    Parameter("replicas", "Replicas at the start", "", int, "1", "the policy may change it"),
    Parameter("load_s", "Start-up of a replica", "s", float, "0", "boot and weight load"),
    Parameter("slo_s", "Latency that is promised", "s", _optional, "", "empty: no promise, none is missed"),
)


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.WORKLOAD, weakest([ask_origin(interview, "requests"), Origin.ASSUMED]))
    values = {one.field: _value(interview, one) for one in PARAMETERS}
    arrivals = [at for at in reading.table["arrival_s"] if at is not None]
    for _ in range(len(reading.table) - len(arrivals)):
        count(made.left_out, "time of arrival unknown")
    open_ = [one for one in PARAMETERS if one.default is None and values[one.field] is None]
    if open_ or not reading.ready or not arrivals:
        return made
    made.workload = Workload(services=[_service(reading, values, interview)])
    made.facts = {"left_out": made.left_out}
    made.said = [f"How the service answers is typed by {context.person} and assumed; the arrivals are the file's own."]
    made.amount = f"{len(arrivals):,} request{'s' if len(arrivals) != 1 else ''}"
    return made


def _value(interview: Interview, one: Parameter) -> Any:
    unit = f" ({one.unit})" if one.unit else ""
    question = Question(f"service.{one.field}", f"{one.text}{unit}", "text", (), one.default, one.why)
    answer = interview.ask(question)
    if answer is None or (answer.strip() == "" and one.default is None):
        return None
    try:
        return one.of(answer.strip())
    except ValueError:
        raise interview.refusal(question.key, answer, f"{one.text.lower()} as a number{unit}") from None


def _service(reading: Reading, values: dict[str, Any], interview: Interview) -> Service:
    table = reading.table
    rows = sorted(
        (row for row in range(len(table)) if table["arrival_s"][row] is not None),
        key=lambda row: (table["arrival_s"][row], table["line"][row]),
    )
    tokens = {
        name: [table[name][row] for row in rows]
        for name in ("prompt_tokens", "output_tokens")
        if all(table[name][row] is not None for row in rows)
    }
    try:
        return Service(**values, requests=Requests(times_s=[float(table["arrival_s"][row]) for row in rows], **tokens))
    except ValidationError as error:
        first = error.errors()[0]
        key = f"service.{first['loc'][0]}" if first["loc"] else "service"
        raise interview.refusal(key, str(first["input"])[:40], first["msg"]) from None
