"""Nodes of an inventory -> a cluster: equal nodes make a pool; what takes no jobs is counted and asked about."""

from __future__ import annotations

from typing import Any

from simulation.catalogues.gpu_models import gpu_models
from simulation.formats.interview import Interview
from simulation.formats.inventory import NOT_NAMED, choose_nodes, gpus_of, pools
from simulation.formats.node_totals import node_totals
from simulation.formats.parts.models import Meant, meant
from simulation.formats.parts.part import Part, ask_origin, counted
from simulation.formats.reading import Question, Reading
from simulation.formats.tables import Table
from simulation.provenance import Origin, weakest
from simulation.scenario import Cluster, Pool

NAMED = 5


def part(reading: Reading, interview: Interview) -> Part:
    """The cluster that an inventory describes; memory and powers of its pools are the catalogue's."""
    table, origin = reading.table, ask_origin(interview, reading)
    installed, left_out = choose_nodes(table, schedulable_only=False)
    schedulable_only = _ask_states(interview, table, installed)
    models = meant(interview, {table["gpu_model"][at] or NOT_NAMED for at in installed})
    if schedulable_only is not None:
        rows, left_out = choose_nodes(table, schedulable_only=schedulable_only)
    if models is None or schedulable_only is None or not reading.ready or not rows:
        return Part(origin, left_out, said=_said(table), facts=_facts(table, left_out))
    named = {name: one.model for name, one in models.items()}
    found = [_with_figures(pool) for pool in pools(table, named, schedulable_only=schedulable_only).pools]
    return Part(
        origin,
        left_out,
        said=_said(table),
        cluster=Cluster(pools=found),
        origins={"cluster": origin, "power": _power_origin(found, origin, models)},
        chosen=frozenset(one.model for one in models.values() if one.chosen),
        facts=_facts(table, left_out),
        amount=f"{counted(len(rows), 'node')}, {counted(sum(pool.gpus for pool in found), 'GPU')}",
    )


def _ask_states(interview: Interview, table: Table, installed: list[int]) -> bool | None:
    """Whether only nodes that take jobs make the cluster; asked only where some take none, None while it is open."""
    idle = [at for at in installed if _lost(table, at)]
    if not idle:
        return False
    names = ", ".join(table["name"][at] for at in idle[:NAMED]) + (" …" if len(idle) > NAMED else "")
    lost = sum(_lost(table, at) for at in idle)
    many = lost != 1
    answer = interview.ask(
        Question(
            "nodes",
            f"{counted(lost, 'GPU')} of {counted(len(idle), 'node')} {'take' if many else 'takes'} no jobs at present "
            f"({names}). "
            f"{'Are they' if many else 'Is it'} part of the cluster?",
            "choice",
            (("installed", "yes, they will be back"), ("schedulable", "no, leave them out")),
            None,
            "the capacity that policies may use depends on it",
        )
    )
    return None if answer is None else answer == "schedulable"


def _lost(table: Table, at: int) -> int:
    """Installed GPUs of a node that jobs cannot be given: all where it takes none, else those that are lost or cut."""
    installed: int = table["gpus"][at]
    if table["schedulable"][at] is False:
        return installed
    return installed - (gpus_of(table, at, schedulable_only=True) or 0)


def _with_figures(pool: Pool) -> Pool:
    """The pool with memory and powers of its model, where the catalogue has them."""
    known = gpu_models().get(pool.gpu_model)
    if known is None:
        return pool
    figures = {"gpu_memory_bytes": known.memory_bytes, "idle_w": known.idle_w, "peak_w": known.peak_w}
    return pool.model_copy(update={field: value for field, value in figures.items() if value is not None})


def _power_origin(found: list[Pool], origin: Origin, models: dict[str, Meant]) -> Origin:
    """The catalogue's, no stronger than the choice of a model by a person; the file's own where there is no figure."""
    attributes = ("idle_power", "peak_power")
    known = [gpu_models()[pool.gpu_model].figures for pool in found if pool.gpu_model in gpu_models()]
    published = [figures[name].origin for figures in known for name in attributes if name in figures]
    by_person = [Origin.ASSUMED for one in models.values() if one.chosen and published]
    return weakest([*published, *by_person]) if published else origin


def _facts(table: Table, left_out: dict[str, int]) -> dict[str, Any]:
    """Installed, schedulable and in-use GPUs; None where the source does not record it for every node."""
    totals = node_totals(table)
    return {
        "installed": totals["gpus"],
        "schedulable": totals["gpus_schedulable"],
        "in_use": totals["gpus_in_use"],
        "slices": sum(totals["slices"].values()),
        "left_out": left_out,
    }


def _said(table: Table) -> tuple[str, ...]:
    sliced = sum(1 for slices in table["slices"] if slices)
    powered = sum(1 for watts in table["watts"] if watts is not None)
    said = []
    if sliced:
        said.append(f"{counted(sliced, 'node')} with partitioned GPUs: slices stand apart, never added to whole GPUs.")
    if powered:
        said.append(f"{counted(powered, 'node')} with a power reading: one moment's, not used as idle or peak.")
    return tuple(said)
