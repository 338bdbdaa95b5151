"""The tables that readers yield, one kind each: jobs, nodes, requests, prices ... Column by column; None: unknown."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TextIO

Kind = Literal["jobs", "nodes", "requests", "prices", "samples", "devices"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a normalised table. `of` is the Python type of its known values; unknown ones are None."""

    name: str
    of: type
    unit: str
    description: str


JOBS = (
    Column("id", str, "", "unique within the table; given by the reader where the file has none"),
    Column("name", str, "", "the job's own name"),
    Column("user", str, "", "who submitted it"),
    Column("tenant", str, "", "account, team or virtual cluster that it belongs to"),
    Column("partition", str, "", "partition or queue"),
    Column("submit_s", float, "s since 1970 UTC", "submission; seconds since the trace began where there is no date"),
    Column("eligible_s", float, "s since 1970 UTC", "when dependencies and holds were over"),
    Column("start_s", float, "s since 1970 UTC", "first start; None: never started, or not recorded"),
    Column("end_s", float, "s since 1970 UTC", "end of the last attempt; None: still running, or not recorded"),
    Column("elapsed_s", float, "s", "run time, all attempts together; a lower bound while the outcome is running"),
    Column("gpus", int, "GPUs", "whole devices of the gang, all nodes together; None: unknown, 0: asked for none"),
    Column("gpu_share", float, "GPU", "part of each of its devices that the job uses; None: whole devices"),
    Column("gpu_s", float, "GPU s", "device seconds held, attempts and shares counted; None: unknown"),
    Column("gpu_model", str, "", "model it ran on, as written in the file"),
    Column("gpu_models_allowed", str, "", "models it may run on, as written, joined by |; None: any"),
    Column("nodes", int, "nodes", "machines that it used"),
    Column("cpus", float, "cores or threads", "CPUs as the log counts them"),
    Column("memory_bytes", int, "B", "memory for the whole job"),
    Column("timelimit_s", float, "s", "limit that the user set; None: unlimited or unknown"),
    Column("state", str, "", "state as written"),
    Column("outcome", str, "", "finished, failed, cancelled, timeout, running or waiting; None: not recorded"),
    Column("attempts", int, "", "how many times it was started"),
    Column("attempts_s", tuple, "s", "run time of each attempt, in order of start"),
    Column("price_per_gpu_h", str, "currency per GPU hour", "price that the file states, as a decimal"),
    Column("currency", str, "", "ISO code of the price"),
    Column("line", int, "", "line (or record) of the file"),
)

NODES = (
    Column("name", str, "", "host name"),
    Column("gpus", int, "GPUs", "whole devices installed; None: unknown"),
    Column("gpu_model", str, "", "model as written; None: no GPU, or not named"),
    Column("slices", tuple, "", "partitions of devices, as profile:count; never added to gpus"),
    Column("cpus", float, "cores or threads", "CPUs as the source counts them"),
    Column("memory_bytes", int, "B", "main memory"),
    Column("state", str, "", "base state as written, without its flags"),
    Column("flags", tuple, "", "state flags in words: drain, down, not-responding, powered-down, cloud ..."),
    Column("schedulable", bool, "", "takes new jobs at the moment of the export; None: not recorded"),
    Column("gpus_usable", int, "GPUs", "whole devices that jobs can be given: not lost, not cut; None: not recorded"),
    Column("gpus_in_use", int, "GPUs", "devices allocated; None: not recorded"),
    Column("watts", float, "W", "measured power; None: not measured"),
    Column("partitions", tuple, "", "partitions that contain it"),
    Column("line", int, "", "line (or record) of the file"),
)

REQUESTS = (
    Column("arrival_s", float, "s", "seconds since the first request of the file"),
    Column("prompt_tokens", int, "tokens", "input length"),
    Column("output_tokens", int, "tokens", "generated length"),
    Column("model", str, "", "model that was asked, as written; None: not recorded"),
    Column("session", str, "", "conversation that it belongs to; None: not recorded, or none"),
    Column("response_s", float, "s", "time to the whole answer as measured, not to its first token"),
    Column("outcome", str, "", "failed; None: answered, or not recorded"),
    Column("line", int, "", "line (or record) of the file"),
)

