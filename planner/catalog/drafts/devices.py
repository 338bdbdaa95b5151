"""The links between the GPUs of a node -> a revision of a cluster with the NVLink islands of a pool."""

from __future__ import annotations

from typing import Any

from planner.catalog.drafts.draft import Context, Draft
from planner.catalog.drafts.onto_cluster import ask_cluster, document_of
from planner.catalog.figures import figure
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.parts.links import node_links
from simulation.formats.parts.part import ask_origin, counted, source_words
from simulation.formats.reading import Question, Reading
from simulation.provenance import weakest

REJECTED = "lines of the matrix were rejected: half a matrix is none"
UNEQUAL = "NVLink islands of unequal size, which a pool cannot have"


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.CLUSTER, ask_origin(interview, reading))
    base = ask_cluster(interview, context, "In which cluster is this node?")
    made.said = [_sentence(reading.totals)]
    if reading.rejected:
        made.left_out = {REJECTED: len(reading.table)}
        return made
    if base is None:
        return made
    document = document_of(base)
    pool = _ask_pool(interview, document, reading.totals["gpus"])
    if pool is None or not reading.ready:
        return made
    found = node_links(reading.table, pool["gpu_model"], made.origin)
    if found is None:
        made.left_out = {UNEQUAL: len(reading.table)}
        return made
    told = found.links.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    pool["links"] = {**pool.get("links", {}), **told}
    document["figures"].setdefault(pool["name"], {})["links"] = figure(
        found.origin, f"{found.words}; {source_words(reading)}"
    )
    document["origins"]["cluster"] = str(weakest([document["origins"]["cluster"], found.origin]))
    made.said.append(f"{pool['name']}: {found.words}.")
    made.document = document
    made.amount = f"links of {counted(reading.totals['gpus'], 'GPU')}"
    return made


def _ask_pool(interview: Interview, document: dict[str, Any], gpus: int) -> dict[str, Any] | None:
    """A pool with as many GPUs a node as the matrix has; None while it is open."""
    fitting = {pool["name"]: pool for pool in document["cluster"]["pools"] if pool["gpus_per_node"] == gpus}
    answer = interview.ask(
        Question(
            "pool",
            f"Which pool has nodes like this one, with {counted(gpus, 'GPU')}?",
            "choice",
            tuple((name, name) for name in fitting),
            None,
            "all nodes of a pool are taken to be wired alike" if fitting else "none has as many GPUs a node",
        )
    )
    return None if answer is None else fitting[answer]


def _sentence(totals: Any) -> str:
    pairs = ", ".join(f"{n} of {kind}" for kind, n in totals["gpu_pairs"].items()) or "none"
    islands = ", ".join(str(len(island)) for island in totals["islands"]) or "none"
    return f"{counted(totals['gpus'], 'GPU')}; pairs of GPUs by link: {pairs}; NVLink islands by GPUs: {islands}."
