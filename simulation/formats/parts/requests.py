"""Requests of a log -> a workload with one service; how the service answers them is asked, and assumed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from simulation.formats.interview import Interview
from simulation.formats.parts.part import Part, ask_origin, counted
from simulation.formats.reading import Question, Reading
from simulation.formats.tables import Table
from simulation.formats.workload import RequestSelection, request_stream
from simulation.provenance import Origin, weakest
from simulation.scenario import Service, Workload


@dataclass(frozen=True, slots=True)
class Parameter:
    """A figure of a service that no request log holds. `default` None: it must be typed."""

    field: str
    text: str
    unit: str
    of: Callable[[str], Any]
    default: str | None
    why: str


EVERY = "every model"


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


def part(reading: Reading, interview: Interview) -> Part:
    """One service with the arrivals of the file. Its answers are typed, so it is assumed at best."""
    origin = weakest([ask_origin(interview, reading), Origin.ASSUMED])
    values = {one.field: _value(interview, one) for one in PARAMETERS}
    asked = _ask_model(interview, reading.table)
    made = request_stream(reading.table, None if asked == EVERY else asked)
    arrivals = len(made.requests.times_s or ())
    open_ = [one for one in PARAMETERS if one.default is None and values[one.field] is None]
    if open_ or asked is None or not reading.ready or not arrivals:
        return Part(origin, made.left_out)
    return Part(
        origin,
        made.left_out,
        said=_said(made),
        workload=Workload(services=[_service(values, made, interview)]),
        origins={"workload": origin},
        facts={"left_out": made.left_out},
        amount=counted(arrivals, "request"),
    )


def _ask_model(interview: Interview, table: Table) -> str | None:
    """Whose requests the service answers; asked where the log names several models."""
    models = sorted({model for model in table["model"] if model})
    if len(models) < 2:
        return EVERY
    counts = ((model, f"{model}: {counted(table['model'].count(model), 'request')}") for model in models)
    options = (*counts, (EVERY, "all of them, as if one model answered"))
    why = "a service answers with one model, and how fast it is depends on it"
    return interview.ask(Question("model", "Requests to which model?", "choice", options, None, why))


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


def _service(values: dict[str, Any], made: RequestSelection, interview: Interview) -> Service:
    try:
        return Service(**values, requests=made.requests)
    except ValidationError as error:
        first = error.errors()[0]
        key = f"service.{first['loc'][0]}" if first["loc"] else "service"
        raise interview.refusal(key, str(first["input"])[:40], first["msg"]) from None


def _said(made: RequestSelection) -> tuple[str, ...]:
    said = ["How the service answers is typed, and assumed; the arrivals are the file's own."]
    if made.without_length:
        said.append(
            f"{counted(made.without_length, 'request')} without token counts: all arrive, lengths are not used."
        )
    return tuple(said)
