"""Writes docs/reference/formats.md: what each reader of the registry takes and leaves; a test holds both together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from simulation.formats.registry import FORMATS, Format
from simulation.formats.tables import COLUMNS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "formats.md"


@dataclass(frozen=True, slots=True)
class Told:
    """What people want to know of a reader before they trust it."""

    read: str
    left: str  # what is not read
    unknown: str  # how unknowns are treated


_SHEET_LEFT = "columns that are mapped to nothing; further sheets than the one chosen; formulas beyond their value"
_CONFIGURED = "what is up and what is in use: only what is configured is in the file"

TOLD: dict[str, Told] = {
    "slurm-sacct": Told(
        "job, user, account, partition, submit, eligible, start, end, run time, GPUs and their model (AllocTRES, else "
        "ReqTRES, else GRES), nodes, CPUs, memory, time limit, state; requeued attempts are joined",
        "steps (folded into their job, counted), the other fields of the export",
        "no GPU named in a row: unknown, not 0, and where no row names one it is asked; no zone in the times: asked; "
        "still running: run time so far, a lower bound, never an end; slices of GPUs are not counted as whole ones",
    ),
    "slurm-nodes": Told(
        "node, GPUs and model (Gres, else CfgTRES), MIG slices, CPUs, memory, state with flags, partitions, GPUs in "
        "use, measured watts",
        "free texts such as Reason and Comment, addresses, versions",
        "no Gres: unknown, not 0; watts n/s, n/a or 0: not measured; slices hide how many whole GPUs are in use",
    ),
    "slurm-sinfo": Told(
        "node, GPUs and model, slices, CPUs, memory, state, partition, GPUs in use where GRES_USED is printed",
        "other columns; a node in several partitions counts once",
        "no GRES column: GPUs unknown; no state column: whether it takes jobs is unknown",
    ),
    "slurm-conf": Told("nodes, GPUs and model, CPUs, memory, partitions", f"all other settings; {_CONFIGURED}",
                       "a node without Gres: GPUs unknown, with a warning; states stay unknown"),
    "slurm-gres": Told("nodes, GPUs by device files or Count, model", f"other devices; {_CONFIGURED}",
                       "AutoDetect: counts may stand in slurm.conf alone, which is said; memory and CPUs stay unknown"),
    "philly-csv": Told(
        "submission, run time, GPUs, virtual cluster",
        "gpu_time is only checked against run time x GPUs; start, end, queueing and outcome are not in this file",
        "a missing time, run time or GPU count: the job is kept, said, and not replayed; equal rows are kept as twins",
    ),
    "philly-json": Told(
        "job, user, virtual cluster, submission, every attempt with start, end and GPUs, status",
        "which machine and which GPU",
        "an attempt without an end leaves run time and GPU time unknown; an unknown status leaves the outcome unknown",
    ),
    "azure-llm": Told("arrival, prompt and output tokens", "NumImages, which is said",
                      "no arrival: the row is rejected; no token count: unknown, not 0; times without offset are UTC"),
    "openb-nodes": Told("node, GPUs, model, CPUs, memory", "what is in use and the state of nodes are not in this file",
                        "G2 and G3 are models that the authors do not name: no price or power is looked up for them"),
    "openb-pods": Told(
        "pod, creation, scheduling, deletion, GPUs or the part of one, permitted models, CPUs, memory, phase",
        "quality of service beyond its name; on which node a pod ran is not in this file",
        "never scheduled: no wait and no run time; running at the end of the recording: run time is a lower bound",
    ),
    "generic-jobs": Told(
        "id, submission, start, end, run time, GPUs and model, user, team, partition, state, time limit, CPUs, memory, "
        "price of a GPU hour; header words in English, German and French are recognised, the mapping can be changed",
        _SHEET_LEFT,
        "no submission: asked whether the start stands for it; day or month first, zone, unit, decimal sign and "
        "currency are asked where the file leaves them open; an empty cell is unknown, not 0",
    ),
    "generic-nodes": Told(
        "node or number of equal nodes, GPUs and model, GPUs in use, CPUs, memory, state, measured watts, partition",
        _SHEET_LEFT,
        "GPUs empty: unknown, not 0; a node that stands there twice is rejected",
    ),
    "generic-prices": Told(
        "amount, unit, currency, GPU model, pool, purchase class, date, region",
        _SHEET_LEFT,
        "unit or currency that no column or header names is asked; currencies are never converted or added; a row "
        "without an amount is rejected",
    ),
}  # fmt: skip


def reference() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# File formats"
    yield ""
    yield "Made by `python -m scripts.formats_reference` out of `simulation/formats/registry.py`; do not edit."
    yield "Every row of a file is accepted, warned, rejected with a reason, folded or skipped, and the counts add up."
    yield "Times without a zone are asked about; unknown is never 0, still running is never finished."
    yield ""
    yield "| format | a row is | how to get such a file | what is read | what is not | how unknowns are treated |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from map(_row, FORMATS.values())
    yield ""
    for kind, columns in COLUMNS.items():
        yield f"## What comes out: {kind}"
        yield ""
        yield "| column | unit | meaning |"
        yield "| --- | --- | --- |"
        yield from (_cells(f"`{c.name}`", c.unit or "text or count", c.description) for c in columns)
        yield ""
    yield "`python -m simulation convert FORMAT FILE --out DIR` writes these tables without the website."


def _row(entry: Format) -> str:
    told = TOLD[entry.slug]
    named = f"{entry.title} (`{entry.slug}`)"
    return _cells(named, entry.kind.removesuffix("s"), entry.made_by, told.read, told.left, told.unknown)


def _cells(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(reference())
