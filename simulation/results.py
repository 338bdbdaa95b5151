"""Results of a run as files: equal scenario and seed give equal bytes."""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import simulation
from simulation.formats.tables import cell_text
from simulation.records import JobOutcome, RequestOutcome, RunRecords, Spans
from simulation.run import Outcome
from simulation.scenario import Scenario, canonical_bytes, scenario_digest


def write_results(folder: Path, scenario: Scenario, seed: int, outcome: Outcome) -> dict[str, Any]:
    """Write metrics.json, jobs.csv, requests.csv, spans.csv and manifest.json into `folder` (made if missing).

    Returns the manifest: digest of the scenario, seed, engine version, and sha256 of each other file.
    """
    records = outcome.records
    files = {
        "metrics.json": canonical_bytes(outcome.document) + b"\n",
        "jobs.csv": jobs_table(records),
        "requests.csv": _requests(records),
        "spans.csv": _spans(records),
    }
    manifest = {
        "scenario": scenario_digest(scenario),
        "seed": seed,
        "engine": simulation.ENGINE_VERSION,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (*files.items(), ("manifest.json", canonical_bytes(manifest) + b"\n")):
        (folder / name).write_bytes(content)
    return manifest


JOB_COLUMNS = (
    "first_start_s", "end_s", "gpus", "isolated_s", "held_s", "useful_gpu_s", "overhead_gpu_s", "lost_gpu_s",
    "deadline_s", "preemptions", "resizes", "migrations",
)  # fmt: skip
REQUEST_COLUMNS = ("arrival_s", "queue_s", "batch_wait_s", "load_s", "execute_s")


def jobs_table(records: RunRecords, every: int = 1) -> bytes:
    """Records of jobs as CSV, one row a job in the order of submission; with `every` n, each n-th of them."""
    jobs = records.jobs
    names = [jobs.tenants[t] for t in jobs.tenant]
    outcomes = [JobOutcome(o).name.lower() for o in jobs.outcome]
    columns = [jobs.id, names, jobs.submit_s.tolist(), outcomes, *(getattr(jobs, c).tolist() for c in JOB_COLUMNS)]
    return _table(("id", "tenant", "submit_s", "outcome", *JOB_COLUMNS), [column[::every] for column in columns])


def _requests(records: RunRecords) -> bytes:
    requests = records.requests
    names = [records.services[s].name for s in requests.service]
    outcomes = [RequestOutcome(o).name.lower() for o in requests.outcome]
    columns = [names, outcomes, *(getattr(requests, c).tolist() for c in REQUEST_COLUMNS)]
    return _table(("service", "outcome", *REQUEST_COLUMNS), columns)


def _spans(records: RunRecords) -> bytes:
    jobs = _span_columns("job", records.jobs.id, records.job_spans, records)
    replicas = _span_columns("service", [s.name for s in records.services], records.replica_spans, records)
    columns = [a + b for a, b in zip(jobs, replicas, strict=True)]
    return _table(("kind", "owner", "node", "pool", "gpus", "start_s", "end_s"), columns)


def _span_columns(kind: str, names: Sequence[str], spans: Spans, records: RunRecords) -> list[list[Any]]:
    owners = [names[o] for o in spans.owner]
    pools = [records.pools[p].name for p in spans.pool]
    numbers = [spans.gpus.tolist(), spans.start_s.tolist(), spans.end_s.tolist()]
    return [[kind] * len(spans), owners, spans.node.tolist(), pools, *numbers]


def _table(header: Sequence[str], columns: Iterable[Sequence[Any]]) -> bytes:
    """CSV with shortest exact floats; unknown (nan) is an empty cell, text is never a formula."""
    text = io.StringIO()
    writer = csv.writer(text)  # its line ends are CR LF: so that it quotes text with either of them
    writer.writerow(header)
    for row in zip(*columns, strict=True):
        writer.writerow([_cell(value) for value in row])
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return cell_text(value)
    return "" if isinstance(value, float) and math.isnan(value) else value
