"""The inputs of a bundle: each scenario as canonical JSON, which is what is run, and the same as tables to read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulation.bundles.experiment import Experiment
from simulation.bundles.layout import SCENARIO, STUDY
from simulation.bundles.tables import table
from simulation.metrics.definitions import METRICS
from simulation.scenario import Scenario, canonical_bytes

Row = dict[str, Any]


def input_files(experiment: Experiment) -> dict[str, bytes]:
    scenarios = experiment.scenarios
    files = {
        **_scenarios(experiment),
        "inputs/cluster.csv": table("inputs/cluster.csv", (row for s in scenarios for row in _pools(s))),
        "inputs/prices.csv": table("inputs/prices.csv", (row for s in scenarios for row in _prices(s))),
        "inputs/slo.csv": table("inputs/slo.csv", (row for s in scenarios for row in _limits(s))),
        **_workloads(experiment),
    }
    if experiment.study is not None:
        files[STUDY] = canonical_bytes(experiment.study) + b"\n"
    return files


def parts_of(experiment: Experiment) -> list[list[str]]:
    """The files that make up each scenario: one alone stands in one, several share the files of their workloads."""
    if len(experiment.scenarios) == 1:
        return [[SCENARIO]]
    keys = enumerate(experiment.workload_keys)
    return [[f"inputs/scenarios/{i:04}.json", f"inputs/workloads/{key}.json"] for i, key in keys]


def _scenarios(experiment: Experiment) -> dict[str, bytes]:
    scenarios = experiment.scenarios
    if len(scenarios) == 1:
        return {SCENARIO: canonical_bytes(scenarios[0].model_dump(mode="json")) + b"\n"}
    files: dict[str, bytes] = {}
    for (own, shared), scenario in zip(parts_of(experiment), scenarios, strict=True):
        files[own] = canonical_bytes(scenario.model_dump(mode="json", exclude={"workload"})) + b"\n"
        if shared not in files:
            files[shared] = canonical_bytes({"workload": scenario.workload.model_dump(mode="json")}) + b"\n"
    return files


def _pools(scenario: Scenario) -> Iterator[Row]:
    for pool in scenario.cluster.pools:
        origin = str(scenario.origins.cluster)
        own = pool.model_dump(exclude={"name", "node_names"})
        yield {"scenario": scenario.name, "pool": pool.name, **own, "pue": scenario.cluster.pue, "provenance": origin}


def _prices(scenario: Scenario) -> Iterator[Row]:
    prices, origins = scenario.prices, scenario.origins
    head = {"scenario": scenario.name, "provenance": str(origins.prices)}
    for line in prices.lines:
        own = line.model_dump(include={"pool", "gpu_model", "purchase"})
        for from_s, usd in [(0.0, line.usd_per_gpu_h), *((s.start_s, s.usd_per_gpu_h) for s in line.steps)]:
            yield {**head, "item": "gpu", **own, "from_s": from_s, "value": usd, "unit": "USD/GPU-h"}
    if prices.electricity_usd_per_kwh is not None:
        yield {**head, "item": "electricity", "value": prices.electricity_usd_per_kwh, "unit": "USD/kWh"}
    if prices.carbon_g_per_kwh is not None:
        carbon = {"item": "carbon", "value": prices.carbon_g_per_kwh, "unit": "g/kWh"}
        yield {**head, **carbon, "provenance": str(origins.carbon)}


def _limits(scenario: Scenario) -> Iterator[Row]:
    for slo in scenario.slos:
        unit = METRICS[slo.metric].unit if slo.metric in METRICS else ""
        yield {"scenario": scenario.name, **slo.model_dump(), "unit": unit}


def _workloads(experiment: Experiment) -> dict[str, bytes]:
    """Tables of the different workloads; the one of services only where there are any."""
    different = dict(zip(experiment.workload_keys, experiment.scenarios, strict=True))
    jobs = table("inputs/workload.csv", (row for key, s in different.items() for row in _jobs(key, s)))
    services = [row for key, s in different.items() for row in _services(key, s)]
    files = {"inputs/workload.csv": jobs}
    if services:
        files["inputs/services.csv"] = table("inputs/services.csv", services)
    return files


_JOB_COLUMNS = ("id", "submit_s", "duration_s", "gpus", "gpus_min", "gpus_max", "tenant", "estimate_s", "deadline_s")


def _jobs(key: str, scenario: Scenario) -> Iterator[Row]:
    jobs = scenario.workload.jobs
    if jobs is None:
        return
    head = {"workload": key, "provenance": str(scenario.origins.workload)}
    columns = {name: getattr(jobs, name) for name in _JOB_COLUMNS}
    for i in range(len(jobs)):
        yield head | {name: None if column is None else column[i] for name, column in columns.items()}


def _services(key: str, scenario: Scenario) -> Iterator[Row]:
    for service in scenario.workload.services:
        times = service.requests.times_s
        recorded = None if times is None else len(times)
        own = service.model_dump(exclude={"name", "requests"})
        head = {"workload": key, "service": service.name, "provenance": str(scenario.origins.workload)}
        yield {**own, **head, "requests": recorded}
