"""Where the inputs of a bundle come from: one row for each different source of a group of inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulation.bundles.experiment import Experiment
from simulation.bundles.tables import table
from simulation.provenance import Origin
from simulation.scenario import Origins, Scenario

ENGINE = "engine"
GROUPS = tuple(Origins.model_fields)
"""Groups of inputs, in the order in which a result names them."""

Source = tuple[str, str, str]  # group, origin, title


def source_ids(experiment: Experiment) -> list[dict[str, str]]:
    """For each scenario: group of inputs -> id of its source."""
    names = _names(experiment)
    return [{source[0]: names[source] for source in _sources(s)} for s in experiment.scenarios]


def source_of(scenario: Scenario, ids: dict[str, str], inputs: list[str], origin: Origin) -> str:
    """Id of the source that gave a number its origin: the first of its groups that is as weak, else the engine."""
    groups = (group for group in inputs if getattr(scenario.origins, group) is origin)
    return next((ids[group] for group in groups), ENGINE)


def sources_file(experiment: Experiment) -> bytes:
    return table("evidence/sources.csv", _rows(experiment))


def _rows(experiment: Experiment) -> Iterator[dict[str, Any]]:
    yield {
        "id": ENGINE,
        "kind": str(Origin.SIMULATED),
        "title": f"Headroom engine {experiment.engine}",
        "locator": "all results",
    }
    described: set[str] = set()
    for ids, scenario, key in zip(source_ids(experiment), experiment.scenarios, experiment.workload_keys, strict=True):
        for group, origin, title in _sources(scenario):
            if ids[group] not in described:
                described.add(ids[group])
                yield {
                    "id": ids[group],
                    "kind": origin,
                    "title": title or "not recorded",
                    "locator": group,
                    "hardware": ", ".join(sorted({pool.gpu_model for pool in scenario.cluster.pools})),
                    "workload": key,
                }


def _names(experiment: Experiment) -> dict[Source, str]:
    """Ids: the group, with a number where scenarios differ in it ("prices-2")."""
    names: dict[Source, str] = {}
    seen: dict[str, int] = {}
    for scenario in experiment.scenarios:
        for source in _sources(scenario):
            if source not in names:
                seen[source[0]] = seen.get(source[0], 0) + 1
                names[source] = f"{source[0]}-{seen[source[0]]}"
    return names


def _sources(scenario: Scenario) -> list[Source]:
    return [(group, str(getattr(scenario.origins, group)), scenario.sources.get(group, "")) for group in GROUPS]
