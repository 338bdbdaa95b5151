"""A bundle from elsewhere: unpacked, checked, its scenarios ready to run. Nothing in it is believed to be a result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import ValidationError

from simulation.bundles.checksums import refuse_wrong_checksums
from simulation.bundles.description import Description, description_in
from simulation.bundles.errors import BundleError
from simulation.bundles.guard import unpack
from simulation.bundles.layout import CRATE, OUTPUTS, STUDY
from simulation.metrics.definitions import METRICS
from simulation.scenario import Scenario, Workload, scenario_digest, workload_digest


@dataclass(frozen=True, slots=True)
class Bundle:
    files: Mapping[str, bytes]
    description: Description
    scenarios: tuple[Scenario, ...]

    @property
    def outputs(self) -> dict[str, bytes]:
        return {name: content for name, content in self.files.items() if name.startswith(OUTPUTS)}

    @property
    def study(self) -> dict[str, Any] | None:
        """What a planner wrote in order to ask again; None where it was not made by one."""
        return _object(self.files, STUDY) if STUDY in self.files else None


def read_bundle(content: bytes) -> Bundle:
    """The bundle in `content`; BundleError in one sentence where it is none, or is not whole and unchanged."""
    files = unpack(content)
    refuse_wrong_checksums(files)
    if CRATE not in files:
        raise BundleError(f"{CRATE} is missing")
    description = description_in(files)
    for metric in description.axes:
        if metric not in METRICS:
            raise BundleError(f"run.json: axes: no metric is called {metric[:60]!r}")
    scenarios = _scenarios(files, description)
    for place, run in enumerate(description.runs):
        if run.scenario >= len(scenarios):
            raise BundleError(f"run.json: runs.{place}: there is no scenario {run.scenario}")
    return Bundle(files, description, scenarios)


def _scenarios(files: Mapping[str, bytes], description: Description) -> tuple[Scenario, ...]:
    """Each from its parts; the digest that is claimed of it must be its own."""

    @cache
    def workload(name: str) -> tuple[Workload, str]:
        found = _validated(name, Workload, _object(files, name).get("workload"))
        return found, workload_digest(found)

    scenarios = []
    for place, claimed in enumerate(description.scenarios):
        own, *shared = claimed.parts
        document, known = _object(files, own), None
        if shared:
            document["workload"], known = workload(shared[0])
        scenario = _validated(own, Scenario, document)
        if scenario_digest(scenario, known) != claimed.digest:
            raise BundleError(f"run.json: scenarios.{place}: the digest is not that of {own}")
        scenarios.append(scenario)
    return tuple(scenarios)


def _object(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    if name not in files:
        raise BundleError(f"{name[:80]} is missing")
    try:
        found = json.loads(files[name])
    except (ValueError, RecursionError):
        raise BundleError(f"{name} is not JSON") from None
    if not isinstance(found, dict):
        raise BundleError(f"{name}: expected an object")
    return found


Model = TypeVar("Model", Scenario, Workload)


def _validated(name: str, model: type[Model], document: Any) -> Model:
    try:
        return model.model_validate(document)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"])) or "the whole"
        raise BundleError(f"{name}: {place}: {fault['msg']}") from None
