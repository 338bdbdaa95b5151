"""Tables of measured speeds: throughputs_KIND/MODEL.csv, a row for each batch, a column for each count of GPUs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from simulation.fidelity.results import UnreadableError, numbers, read_table

BATCH, PREFIX = "global_batch_size", "throughputs_"

Speeds = dict[int, float]  # GPUs -> iterations/s, ascending


def read_speeds(peer: Path, kind: str, jobs: Sequence[tuple[str, str]]) -> list[Speeds]:
    """Speeds of each (model, batch) on GPUs of a kind. UnreadableError: a model or batch was not measured."""
    folder = peer / f"{PREFIX}{kind}"
    tables = {model: _table(folder / f"{model}.csv") for model in sorted({model for model, _ in jobs})}
    for model, batch in jobs:
        if batch not in tables[model]:
            raise UnreadableError(f"{folder.name}/{model}.csv: no row of batch {batch}")
    return [tables[model][batch] for model, batch in jobs]


def kind_with(peer: Path, jobs: Iterable[tuple[str, str]]) -> str:
    """The first kind of GPU on which all models were measured. UnreadableError: there is none."""
    models = {model for model, _ in jobs}
    for folder in sorted(peer.glob(f"{PREFIX}*")):
        if all((folder / f"{model}.csv").is_file() for model in models):
            return folder.name[len(PREFIX) :]
    raise UnreadableError(f"no folder {PREFIX}KIND has the models {', '.join(sorted(models))}")


def _table(path: Path) -> dict[str, Speeds]:
    """Batch -> speeds; what is empty, nan or 0 did not run."""
    rows = read_table(path)
    counts = [name for name in rows[0] if name != BATCH]
    columns = [numbers(path, rows, count).tolist() for count in counts]
    return {
        row[BATCH]: {int(count): column[i] for count, column in zip(counts, columns, strict=True) if column[i] > 0}
        for i, row in enumerate(rows)
    }