PRICES = (
    Column("gpu_model", str, "", "model as written; None: a price of whole nodes"),
    Column("pool", str, "", "pool that the price is meant for; None: any"),
    Column("purchase", str, "", "owned, reserved, on-demand or spot; None: not stated"),
    Column("amount", str, "currency per unit", "decimal as written, never converted"),
    Column("unit", str, "", "gpu-hour, node-hour, gpu-month or node-month"),
    Column("per_hour", str, "currency per GPU or node and hour", "amount, months divided by 730 h"),
    Column("currency", str, "", "ISO code; amounts in different currencies are never added"),
    Column("date", str, "ISO date", "when the price held"),
    Column("region", str, "", "where it holds"),
    Column("line", int, "", "line (or record) of the file"),
)

SAMPLES = (
    Column("gpu", str, "", "UUID of the card; its host and number where the file has no UUID"),
    Column("gpu_model", str, "", "model as written; None: not named"),
    Column("at_s", float, "s since 1970 UTC", "when it was measured; None: the file does not say"),
    Column("watts", float, "W", "power of the whole card; None: not measured"),
    Column("utilisation", float, "share, 0 to 1", "time in which a kernel ran, not how full; None: not measured"),
    Column("memory_used_bytes", int, "B", "memory of the GPU in use"),
    Column("energy_j", float, "J", "energy counter since the driver was loaded"),
    Column("held_by", str, "", "pods on the card, joined by |"),
    Column("line", int, "", "line (or record) of the file"),
)

DEVICES = (
    Column("name", str, "", "GPU0, NIC0 ... as the tool numbers them"),
    Column("type", str, "", "gpu or nic"),
    Column("numa", int, "", "NUMA node of the CPUs nearest to it"),
    Column("cpus", str, "", "CPUs nearest to it, as ranges"),
    Column("links", tuple, "", "other devices with the kind of the link, as GPU1:NV12"),
    Column("line", int, "", "line (or record) of the file"),
)

COLUMNS: dict[Kind, tuple[Column, ...]] = {
    "jobs": JOBS,
    "nodes": NODES,
    "requests": REQUESTS,
    "prices": PRICES,
    "samples": SAMPLES,
    "devices": DEVICES,
}


@dataclass(frozen=True, slots=True)
class Table:
    """A normalised table: `columns[name][row]`. All columns of its kind are present, equally long."""

    kind: Kind
    columns: dict[str, list[Any]] = field(repr=False)

    @classmethod
    def from_rows(cls, kind: Kind, rows: list[dict[str, Any]]) -> Table:
        """A table of `rows`; a column that a row does not mention is unknown there. KeyError on a foreign column."""
        names = [column.name for column in COLUMNS[kind]]
        known = set(names)
        for row in rows:
            if not row.keys() <= known:
                raise KeyError(f"not a column of {kind}: {sorted(row.keys() - known)}")
        return cls(kind, {name: [row.get(name) for row in rows] for name in names})

    def __len__(self) -> int:
        return len(self.columns["line"])

    def __getitem__(self, column: str) -> list[Any]:
        return self.columns[column]

    def row(self, index: int) -> dict[str, Any]:
        return {name: values[index] for name, values in self.columns.items()}

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[dict[str, Any]]:
        """The rows from `start` to before `stop`, each as a dict."""
        for index in range(*slice(start, stop).indices(len(self))):
            yield self.row(index)

    def digest(self) -> str:
        """sha256 over the content, whatever the order of rows, line ends or encoding of the file."""
        names = [name for name in self.columns if name != "line"]
        lines = [json.dumps(values) for values in zip(*(self.columns[name] for name in names), strict=True)]
        lines.sort()
        return hashlib.sha256("\n".join([self.kind, *names, *lines]).encode()).hexdigest()

    def repeated_rows(self) -> int:
        """How many rows repeat an earlier one in everything but line and id."""
        names = [name for name in self.columns if name not in {"line", "id"}]
        seen = Counter(zip(*(self.columns[name] for name in names), strict=True))
        return sum(n - 1 for n in seen.values())

    def write_csv(self, stream: TextIO) -> None:
        """The table as CSV with one header row; lists joined by a space, unknown values empty, formulas made text."""
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.columns)
        for values in zip(*self.columns.values(), strict=True):
            writer.writerow([cell_text(value) for value in values])


_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "'", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def cell_text(value: Any) -> str:
    """A value as the text of one exported cell; text that a spreadsheet would run gets an apostrophe in front."""
    if value is None:
        return ""
    if isinstance(value, str):
        return "'" + value if value.startswith(_FORMULA_STARTS) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(cell_text(item) for item in value)
    if isinstance(value, float):
        return repr(value) if value != int(value) else str(int(value))
    return str(value)
