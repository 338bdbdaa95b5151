"""Nodes of an inventory -> a cluster: equal nodes make a pool; what takes no jobs is counted and asked about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.catalog.drafts.draft import Context, Draft, ask_origin, count, told_by_file
from planner.catalog.drafts.models import Meant, meant
from planner.catalog.figures import Told, figure, group_origins, resolved
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.reading import Question, Reading
from simulation.formats.tables import Table
from simulation.provenance import Origin

NO_MODEL = "unnamed GPU"


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(Kind.CLUSTER, ask_origin(interview, "nodes"))
    table = reading.table
    with_gpus = _with_gpus(table, made.left_out)
    made.facts = _counts(table, with_gpus)
    rows = _ask_states(interview, table, with_gpus)
    models = meant(interview, {table["gpu_model"][row] or NO_MODEL for row in with_gpus})
    made.said = _said(table)
    if rows is None or models is None or not reading.ready or not rows:
        return made
    for _ in range(len(with_gpus) - len(rows)):
        count(made.left_out, "takes no jobs at present")
    pools = _pools(table, rows, models)
    told = told_by_file(reading, made.origin)
    chosen = figure(Origin.ASSUMED, f"model chosen by {context.person} on import")
    figures = {pool["name"]: _figures(pool, told, chosen, models) for pool in pools}
    made.document = {
        "cluster": {"name": "cluster", "pools": pools},
        "origins": group_origins(figures.values(), made.origin),
        "figures": figures,
    }
    made.facts["left_out"] = made.left_out
    gpus = sum(pool["nodes"] * pool["gpus_per_node"] for pool in pools)
    made.amount = f"{len(rows)} node{'s' if len(rows) != 1 else ''}, {gpus} GPUs"
    return made


def _with_gpus(table: Table, left_out: dict[str, int]) -> list[int]:
    kept = []
    for row, gpus in enumerate(table["gpus"]):
        if gpus:
            kept.append(row)
        else:
            count(left_out, "number of GPUs unknown" if gpus is None else "no GPU")
    return kept


def _counts(table: Table, rows: Sequence[int]) -> dict[str, Any]:
    """Installed, schedulable and in-use GPUs; None where the source does not record it for every node."""
    gpus, usable, used = table["gpus"], table["schedulable"], table["gpus_in_use"]
    known = all(usable[row] is not None for row in rows)
    return {
        "installed": sum(gpus[row] for row in rows),
        "schedulable": sum(gpus[row] for row in rows if usable[row]) if known else None,
        "in_use": sum(used[row] for row in rows) if all(used[row] is not None for row in rows) else None,
        "slices": sum(len(slices or ()) for slices in table["slices"]),
    }


def _ask_states(interview: Interview, table: Table, rows: list[int]) -> list[int] | None:
    """The nodes that make the cluster; asked only where some of them take no jobs."""
    idle = [row for row in rows if table["schedulable"][row] is False]
    if not idle:
        return rows
    names = ", ".join(table["name"][row] for row in idle[:5]) + (" …" if len(idle) > 5 else "")
    lost = sum(table["gpus"][row] for row in idle)
    answer = interview.ask(
        Question(
            "nodes",
            f"{len(idle)} nodes with {lost} GPUs take no jobs at present ({names}). Are they part of the cluster?",
            "choice",
            (("installed", "yes, they will be back"), ("schedulable", "no, leave them out")),
            None,
            "the capacity that policies may use depends on it",
        )
    )
    if answer is None:
        return None
    return rows if answer == "installed" else [row for row in rows if row not in set(idle)]


def _pools(table: Table, rows: list[int], models: dict[str, Meant]) -> list[dict[str, Any]]:
    """One pool for each pair of model and GPUs a node, largest first."""
    groups: dict[tuple[str, int], list[str]] = {}
    for row in rows:
        model = models[table["gpu_model"][row] or NO_MODEL].model
        groups.setdefault((model, table["gpus"][row]), []).append(table["name"][row])
    shared = [model for model, _ in groups]
    ordered = sorted(groups, key=lambda key: (-key[1] * len(groups[key]), key))
    return [
        {
            "name": model if shared.count(model) == 1 else f"{model}, {gpus} a node",
            "gpu_model": model,
            "nodes": len(groups[model, gpus]),
            "gpus_per_node": gpus,
            "node_names": sorted(groups[model, gpus]),
        }
        for model, gpus in ordered
    ]


def _figures(pool: dict[str, Any], told: Told, chosen: Told, models: dict[str, Meant]) -> dict[str, Told]:
    """Counts are the file's own. What hangs on a model that a person chose is no stronger than that choice."""
    found = resolved(pool, told, None, {})
    by_person = any(one.chosen and one.model == pool["gpu_model"] for one in models.values())
    if not by_person:
        return found
    kept = ("nodes", "gpus_per_node", "gpu_model")
    return {
        field: was if field in kept else {**chosen, "source": f"{was['source']}; {chosen['source']}"}
        for field, was in found.items()
    }


def _said(table: Table) -> list[str]:
    sliced = [slices for slices in table["slices"] if slices]
    powered = sum(1 for watts in table["watts"] if watts is not None)
    said = []
    if sliced:
        said.append(f"{len(sliced)} nodes have partitioned GPUs: slices stand apart, never added to whole GPUs.")
    if powered:
        said.append(f"{powered} nodes report power: one moment's reading, not used as idle or peak.")
    return said
