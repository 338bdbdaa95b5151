"""Jobs of Kubernetes (Job, Kueue, Volcano, Kubeflow, Ray, JobSet) as YAML or JSON: gangs, queues and their quotas."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from datetime import UTC
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.instants import Clock
from simulation.formats.job_totals import job_totals
from simulation.formats.kubernetes import Object, kinds_in, listed, objects_of, text
from simulation.formats.kubernetes_gangs import GANGS, Gang, group_and_kind
from simulation.formats.kubernetes_queues import QUEUE_NAME, Queues, namespace, queues_in
from simulation.formats.quantities import span
from simulation.formats.reading import Question, Reading
from simulation.formats.source import Source
from simulation.provenance import Origin

SLUG, VERSION = "kubernetes-jobs", "1"
QUEUE_KINDS = frozenset({"ClusterQueue", "LocalQueue", "ResourceFlavor", "Queue"})
KINDS = frozenset(kind for _, kind in GANGS) | QUEUE_KINDS
OUTCOMES = {
    "Complete": "finished", "Completed": "finished", "Succeeded": "finished", "SuccessCriteriaMet": "finished",
    "Failed": "failed", "FailureTarget": "failed", "Aborted": "cancelled", "Terminated": "cancelled",
}  # fmt: skip


def detect_kubernetes_jobs(head: str, filename: str) -> tuple[float, str]:
    found = kinds_in(head) & KINDS
    if found and "apiVersion" in head and "Node" not in kinds_in(head):
        return 0.95, f"objects of kind {', '.join(sorted(found))}"
    return 0.0, ""


def read_kubernetes_jobs(source: Source) -> Reading:
    """A row of the counts is one object. Queues are read for their quotas; other kinds are skipped and named."""
    objects = objects_of(source)
    try:
        queues = queues_in(objects)
    except CellError as error:
        raise FormatError(source.name, column=error.column, value=error.value, expected=error.expected) from None
    collector, clock = Collector("jobs"), Clock(UTC)
    others: Counter[str] = Counter()
    for place, one in enumerate(objects, start=1):
        gang_of = GANGS.get(group_and_kind(one))
        if gang_of is None:
            others[one["kind"]] += one["kind"] not in QUEUE_KINDS
            collector.skipped += 1
            continue
        raw = json.dumps(one)
        try:
            row, oddities = _row(one, gang_of(one), queues, clock, place)
            collector.keep_once(row["id"], row, oddities, raw)
        except CellError as error:
            clock.take_oddities()
            collector.reject(place, error, raw)
    assumed = _settle_times(source, collector.rows)
    table = collector.table()
    fits = _fits(collector.rows, queues)
    totals = {**job_totals(table), "queues": [asdict(quota) for quota in queues.quotas], "quota_fit": fits}
    facts = [*source.facts(), *_facts(others, fits), *assumed]
    origin = Origin.ASSUMED if assumed else Origin.MEASURED
    return collector.reading(
        source, SLUG, VERSION, table, in_file=len(objects), totals=totals, facts=facts, origin=origin
    )


def _row(job: Object, gang: Gang, queues: Queues, clock: Clock, place: int) -> tuple[dict[str, Any], list[CellError]]:
    name, queue = text(job, "metadata", "name") or text(job, "metadata", "generateName"), queues.of(job)
    if not name:
        raise CellError("metadata.name", "", "the name of a job", "a job without a name")
    state, outcome = _state(job)
    start = clock.read(text(job, "status", "startTime"), "startTime")
    end = clock.read(text(job, "status", "completionTime"), "completionTime")
    if start is not None and end is not None and end < start:
        raise CellError("completionTime", text(job, "status", "completionTime"), "a time after startTime", "ends first")
    elapsed = end - start if start is not None and end is not None else None
    gpus, shares = gang.gpus, [pod.share for number, pod in gang.pods if number and pod.share is not None]
    oddities = _oddities(gang, clock)
    if shares and gang.size > 1:
        gpus, shares = None, []
        oddities.append(CellError("gpu-fraction", "", "whole GPUs", "several pods on parts of cards: GPUs unknown"))
    models = {model for number, pod in gang.pods if number and pod.gpus for model in pod.models}
    row = {
        "id": f"{namespace(job)}/{name}" if namespace(job) else name,
        "name": name,
        "tenant": queue or namespace(job) or None,
        "partition": text(job, "metadata", "labels", QUEUE_NAME) or text(job, "spec", "queue") or None,
        "submit_s": clock.read(text(job, "metadata", "creationTimestamp"), "creationTimestamp"),
        "start_s": start,
        "end_s": end,
        "elapsed_s": elapsed,
        "gpus": gpus,
        "gpu_share": shares[0] if shares else None,
        "gpu_models_allowed": "|".join(sorted(models) or queues.models(queue)) or None,
        "cpus": float(sum(number * pod.cpus for number, pod in gang.pods)),
        "memory_bytes": sum(number * pod.memory_bytes for number, pod in gang.pods) or None,
        "state": state,
        "outcome": outcome or ("running" if start is not None and end is None else None),
        "attempts": 1 if start is not None else None,
        "attempts_s": (elapsed,) if elapsed is not None else (),
        "line": place,
    }
    return row, oddities


def _oddities(gang: Gang, clock: Clock) -> list[CellError]:
    found = [*clock.take_oddities(), *(pod.oddity for number, pod in gang.pods if number and pod.oddity)]
    if gang.least < gang.size:
        said = f"may begin with {gang.least} of {gang.size} pods; all of them count"
        found.append(CellError("minAvailable", str(gang.least), str(gang.size), said))
    if gang.waves > 1:
        said = f"its pods run {gang.waves} times one after another; the GPUs of one time count"
        found.append(CellError("completions", str(gang.waves * gang.size), str(gang.size), said))
    return found


def _state(job: Object) -> tuple[str | None, str | None]:
    """(state as written, outcome); the last condition that is true counts."""
    true = [text(c, "type") for c in listed(job, "status", "conditions") if text(c, "status") == "True"]
    phase = text(job, "status", "state", "phase") or text(job, "status", "phase")
    suspended = "Suspended" if text(job, "spec", "suspend") == "true" else ""
    state = (true[-1] if true else "") or phase or suspended
    return state or None, OUTCOMES.get(state)


def _settle_times(source: Source, rows: list[dict[str, Any]]) -> list[str]:
    """Fill in what manifests cannot say, as answered; sentences about it, [] where the file says all itself."""
    said = []
    if rows and all(row["submit_s"] is None for row in rows):
        for row in rows:
            row["submit_s"] = 0.0
        said.append("No job has a time of creation: all of them are taken as submitted at the same moment.")
    open_ = [row for row in rows if row["elapsed_s"] is None]
    answer = _ask_run_time(source, len(open_)) if open_ else None
    if answer is not None:
        said.append(f"A run time of {answer:,.0f} s is assumed where a job has none: {len(open_)} of {len(rows)}.")
    for row in open_:
        row["elapsed_s"] = answer
    for row in rows:
        held = row["gpu_share"] if row["gpu_share"] is not None else row["gpus"]
        row["gpu_s"] = None if held is None or row["elapsed_s"] is None else held * row["elapsed_s"]
    return said


def _ask_run_time(source: Source, jobs: int) -> float | None:
    answer = source.interview.ask(
        Question(
            "run_time",
            f"A manifest holds no run time: how long do jobs run that do not say so ({jobs} here)?",
            "text",
            (),
            None,
            "such as 90m or 12h; it is an assumption, and marked so wherever it counts",
        )
    )
    if not answer:
        return None
    try:
        seconds = span(answer, "run_time", None)
    except CellError as error:
        raise source.interview.refusal("run_time", answer, error.expected) from None
    if not seconds:
        raise source.interview.refusal("run_time", answer, "a span above 0 such as 90m or 12h")
    return seconds


def _fits(rows: list[dict[str, Any]], queues: Queues) -> dict[str, str]:
    """Job -> whether it fits its queue's quota, where the file has one."""
    found = {row["id"]: queues.fit(row["tenant"] or "", row["gpus"]) for row in rows if row["gpus"]}
    return {job: fit for job, fit in found.items() if fit is not None}


