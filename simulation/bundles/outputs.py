"""The results of a bundle: pure functions of scenarios and result documents, so that they can be made once more."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

from simulation.bundles.experiment import Experiment
from simulation.bundles.front import front_files
from simulation.bundles.layout import DOCUMENTS, JOBS
from simulation.bundles.sources import source_ids, source_of
from simulation.bundles.tables import table
from simulation.provenance import Origin, weakest
from simulation.results import jobs_table
from simulation.scenario import canonical_bytes
from simulation.statistics.intervals import estimate

JOB_ROWS = 200_000
"""Rows of jobs that a bundle holds at most; of more jobs every n-th is taken, in the order of submission."""


def output_files(experiment: Experiment) -> dict[str, bytes]:
    """Everything under outputs/."""
    files = {
        DOCUMENTS: b"".join(_document_lines(experiment)),
        "outputs/metrics.csv": table("outputs/metrics.csv", _metrics(experiment)),
        "outputs/replications.csv": table("outputs/replications.csv", _replications(experiment)),
        **front_files(experiment),
    }
    if experiment.records is not None:
        rows = jobs_table(experiment.records, every=sampling_step(len(experiment.records.jobs)))
        files[JOBS] = gzip.compress(rows, compresslevel=6, mtime=0)
    return files


def sampling_step(jobs: int) -> int:
    """Every how many jobs one is written."""
    return max(1, -(-jobs // JOB_ROWS))


def _document_lines(experiment: Experiment) -> Iterator[bytes]:
    for run in experiment.runs:
        if run.document is not None:
            line = {"scenario": run.scenario, "seed": run.seed, "document": run.document}
            yield canonical_bytes(line) + b"\n"


def _metrics(experiment: Experiment) -> Iterator[dict[str, Any]]:
    ids = source_ids(experiment)
    for place, scenario in enumerate(experiment.scenarios):
        entries = [document["metrics"] for document in experiment.documents_of(place).values()]
        for name in entries[0] if entries else ():
            found = _metric([e[name] for e in entries])
            origin = Origin(found["provenance"])
            source = source_of(scenario, ids[place], entries[0][name]["inputs"], origin)
            yield {"scenario": scenario.name, "metric": name, **found, "source_id": source}


def _metric(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """The mean of one metric over seeds; unknown where it is unknown in any."""
    values = [entry["value"] for entry in entries]
    found = estimate([] if None in values else values)
    return {
        "value": found.mean,
        "unit": entries[0]["unit"],
        "ci_low": found.low,
        "ci_high": found.high,
        "ci_method": "unknown" if None in values else found.method,
        "replications": len(values),
        "provenance": str(weakest(entry["origin"] for entry in entries)),
    }


def _replications(experiment: Experiment) -> Iterator[dict[str, Any]]:
    for place, scenario in enumerate(experiment.scenarios):
        for number, (seed, document) in enumerate(sorted(experiment.documents_of(place).items()), start=1):
            head = {"scenario": scenario.name, "replication": number, "seed": seed}
            for name, entry in document["metrics"].items():
                yield {**head, "metric": name, "value": entry["value"]}
