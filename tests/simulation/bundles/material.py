"""Experiments of a few jobs, really simulated, and bundles that somebody has tampered with."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache

from simulation import ENGINE_VERSION
from simulation.bundles.archive import pack
from simulation.bundles.checksums import checksum_list
from simulation.bundles.experiment import Experiment, Publication, Run, RunFacts
from simulation.bundles.guard import unpack
from simulation.bundles.layout import CHECKSUMS
from simulation.bundles.write import write_bundle
from simulation.provenance import Origin
from simulation.run import Outcome, simulate
from simulation.scenario import (
    Choice,
    Cluster,
    Origins,
    Phase,
    PriceLine,
    Prices,
    Requests,
    Sampling,
    Scenario,
    Service,
    Slo,
    Workload,
)
from tests.simulation.building import pool, random_jobs

PUBLICATION = Publication("2026-11-29T12:00:00+00:00", "Olga", "Research platform")
SERVICE = Service(
    name="assistant",
    alpha_s=0.5,
    slo_s=2.0,
    requests=Requests(phases=[Phase(start_s=0.0, rate_per_s=0.2)], end_s=2000.0),
)


@cache
def scenario(system: str = "fcfs-quota", name: str = "FCFS, static quota") -> Scenario:
    return Scenario(
        name=name,
        cluster=Cluster(pools=[pool(3, 8, idle_w=40.0, peak_w=300.0)]),
        prices=Prices(lines=[PriceLine(gpu_model="V100", usd_per_gpu_h=Decimal("2.50"))]),
        workload=_workload(),
        training=Choice(system=system),
        quotas={"t0": 0.5, "t1": 0.25, "t2": 0.25},
        sampling=Sampling(mode="resampled"),
        slos=[Slo(metric="wait_p95_s", limit=1e6)],
        origins=Origins(workload=Origin.MEASURED, cluster=Origin.MEASURED, prices=Origin.CITED, power=Origin.CITED),
        sources={"workload": "=June log, sha256 0011aabb", "prices": "list of 2026"},
    )


@cache
def _workload() -> Workload:
    return Workload(jobs=random_jobs(1, 20), services=[SERVICE])


@cache
def outcome(system: str, seed: int) -> Outcome:
    return simulate(scenario(system), seed)


def a_run() -> Experiment:
    found = outcome("fcfs-quota", 0)
    facts = RunFacts(id="0011aabb", started="2026-11-29T11:59:00+00:00", finished="2026-11-29T11:59:01+00:00",
                     wall_time_s=0.5)  # fmt: skip
    return Experiment(
        kind="run",
        title="Which policy? FCFS, static quota",
        engine=ENGINE_VERSION,
        scenarios=(scenario(),),
        families=("f",),
        runs=(Run(0, 0, found.document, facts),),
        axes=("cost_usd", "jct_mean_s"),
        records=found.records,
    )


def a_study() -> Experiment:
    systems = ("fcfs-quota", "sjf")
    runs = (Run(place, seed, outcome(s, seed).document) for place, s in enumerate(systems) for seed in (0, 1))
    return Experiment(
        kind="study",
        title="Which policy?",
        engine=ENGINE_VERSION,
        scenarios=(scenario(), scenario("sjf", "=Shortest first")),
        families=("f", "f"),
        runs=(*runs, Run(1, 2, None, RunFacts(state="failed", reason="out of memory"))),
        axes=("cost_usd", "jct_mean_s"),
    )


@cache
def run_bundle() -> bytes:
    return write_bundle(a_run(), PUBLICATION)


@cache
def study_bundle() -> bytes:
    return write_bundle(a_study(), PUBLICATION)


def forged(bundle: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """A bundle in which one file was changed by somebody who has corrected the checksums."""
    files = unpack(bundle)
    files[name] = change(files[name])
    del files[CHECKSUMS]
    return pack({**files, CHECKSUMS: checksum_list(files)})
