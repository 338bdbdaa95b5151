"""MLCloudPrice: jobs go where their work is cheapest, move only where that pays, and flee a market that reclaims."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.market import price_sheet, renters
from simulation.metrics.measures import cost_at
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Scenario

MOVING = price_sheet()


def run(scenario: Scenario, **parameters: Any) -> RunRecords:
    changes = {f"placement.{key}": value for key, value in parameters.items()}
    return run_records(scenario.model_copy(update={"training": Choice(system="mlcloudprice", parameters=changes)}))


def draw(seed: int, **changes: Any) -> Scenario:
    return renters(np.random.default_rng(seed), jobs=8, **changes)


def with_reclaims(scenario: Scenario, mean_up_s: float | None) -> Scenario:
    """Eight nodes in each pool; spot ones are reclaimed so often (None: never)."""
    pools = []
    for pool in scenario.cluster.pools:
        kept = pool.interruptions if mean_up_s is not None else None
        often = kept.model_copy(update={"mean_up_s": mean_up_s}) if kept else None
        pools.append(pool.model_copy(update={"nodes": 8, "interruptions": often}))
    return scenario.model_copy(update={"cluster": scenario.cluster.model_copy(update={"pools": pools})})


def pools_of(records: RunRecords, profile: list[str | None]) -> dict[str, set[str]]:
    """GPU models that jobs of each profile used."""
    spans, row = records.job_spans, {job: i for i, job in enumerate(records.jobs.id)}
    found: dict[str, set[str]] = {}
    for job, kind in zip(records.jobs.id, profile, strict=True):
        for pool in spans.pool[spans.owner == row[job]].tolist():
            found.setdefault(str(kind), set()).add(records.pools[pool].gpu_model)
    return found


@pytest.mark.parametrize("seed", range(2))
def test_each_wider_choice_is_cheaper(seed: int) -> None:
    scenario = with_reclaims(draw(seed), 20 * 3600.0)
    usd = [cost_at(MOVING).of(run(scenario, choose=choose)) for choose in ("first-model", "at-start", "every-period")]
    assert usd[0] > usd[1] > usd[2]


def test_at_constant_prices_who_has_little_to_gain_takes_old_gpus_and_nobody_moves() -> None:
    scenario = with_reclaims(draw(0, moving=False), None)
    jobs = scenario.workload.jobs
    assert jobs is not None
    assert jobs.profile is not None
    records = run(scenario)
    assert not records.jobs.migrations.any()
    used = pools_of(records, jobs.profile)
    assert used["little"] == {"K80"}
    assert used["much"] == {"V100"}
    assert records.jobs.end_s.tolist() == run(scenario, choose="at-start").jobs.end_s.tolist()


def test_moves_that_cost_more_than_they_save_are_not_made() -> None:
    scenario = with_reclaims(draw(1), None)
    assert run(scenario).jobs.migrations.sum() > 0
    assert run(scenario, move_usd=100_000.0).jobs.migrations.sum() == 0


def test_a_job_that_is_reclaimed_too_often_in_a_day_stays_on_demand_until_the_next() -> None:
    scenario = with_reclaims(draw(2), 4 * 3600.0)

    def on_demand_s(records: RunRecords) -> float:
        steady = [i for i, pool in enumerate(records.pools) if pool.purchase == "on-demand"]
        return float(records.jobs.gpu_s_by_pool[:, steady].sum())

    assert on_demand_s(run(scenario, reclaims=1)) > on_demand_s(run(scenario, reclaims=3)) > 0
    assert on_demand_s(run(scenario, reclaims=1000)) == 0
