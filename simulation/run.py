"""The front door: a scenario and a seed in, records and a result document out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulation.engine.books import balance
from simulation.engine.errors import Cancelled, EngineError
from simulation.engine.loop import Loop
from simulation.engine.recording import records_of
from simulation.records import Floats, RunRecords
from simulation.scenario import Scenario
from simulation.systems.policy import policy_of
from simulation.systems.registry import recipe_for
from simulation.world.build import build_world

__all__ = ["Cancelled", "EngineError", "Outcome", "entitlements", "run_records", "simulate"]


@dataclass(frozen=True, slots=True)
class Outcome:
    records: RunRecords
    document: dict[str, Any]


def simulate(
    scenario: Scenario,
    seed: int = 0,
    *,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Outcome:
    """Run `scenario` once; equal scenario and seed give equal records and an equal document, byte for byte.

    progress: gets a fraction 0..1 now and then. cancelled: asked now and then; Cancelled is raised once it is true.
    Raises ValueError (a system or parameter that does not exist, an impossible gang range) or EngineError.
    """
    from simulation.metrics.summary import summarise

    records = run_records(scenario, seed, progress=progress, cancelled=cancelled)
    return Outcome(records, summarise(records, scenario))


def run_records(
    scenario: Scenario,
    seed: int = 0,
    *,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    allow_compiled: bool = True,
) -> RunRecords:
    """As `simulate`, without the document. allow_compiled False: every decision by the general path, same bits."""
    training = recipe_for(scenario.training.system, scenario.training.parameters, "training")
    serving = recipe_for(scenario.serving.system, scenario.serving.parameters, "inference")
    assert serving.scaling is not None
    world = build_world(scenario, seed)
    loop = Loop(
        world,
        scenario.overheads,
        policy_of(training, seed, allow_compiled),
        training.information,
        entitlements(world.jobs.tenants, scenario.quotas),
        serving.scaling,
        np.inf if scenario.horizon_s is None else scenario.horizon_s,
    )
    loop.run(progress, cancelled)
    records = records_of(loop)
    balance(records, world.nodes, len(world.jobs))
    return records


def entitlements(tenants: tuple[str, ...], quotas: dict[str, float]) -> Floats:
    """Share of the cluster that each tenant is entitled to: as given; the others have equal parts of what is left."""
    given = np.array([quotas.get(tenant, np.nan) for tenant in tenants])
    others = np.isnan(given)
    if others.any():
        left = max(0.0, 1.0 - sum(quotas.values()))
        given[others] = left / int(others.sum())
    return given
