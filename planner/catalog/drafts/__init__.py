"""What an import would save, by the kind of table that its reader gives."""

from __future__ import annotations

from collections.abc import Callable

from planner.catalog.drafts import (
    benchmarks,
    carbon,
    charges,
    devices,
    jobs,
    nodes,
    prices,
    quotes,
    requests,
    samples,
    trials,
)
from planner.catalog.drafts.draft import Context, Draft
from simulation.formats.interview import Interview
from simulation.formats.reading import Reading

DRAFTS: dict[str, Callable[[Reading, Interview, Context], Draft]] = {
    "jobs": jobs.draft,
    "nodes": nodes.draft,
    "requests": requests.draft,
    "prices": prices.draft,
    "quotes": quotes.draft,
    "charges": charges.draft,
    "carbon": carbon.draft,
    "trials": trials.draft,
    "benchmarks": benchmarks.draft,
    "samples": samples.draft,
    "devices": devices.draft,
}
"""Table kind -> the function that drafts a revision from a reading."""