def _facts(others: Counter[str], fits: dict[str, str]) -> list[str]:
    facts = ["Lines are places of objects in the file, from 1."]
    for fit, n in sorted(Counter(fits.values()).items()):
        facts.append(f"Quota of the queue: {n} of {len(fits)} jobs fit {fit}.")
    named = sorted(kind for kind, objects in others.items() if objects)
    if named:
        facts.append(f"Objects that are not read: {', '.join(named)}.")
    return facts


FORMAT = Format(
    slug=SLUG,
    title="Kubernetes jobs and queues",
    kind="jobs",
    made_by="kubectl get jobs,clusterqueues,localqueues,resourceflavors -A -o yaml",
    detect=detect_kubernetes_jobs,
    read=read_kubernetes_jobs,
    reads=(
        "Job, Volcano Job, PyTorchJob and its kin, RayJob, JobSet, Pod: GPUs of all pods as one gang, permitted "
        "models, queue, times and end where the cluster wrote them; quotas of ClusterQueue and Queue"
    ),
    leaves="priorities, images, commands, volumes; other kinds, which are named; YAML tags and aliases are refused",
    unknowns=(
        "no run time in a manifest: asked, and marked assumed; no time of creation in the whole file: all at once; "
        "slices, claims and shares without a size: GPUs unknown, not 0"
    ),
)
