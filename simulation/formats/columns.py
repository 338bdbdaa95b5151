"""The kinds of tables that readers yield and their columns; None in a column means unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "jobs", "nodes", "requests", "prices", "quotes", "charges", "carbon", "trials", "benchmarks", "samples", "devices"
]


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
    Column("purchase", str, "", "owned, reserved, on-demand or spot; None: not stated"),
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
    Column("instance", str, "", "machine type that the price is of; None: not stated"),
    Column("gpus_per_node", int, "GPUs", "devices in that machine; None: unknown"),
    Column("per_gpu_hour", str, "currency per GPU and hour", "per_hour by gpus_per_node; None where that is unknown"),
    Column("term", str, "", "commitment of a reserved price, such as 1yr No Upfront"),
    Column("formula", str, "", "how the hourly amounts were worked out, with all their parts"),
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

QUOTES = (
    Column("instance", str, "", "machine type that the price is of"),
    Column("zone", str, "", "availability zone, as the account calls it"),
    Column("product", str, "", "operating system and network, as written"),
    Column("gpu_model", str, "", "model by the catalogue of machine types; the machine type where it is not in there"),
    Column("gpus_per_node", int, "GPUs", "devices in the machine by the catalogue; None: unknown"),
    Column("start_s", float, "s since 1970 UTC", "holds from here to the next row of its instance, zone and product"),
    Column("amount", str, "currency per machine and hour", "decimal as written"),
    Column("per_gpu_hour", str, "currency per GPU and hour", "amount by gpus_per_node; None where that is unknown"),
    Column("currency", str, "", "ISO code"),
    Column("line", int, "", "line (or record) of the file"),
)

CHARGES = (
    Column("start_s", float, "s since 1970 UTC", "begin of the charge period, included"),
    Column("end_s", float, "s since 1970 UTC", "end of the charge period, excluded"),
    Column("category", str, "", "usage, purchase, tax, credit or adjustment"),
    Column("correction", bool, "", "corrects an earlier row"),
    Column("pricing", str, "", "standard, dynamic, committed or other"),
    Column("commitment", str, "", "used or unused, where a commitment stands behind it"),
    Column("description", str, "", "words on the charge"),
    Column("service", str, "", "kind of service"),
    Column("account", str, "", "sub account that it belongs to"),
    Column("region", str, "", "where it was used"),
    Column("resource", str, "", "what was used"),
    Column("instance", str, "", "GPU machine type named in the meter, the description or a tag"),
    Column("gpu_model", str, "", "model by the catalogue of machine types"),
    Column("gpus_per_node", int, "GPUs", "devices in the machine by the catalogue; None: no GPU machine that we know"),
    Column("hours", str, "h", "machine hours consumed, as a decimal; None: counted in another unit"),
    Column("list_cost", str, "currency", "at the public price"),
    Column("contracted_cost", str, "currency", "at the negotiated unit price"),
    Column("effective_cost", str, "currency", "amortised"),
    Column("billed_cost", str, "currency", "on the invoice"),
    Column("currency", str, "", "ISO code; amounts in different currencies are never added"),
    Column("line", int, "", "line (or record) of the file"),
)

CARBON = (
    Column("zone", str, "", "grid zone; None: not stated"),
    Column("start_s", float, "s since 1970 UTC", "begin of the interval"),
    Column("direct_g_per_kwh", float, "gCO2e/kWh", "average of the zone, combustion alone"),
    Column("lifecycle_g_per_kwh", float, "gCO2e/kWh", "average of the zone, with construction and fuel supply"),
    Column("marginal_g_per_kwh", float, "gCO2e/kWh", "of the power stations that answer one more kWh"),
    Column("unnamed_g_per_kwh", float, "gCO2e/kWh", "the file does not say which of the above"),
    Column("estimated", bool, "", "filled in by an estimate; None: not recorded"),
    Column("forecast", bool, "", "said before it happened; None: not recorded"),
    Column("line", int, "", "line (or record) of the file"),
)

TRIALS = (
    Column("id", str, "", "unique within the table"),
    Column("name", str, "", "what the tool called it"),
    Column("user", str, "", "who started it"),
    Column("start_s", float, "s since 1970 UTC", "start"),
    Column("elapsed_s", float, "s", "run time; None: unknown, or still running"),
    Column("state", str, "", "state as written"),
    Column("outcome", str, "", "finished, pruned, failed, cancelled, running or waiting; None: not recorded"),
    Column("gpus", int, "GPUs", "devices of one trial, as answered: no tool writes them"),
    Column("gpu_s", float, "GPU s", "gpus x run time; what pruned and failed trials used is spent as well"),
    Column("objective", float, "", "the metric that the search looks at; None: the trial has no result"),
    Column("params", tuple, "", "parameters as name=value, in the order of the columns"),
    Column("metrics", tuple, "", "metrics as name=value: the last ones, not the best"),
    Column("line", int, "", "line (or record) of the file"),
)

LATENCIES = ("ttft", "tpot", "itl", "e2el")
LATENCY_PARTS = ("mean", "p50", "p99")
BENCHMARKS = (
    Column("model", str, "", "model that was served, as written"),
    Column("backend", str, "", "program that served it"),
    Column("date", str, "", "when, as written"),
    Column("gpu_model", str, "", "model of the GPUs, as answered: it is not in the file"),
    Column("gpus", int, "GPUs", "devices that served, as answered"),
    Column("rate_per_s", float, "requests/s", "offered load; None: all at once, or not stated"),
    Column("saturating", bool, "", "all requests were sent at once: latencies of a queue, not of a load"),
    Column("concurrency", int, "requests", "most at a time; None: unlimited, or not stated"),
    Column("burstiness", float, "", "shape of the gamma distribution of gaps; 1 is Poisson"),
    Column("prompts", int, "requests", "asked"),
    Column("completed", int, "requests", "answered"),
    Column("duration_s", float, "s", "of the run"),
    Column("input_tokens", int, "tokens", "of all prompts"),
    Column("output_tokens", int, "tokens", "of all answers"),
    Column("requests_per_s", float, "requests/s", "completed by duration"),
    Column("output_tokens_per_s", float, "tokens/s", "generated by duration"),
    *(
        Column(f"{name}_{part}_ms", float, "ms", f"{part} of {name.upper()}; None: not in the file")
        for name in LATENCIES
        for part in LATENCY_PARTS
    ),
    Column("line", int, "", "line (or record) of the file"),
)

COLUMNS: dict[Kind, tuple[Column, ...]] = {
    "jobs": JOBS,
    "nodes": NODES,
    "requests": REQUESTS,
    "prices": PRICES,
    "quotes": QUOTES,
    "charges": CHARGES,
    "carbon": CARBON,
    "trials": TRIALS,
    "benchmarks": BENCHMARKS,
    "samples": SAMPLES,
    "devices": DEVICES,
}
