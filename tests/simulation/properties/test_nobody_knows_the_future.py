"""What has not happened, and what a regime hides, changes no decision; whatever a policy may know of its jobs."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from simulation.engine.view import Regime
from simulation.hardware import NodeChange
from simulation.loss_curve import EarlyStop, LossCurve
from simulation.run import run_records
from simulation.scenario import Cluster, JobTable, PriceLine, Prices, PriceStep, Scenario, Workload
from simulation.systems.registry import SYSTEMS
from tests.simulation.properties.drawing import TRAINING, drawn

CUT_S = 900.0
SEEDS = range(3)


def regime(system: str) -> Regime:
    return SYSTEMS[system].recipe.information


def decided(scenario: Scenario) -> list[tuple[Any, ...]]:
    """(job, node, GPUs, since, share) of every holding that began before the cut."""
    records = run_records(scenario)
    spans = records.job_spans
    begun = spans.start_s < CUT_S
    share = np.ones(len(spans)) if spans.share is None else spans.share
    columns = (spans.owner[begun], spans.node[begun], spans.gpus[begun], spans.start_s[begun], share[begun])
    return sorted(zip(*(c.tolist() for c in columns), strict=True))


def with_jobs(scenario: Scenario, **columns: Any) -> Scenario:
    """Other columns; all jobs are told apart by their place, so the cut stays where it is."""
    assert scenario.workload.jobs is not None
    jobs = JobTable(**(scenario.workload.jobs.model_dump() | columns))
    workload = scenario.workload
    return scenario.model_copy(
        update={"workload": Workload(jobs=jobs, profiles=workload.profiles, losses=workload.losses)}
    )


def jobs_of(scenario: Scenario) -> JobTable:
    assert scenario.workload.jobs is not None
    return scenario.workload.jobs


@pytest.mark.parametrize("system", TRAINING)
def test_jobs_still_to_come(system: str) -> None:
    """Their times, deadlines and fates drawn anew; not even an oracle knows who will submit what."""
    for seed in SEEDS:
        scenario, rng = drawn(seed, system), np.random.default_rng(seed)
        jobs = jobs_of(scenario)
        late = np.array(jobs.submit_s) >= CUT_S
        if not late.any():
            jobs = jobs.model_copy(update={"submit_s": (np.array(jobs.submit_s) + CUT_S / 2).tolist()})
            scenario = with_jobs(scenario, submit_s=jobs.submit_s)
            late = np.array(jobs.submit_s) >= CUT_S
        other_s = np.where(late, np.array(jobs.duration_s) * rng.uniform(0.2, 5.0, len(jobs)), jobs.duration_s)
        later = [
            None if due is None else due + 500.0 * bool(told)
            for due, told in zip(jobs.deadline_s or [], late, strict=True)
        ]
        fates = ["failed" if told else fate for fate, told in zip(jobs.fate or [], late, strict=True)]
        other = with_jobs(scenario, duration_s=other_s.tolist(), deadline_s=later, fate=fates)
        assert decided(scenario) == decided(other)


@pytest.mark.parametrize("system", TRAINING)
def test_nodes_that_will_fail_and_prices_that_will_change(system: str) -> None:
    for seed in SEEDS:
        scenario = drawn(seed, system)
        pools = [pool.model_copy(update={"interruptions": None}) for pool in scenario.cluster.pools]
        price = PriceLine(gpu_model="V100", usd_per_gpu_h=Decimal("1"))
        calm = scenario.model_copy(update={"cluster": Cluster(pools=pools), "prices": Prices(lines=[price])})
        changes = [
            NodeChange(at_s=CUT_S, pool="a", nodes=1, up=False),
            NodeChange(at_s=5000, pool="a", nodes=1, up=True),
        ]
        steps = [PriceStep(start_s=CUT_S, usd_per_gpu_h=Decimal("9"))]
        stormy = calm.model_copy(
            update={
                "cluster": Cluster(pools=pools, changes=changes),
                "prices": Prices(lines=[price.model_copy(update={"steps": steps})]),
            }
        )
        assert decided(calm) == decided(stormy)


@pytest.mark.parametrize("system", TRAINING)
def test_how_jobs_will_end(system: str) -> None:
    """Whether a job fails in the end is nobody’s to know before it has."""
    for seed in SEEDS:
        scenario = drawn(seed, system)
        ends = run_records(scenario).jobs
        assert scenario.sampling.demand_factor == 1  # rows of records are those of the table, in order of submission
        unfinished = ~(ends.end_s <= CUT_S)
        fates = [
            "killed" if open_ and fate == "completed" else "completed" if open_ else fate
            for fate, open_ in zip(jobs_of(scenario).fate or [], unfinished.tolist() + [True] * 99, strict=False)
        ]
        assert decided(scenario) == decided(with_jobs(scenario, fate=fates))


HIDING = [system for system in TRAINING if regime(system) < Regime.PROFILE]


@pytest.mark.parametrize("system", HIDING)
def test_run_times_of_jobs_that_have_not_finished(system: str) -> None:
    """Plain jobs alone: what is done of a profile is seen by running it. Estimates go with the run times, if hidden."""
    for seed in SEEDS:
        scenario, rng = drawn(seed, system), np.random.default_rng(seed)
        jobs = jobs_of(scenario).model_copy(update={"profile": None})
        scenario = with_jobs(scenario, profile=None)
        ends_s = run_records(scenario).jobs.end_s
        ends_s = np.concatenate([ends_s, np.full(len(jobs) - len(ends_s), np.nan)])  # beyond the horizon
        factor = np.where(ends_s <= CUT_S, 1.0, rng.uniform(1.0, 20.0, len(jobs)))
        changes: dict[str, Any] = {"duration_s": (np.array(jobs.duration_s) * factor).tolist(), "profile": None}
        if regime(system) < Regime.ESTIMATE:
            changes["estimate_s"] = None
        assert decided(scenario) == decided(with_jobs(scenario, **changes))


def cliff(name: str, after: int) -> LossCurve:
    """A loss of 1, to the last bit, in 20 iterations, until it falls to 0 after so many, which ends the job."""
    fall = {"a": 1.0, "kappa": 1 / (after - 0.5), "delta": 1000.0, "c": 0.0}
    return LossCurve(name=name, family="weibull", parameters=fall, iterations=20, stop=EarlyStop(target=0.5))


@pytest.mark.parametrize("system", [system for system in TRAINING if regime(system) < Regime.ORACLE])
def test_losses_still_to_come(system: str) -> None:
    """That a loss will end a job is seen once it has fallen: until then it looks like one that goes on for longer."""
    for seed in SEEDS:
        plain = drawn(seed, system)
        jobs = jobs_of(plain).model_copy(update={"loss": ["sooner"] * len(jobs_of(plain))})
        curves = [cliff("sooner", 13), cliff("later", 18)]
        workload = Workload(jobs=jobs, profiles=plain.workload.profiles, losses=curves)
        sooner = plain.model_copy(update={"workload": workload})
        ends_s = run_records(sooner).jobs.end_s
        ended = [*(ends_s <= CUT_S).tolist(), *[False] * (len(jobs) - len(ends_s))]
        chosen = np.random.default_rng(seed).random(len(jobs)) < 0.5  # if it were all, their order would stay
        later = with_jobs(
            sooner, loss=["later" if pick and not told else "sooner" for pick, told in zip(chosen, ended, strict=True)]
        )
        assert decided(sooner) == decided(later)


def test_the_property_can_tell() -> None:
    """Those who may know run times do decide otherwise, else nothing above would prove anything."""
    told = 0
    for seed in range(6):
        scenario = with_jobs(drawn(seed, "srtf"), profile=None)
        jobs = jobs_of(scenario)
        factor = np.random.default_rng(seed).uniform(0.05, 20.0, len(jobs))
        other = with_jobs(scenario, duration_s=(np.array(jobs.duration_s) * factor).tolist())
        told += decided(scenario) != decided(other)
    assert told
