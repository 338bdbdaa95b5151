"""Where things stand in a bundle: names of files, what each is, and the columns of each table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from simulation.provenance import Origin

CRATE: Final = "ro-crate-metadata.json"
PREVIEW: Final = "ro-crate-preview.html"
README: Final = "README.md"
PACKAGE: Final = "datapackage.json"
RUN: Final = "run.json"
CHECKSUMS: Final = "CHECKSUMS.sha256"
SCENARIO: Final = "inputs/scenario.json"
STUDY: Final = "inputs/study.json"
DOCUMENTS: Final = "outputs/documents.jsonl"
JOBS: Final = "outputs/jobs.csv.gz"
FRONT_DATA: Final = "outputs/figures/front.json"
FRONT_PICTURE: Final = "outputs/figures/front.svg"
OUTPUTS: Final = "outputs/"
"""Everything below is worked out from the inputs, and comes out the same when it is worked out again."""


class Described(NamedTuple):
    name: str
    description: str


FILES: Final[dict[str, Described]] = {
    README: Described("Read me", "What this is, and how to run it again"),
    PREVIEW: Described("Preview", "This crate for the eye"),
    PACKAGE: Described("Data package", "Columns, units and permitted words of every table"),
    RUN: Described("Runs", "Scenarios, seeds, engine, policies, events, times and end of every run"),
    CHECKSUMS: Described("Checksums", "sha256 of every other file"),
    SCENARIO: Described("Scenario", "The whole input of the run, as canonical JSON"),
    STUDY: Described("Study", "Question, base, axes and catalogue, so that the study can be asked again elsewhere"),
    DOCUMENTS: Described("Result documents", "One line a run: everything that the engine reported"),
    JOBS: Described("Jobs", "Records of jobs, one row a job"),
    FRONT_DATA: Described("Data of the front", "Points of the front as Plotly draws them"),
    FRONT_PICTURE: Described("Front", "Picture of the front"),
    "environment/requirements.lock": Described(
        "Libraries", "Versions and hashes of the libraries of this installation"
    ),
    "environment/python.txt": Described("Python", "Version of the interpreter"),
    "environment/platform.json": Described("Platform", "Operating system and processor"),
    "environment/git.json": Described("Revision of the code", "Commit of the checkout, and whether it was changed"),
}

MEDIA_TYPES: Final = {
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".csv": "text/csv",
    ".gz": "application/gzip",
    ".md": "text/markdown",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".lock": "text/plain",
    ".sha256": "text/plain",
}


def media_type(name: str) -> str:
    return MEDIA_TYPES[name[name.rindex(".") :]]


def described(name: str) -> Described:
    """Title and description of a file of a bundle."""
    if name in FILES:
        return FILES[name]
    if name in TABLES:
        return Described(TABLES[name].title, TABLES[name].description)
    kind = "Workload" if name.startswith("inputs/workloads/") else "Scenario"
    return Described(
        f"{kind} {name.rsplit('/', 1)[-1].removesuffix('.json')}", f"{kind} of the study as canonical JSON"
    )


_NUMBERED = re.compile(r"inputs/(?:scenarios/\d{4}|workloads/[0-9a-f]{12})\.json")


def permitted(name: str) -> bool:
    """Whether a bundle may have a file of this name."""
    return name == CRATE or name in FILES or name in TABLES or _NUMBERED.fullmatch(name) is not None


Type = Literal["string", "number", "integer", "boolean"]


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: Type
    description: str
    unit: str = ""
    among: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    description: str
    columns: tuple[Column, ...]


_SCENARIO = Column("scenario", "string", "its name")
_ORIGIN = Column("provenance", "string", "weakest origin of what it rests on", among=tuple(map(str, Origin)))
_METRIC = Column("metric", "string", "name of a metric of the engine")

TABLES: Final[dict[str, Table]] = {
    "inputs/cluster.csv": Table("Cluster", "Pools of equal nodes", (
        _SCENARIO, Column("pool", "string", "its name"), Column("gpu_model", "string", "model of its GPUs"),
        Column("nodes", "integer", "machines", "nodes"), Column("gpus_per_node", "integer", "GPUs of each", "GPUs"),
        Column("speed", "number", "rate relative to the model that durations refer to"),
        Column("gpu_memory_bytes", "integer", "memory of a GPU", "B"),
        Column("idle_w", "number", "power of an idle GPU", "W"), Column("peak_w", "number", "of a busy GPU", "W"),
        Column("node_overhead_w", "number", "power of a node beside its GPUs", "W"),
        Column("purchase", "string", "owned, reserved, on-demand or spot"),
        Column("pue", "number", "power of the site over power of its machines"), _ORIGIN,
    )),
    "inputs/prices.csv": Table("Prices", "Unit prices, and the carbon intensity of electricity", (
        _SCENARIO, Column("item", "string", "gpu, electricity or carbon", among=("gpu", "electricity", "carbon")),
        Column("pool", "string", "pool that it holds for; empty: any"),
        Column("gpu_model", "string", "model that it holds for; empty: any"),
        Column("purchase", "string", "kind of purchase that it holds for; empty: any"),
        Column("from_s", "number", "from when it holds, until the next row of its kind", "s"),
        Column("value", "number", "price or intensity"), Column("unit", "string", "of the value"), _ORIGIN,
    )),
    "inputs/workload.csv": Table("Workload", "Training jobs", (
        Column("workload", "string", "first 12 digits of the workload's digest"), Column("id", "string", "of the job"),
        Column("submit_s", "number", "submission, from the start of the horizon", "s"),
        Column("duration_s", "number", "run time with `gpus` GPUs of the reference model", "s"),
        Column("gpus", "integer", "GPUs asked for", "GPUs"), Column("gpus_min", "integer", "fewest", "GPUs"),
        Column("gpus_max", "integer", "most", "GPUs"), Column("tenant", "string", "who pays"),
        Column("estimate_s", "number", "the user's own estimate", "s"),
        Column("deadline_s", "number", "instant at which it must have ended", "s"), _ORIGIN,
    )),
    "inputs/services.csv": Table("Services", "Models that answer requests", (
        Column("workload", "string", "first 12 digits of the workload's digest"),
        Column("service", "string", "its name"), Column("tenant", "string", "who pays"),
        Column("gpus_per_replica", "integer", "GPUs of a replica", "GPUs"),
        Column("replicas", "integer", "at the start"), Column("batch_max", "integer", "requests in a batch"),
        Column("alpha_s", "number", "time of an empty batch", "s"), Column("beta_s", "number", "per request", "s"),
        Column("slo_s", "number", "time within which a request must be answered", "s"),
        Column("requests", "integer", "recorded requests; empty: generated from rates"), _ORIGIN,
    )),
    "inputs/slo.csv": Table("Limits", "Limits on metrics, stored before the first run", (
        _SCENARIO, _METRIC, Column("limit", "number", "in the unit of the metric"),
        Column("unit", "string", "of the limit"), Column("hard", "boolean", "whether it decides feasibility"),
    )),
    "outputs/metrics.csv": Table("Metrics", "Every metric of every scenario over its seeds", (
        _SCENARIO, _METRIC, Column("value", "number", "mean over the replications; empty: unknown"),
        Column("unit", "string", "of value and interval"), Column("ci_low", "number", "95 % interval, lower end"),
        Column("ci_high", "number", "95 % interval, upper end"), Column("ci_method", "string", "how it was made"),
        Column("replications", "integer", "seeds"), _ORIGIN,
        Column("source_id", "string", "row of evidence/sources.csv that the provenance comes from"),
    )),
    "outputs/replications.csv": Table("Replications", "Every metric of every run", (
        _SCENARIO, Column("replication", "integer", "counted from 1"), Column("seed", "integer", "of the run"), _METRIC,
        Column("value", "number", "empty: unknown"),
    )),
    "outputs/front.csv": Table("Front", "Which scenario no other beats in two metrics", (
        _SCENARIO, Column("x_metric", "string", "one metric"), Column("x", "number", "its value"),
        Column("y_metric", "string", "the other"), Column("y", "number", "its value"),
        Column("status", "string", "how it stands", among=(
            "front", "dominated", "infeasible", "unknown", "not comparable")),
    )),
    "evidence/sources.csv": Table("Sources", "Where the inputs come from", (
        Column("id", "string", "named by outputs/metrics.csv"),
        Column("kind", "string", "origin", among=tuple(map(str, Origin))), Column("title", "string", "in words"),
        Column("authors", "string", "empty: not recorded"), Column("year", "string", "empty: not recorded"),
        Column("locator", "string", "group of inputs that it gives"), Column("url", "string", "empty: none"),
        Column("retrieved", "string", "empty: not recorded"), Column("hardware", "string", "GPU models"),
        Column("workload", "string", "first 12 digits of the workload's digest"), Column("note", "string", ""),
    )),
}  # fmt: skip
