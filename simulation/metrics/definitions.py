"""The registry of metrics: what each number means, in which unit, which way is better, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Better = Literal["lower", "higher"]

JOBS = ("workload", "cluster")
PRICED = ("workload", "cluster", "prices")
POWERED = ("workload", "cluster", "power")
EMITTED = ("workload", "cluster", "power", "carbon")


class Value(NamedTuple):
    """A computed metric: None is unknown, and then the note says why. `n` is the number of observations.

    `rests_on` are groups of inputs beside those of the metric's definition, where this very value rests on more.
    """

    value: float | None
    n: int | None = None
    note: str | None = None
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    """One definition. `inputs` are the groups of `scenario.Origins` that its origin depends on."""

    name: str
    title: str
    unit: str
    better: Better | None
    definition: str
    formula: str
    inputs: tuple[str, ...] = JOBS


def _jct() -> Iterator[Metric]:
    said = "Job completion time: from submission to the end, over finished jobs"
    for statistic, title in (("mean", "mean"), ("p50", "median"), ("p95", "P95"), ("p99", "P99")):
        yield Metric(f"jct_{statistic}_s", f"JCT, {title}", "s", "lower", f"{said}; {title}.", "end - submit")


def _wait() -> Iterator[Metric]:
    said = "Time between submission and end during which a finished job held no GPU"
    for statistic, title in (("mean", "mean"), ("p95", "P95"), ("p99", "P99")):
        yield Metric(
            f"wait_{statistic}_s", f"Wait, {title}", "s", "lower", f"{said}; {title}.", "end - submit - time with GPUs"
        )


def _latency() -> Iterator[Metric]:
    said = "Time from a request's arrival to its answer, over served requests of all services"
    formula = "queue + batch wait + load + execute"
    for statistic, title in (("mean", "mean"), ("p50", "median"), ("p95", "P95"), ("p99", "P99")):
        yield Metric(f"latency_{statistic}_s", f"Latency, {title}", "s", "lower", f"{said}; {title}.", formula)


_SLOWDOWN = "JCT over the run time alone on the fastest permitted GPUs, over finished jobs"
_RHO = "Finish-time fairness rho: JCT over the time an equal share of the cluster would have taken"
_RHO_FORMULA = (
    "rho = JCT / (isolated time x max(1, gang x K / N)); N GPUs of the cluster, K mean number of jobs in the system "
    "during the job's stay"
)

_TABLE: tuple[Metric, ...] = (
    *_jct(),
    *_wait(),
    Metric("slowdown_mean", "Slowdown, mean", "1", "lower", f"{_SLOWDOWN}; mean.", "JCT / isolated time"),
    Metric("slowdown_p95", "Slowdown, P95", "1", "lower", f"{_SLOWDOWN}; P95.", "JCT / isolated time"),
    Metric(
        "makespan_s", "Makespan", "s", "lower", "From the first submission to the last end of a job.",
        "max(end) - min(submit)",
    ),
    Metric(
        "cost_usd", "Cost", "USD", "lower",
        "Price of the GPU time used, of idle owned and reserved capacity where the price sheet charges it, and of "
        "electricity where it is priced.",
        "sum of quantity x price, each line rounded to the cent", PRICED,
    ),
    Metric(
        "energy_kwh", "Energy", "kWh", "lower",
        "Energy of all GPUs from the start to the end of the run, idle ones included, with node overhead and PUE.",
        "PUE x sum over pools (idle W x GPU time switched on + (peak W - idle W) x dynamic GPU time + overhead W x "
        "node time on + off W x node time off); dynamic GPU time is busy time x share of compute x clock^3",
        POWERED,
    ),
    Metric(
        "carbon_kg", "Carbon", "kg CO2e", "lower", "Energy times the average carbon intensity of the grid.",
        "energy x g/kWh / 1000", EMITTED,
    ),
    Metric("rho_max", "Finish-time fairness, worst", "1", "lower", f"{_RHO}; largest.", _RHO_FORMULA),
    Metric("rho_mean", "Finish-time fairness, mean", "1", "lower", f"{_RHO}; mean.", _RHO_FORMULA),
    Metric(
        "rho_share_above_1", "Jobs worse off than with an equal share", "share", "lower",
        "Share of finished jobs with rho above 1.", "jobs with rho > 1 / finished jobs",
    ),
    Metric(
        "jain_gpu_time", "Jain index of GPU time", "1", "higher",
        "Jain index of each tenant's GPU time of jobs over its entitled share; 1 is even.",
        "(sum x)^2 / (n sum x^2), x = GPU time / entitled share",
    ),
    Metric(
        "worst_tenant_slowdown", "Slowdown of the worst-off tenant", "1", "lower",
        "Largest mean slowdown of any tenant.", "max over tenants of mean(JCT / isolated time)",
    ),
    Metric(
        "share_gap_max", "Largest gap to an entitled share", "share", "lower",
        "Largest distance between a tenant's share of the jobs' GPU time and its entitled share.",
        "max over tenants |share - entitled|",
    ),
    Metric(
        "deadline_miss_rate", "Deadlines missed", "share", "lower",
        "Share of jobs with a deadline that ended after it, or had not ended when it passed, or could never run.",
        "missed / decided; a deadline that lies after the run of an unfinished job is undecided",
    ),
    *_latency(),
    Metric(
        "slo_attainment", "SLO attainment", "share", "higher",
        "Share of requests that were answered within their service's SLO; unanswered ones count as late.",
        "on time / decided, over services with an SLO",
    ),
    Metric(
        "goodput_per_s", "Goodput", "requests/s", "higher", "Requests answered within the SLO, per second of the run.",
        "on time / T, over services with an SLO",
    ),
    Metric(
        "utilisation_allocated", "GPUs allocated", "share", "higher",
        "GPU time held by jobs and replicas over capacity.",
        "allocated GPU time / GPU time of nodes that were there",
    ),
    Metric(
        "utilisation_busy", "GPUs busy", "share", "higher",
        "GPU time in which jobs computed and replicas executed batches, over capacity.",
        "(jobs: allocated - overhead; replicas: executing) / (GPUs x T)",
    ),
    Metric(
        "utilisation_useful", "GPUs useful", "share", "higher",
        "GPU time whose work was kept, over capacity: busy time without work that was lost.",
        "(jobs: useful; replicas: executing) / (GPUs x T)",
    ),
    Metric(
        "fragmentation", "Fragmentation", "share", "lower",
        "Share of the idle GPU time that lies on nodes of which other GPUs are in use.",
        "idle GPU time on partly used nodes / idle GPU time",
    ),
    Metric("jobs_unfinished", "Jobs unfinished", "jobs", "lower", "Jobs running or waiting at the end.", "count"),
    Metric(
        "jobs_failed", "Jobs failed or killed", "jobs", None,
        "Jobs that ended by their own failure or by their user's hand, as recorded; they have no JCT.", "count",
    ),
    Metric(
        "failed_gpu_h", "GPU time of failed jobs", "GPU-h", "lower",
        "GPU time held by jobs that failed or were killed in the end.", "sum",
    ),
    Metric(
        "jobs_stopped_early", "Jobs ended by their loss", "jobs", None,
        "Finished jobs that had iterations left when their loss had reached its target, or improved no more.", "count",
    ),
    Metric(
        "saved_gpu_h", "GPU time saved by early stops", "GPU-h", "higher",
        "GPU time that the iterations left out would have taken, going by those that were done.",
        "sum of useful GPU time x (iterations asked for / iterations done - 1)",
    ),
    Metric(
        "jobs_rejected", "Jobs rejected", "jobs", "lower",
        "Jobs that can never run on this cluster, or that the policy declined.", "count",
    ),
    Metric("preemptions", "Preemptions", "1", None, "How often a job lost all of its GPUs before its end.", "count"),
    Metric("resizes", "Resizes", "1", None, "How often a running job got more or fewer GPUs.", "count"),
    Metric("lost_gpu_h", "Work lost", "GPU-h", "lower", "GPU time of work that was thrown away.", "sum"),
    Metric(
        "overhead_gpu_h", "Overhead", "GPU-h", "lower",
        "GPU time held while starting, checkpointing, restoring or resizing.", "sum",
    ),
)  # fmt: skip

METRICS: dict[str, Metric] = {metric.name: metric for metric in _TABLE}

OBJECTIVES: tuple[str, ...] = (
    "jct_mean_s",
    "jct_p99_s",
    "wait_p95_s",
    "latency_p99_s",
    "cost_usd",
    "energy_kwh",
    "carbon_kg",
    "rho_max",
    "jain_gpu_time",
    "worst_tenant_slowdown",
)
