"""The allocation program in whole runs: promises are kept, in rounds, and what is learnt of rates pays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.unlike import MODELS, STEPS_PER_S, unlike_gpus
from simulation.hardware import NodeChange
from simulation.mechanisms.programs.max_min import max_min
from simulation.mechanisms.programs.objectives import OBJECTIVES
from simulation.rate_profile import RatePoint, RateProfile
from simulation.records import Floats, RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, JobTable, Pool, Scenario, Workload
from tests.simulation.building import pool, random_jobs, table, training
from tests.simulation.mechanisms.programs.demands import demand

ROUND_S = 360.0


def unlike(kinds: list[str], gpus: int, duration_s: float, horizon_s: float | None = None, **sizing: Any) -> RunRecords:
    """One-GPU jobs of these kinds that come together, on `gpus` GPUs of each model; run times are those on a V100."""
    profiles = [
        RateProfile(
            name=name,
            reference_model="V100",
            points=[RatePoint(gpu_model=m, gpus=1, rate=r) for m, r in zip(MODELS, STEPS_PER_S[name], strict=True)],
        )
        for name in dict.fromkeys(kinds)
    ]
    jobs = table(*[(0, duration_s, 1)] * len(kinds))
    scenario = Scenario(
        cluster=Cluster(pools=[Pool(name=m, gpu_model=m, nodes=1, gpus_per_node=gpus) for m in MODELS]),
        workload=Workload(jobs=jobs.model_copy(update={"profile": kinds}), profiles=profiles),
        training=Choice(system="gavel", parameters={f"sizing.{name}": value for name, value in sizing.items()}),
        horizon_s=horizon_s,
    )
    return run_records(scenario)


def time_shares(records: RunRecords) -> Floats:
    """(jobs, models) share of the whole time."""
    return records.jobs.gpu_s_by_pool / records.end_s


def test_over_many_rounds_jobs_have_the_shares_that_the_program_gives_them() -> None:
    kinds = ["ResNet-50", "A3C", "recommendation", "CycleGAN", "Transformer"]
    records = unlike(kinds, gpus=1, duration_s=1e9, horizon_s=400 * ROUND_S)
    rates = np.array([STEPS_PER_S[kind] for kind in kinds])
    wanted = demand([1] * 5, (rates / rates[:, 2:]).tolist(), [1, 1, 1])
    assert np.abs(time_shares(records) - max_min(wanted)).max() < 0.03


def test_who_gains_least_from_fast_gpus_is_on_slow_ones() -> None:
    kinds = ["A3C", "recommendation", "CycleGAN", "ResNet-50"] * 2
    share = time_shares(unlike(kinds, gpus=1, duration_s=1e9, horizon_s=200 * ROUND_S))
    slow = share[:, :2].sum(axis=1) / share.sum(axis=1)
    assert slow[[0, 1, 4, 5]].min() > slow[[2, 3, 6, 7]].max()


def test_where_types_count_alike_nobody_is_favoured() -> None:
    kinds = ["A3C", "CycleGAN"] * 3
    share = time_shares(unlike(kinds, gpus=1, duration_s=1e9, horizon_s=600 * ROUND_S, aware=False))
    assert share.sum(axis=1) == pytest.approx([0.5] * 6, abs=0.02)
    assert np.abs(share - 1 / 6).max() < 0.05


def test_gpus_of_a_job_that_ends_are_idle_until_the_round_does() -> None:
    jobs = run_records(training(table((0, 100, 8), (10, 100, 8)), "gavel")).jobs
    assert jobs.first_start_s.tolist() == [0.0, 100.0]  # nobody else runs, so a round begins at once
    jobs = run_records(training(table((0, 100, 4), (0, 5000, 4), (10, 100, 4)), "gavel")).jobs
    assert jobs.first_start_s.tolist() == [0.0, 0.0, 2160.0]  # the first round after a renewal may be


def test_a_job_that_is_served_again_notices_nothing() -> None:
    jobs = run_records(training(table((0, 5000, 4), (0, 5000, 4)), "gavel")).jobs
    assert jobs.end_s.tolist() == [5000.0, 5000.0]
    assert jobs.preemptions.tolist() == [0, 0]


def test_jobs_too_many_for_the_gpus_take_turns() -> None:
    jobs = run_records(training(table(*[(0, 3600, 8)] * 3), "gavel", [pool(2, 8)])).jobs
    assert jobs.preemptions.sum() > 5
    assert np.ptp(jobs.end_s) <= 3 * ROUND_S
    assert jobs.end_s.max() == pytest.approx(5400.0, abs=ROUND_S)


def test_nobody_is_asked_while_only_jobs_run_that_may_not_be_moved() -> None:
    jobs = table((0, 100_000, 8), (50_000, 3600, 8), preemptible=[False, True])
    records = run_records(training(jobs, "gavel", [pool(2, 8)]))
    assert records.jobs.end_s.tolist() == [100_000.0, 53_600.0]
    assert records.decisions["decisions"] < 20


def test_a_job_that_may_not_be_preempted_stays() -> None:
    jobs = table(*[(0, 3600, 8)] * 3, preemptible=[False, True, True])
    records = run_records(training(jobs, "gavel", [pool(2, 8)])).jobs
    assert (records.end_s[0], records.preemptions[0]) == (3600.0, 0)
    assert np.isfinite(records.end_s).all()


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("parts", [1, 3])
def test_every_job_ends_under_every_objective(objective: str, parts: int) -> None:
    """And the seed decides all that is drawn."""
    changes = {"sizing.objective": objective, "sizing.parts": parts}
    scenario = training(random_jobs(3, 30), "gavel", [pool(3, 8), pool(2, 4, name="b", gpu_model="K80")], changes)
    records = run_records(scenario, 5)
    assert np.isfinite(records.jobs.end_s).all()
    assert records.decisions.get("plans_refused", 0) == 0
    assert (run_records(scenario, 5).jobs.end_s == records.jobs.end_s).all()


def test_nodes_that_go_change_the_shares() -> None:
    jobs = table(*[(0, 7200, 8)] * 2)
    scenario = training(jobs, "gavel", [pool(2, 8)])
    changes = [NodeChange(at_s=1000, pool="a", nodes=1, up=False)]
    gone = scenario.model_copy(update={"cluster": scenario.cluster.model_copy(update={"changes": changes})})
    ends_s = run_records(gone).jobs.end_s
    assert np.isfinite(ends_s).all()
    assert ends_s.max() > 12_000


def test_under_the_cost_objective_a_deadline_comes_first() -> None:
    jobs = table((0, 3600, 8), (0, 3600, 8), deadline_s=[None, 3700.0])
    records = run_records(training(jobs, "gavel", parameters={"sizing.objective": "cost"})).jobs
    assert records.end_s[1] <= 3700.0 + ROUND_S
    assert records.end_s[0] > records.end_s[1]


def test_the_makespan_objective_ends_no_later_than_fairness() -> None:
    rng = np.random.default_rng(0)
    jobs = table(*[(0, float(s), 1) for s in rng.lognormal(8.5, 1.0, 12)])
    ends = {
        objective: run_records(training(jobs, "gavel", [pool(1, 4)], {"sizing.objective": objective})).end_s
        for objective in ("max-min", "makespan")
    }
    assert ends["makespan"] <= ends["max-min"] + ROUND_S


def _modelled_us(parts: int) -> int:
    jobs: JobTable = table(*[(0, 3600, 1)] * 64)
    scenario = training(jobs, "gavel", [pool(1, 8)], {"sizing.parts": parts, "sizing.solve_s": 6.0})
    return run_records(scenario.model_copy(update={"horizon_s": 1000.0})).decisions["solve_us"]


def test_the_modelled_time_to_solve_falls_with_the_square_of_the_parts() -> None:
    """64 jobs on one type: 6 s x 0.064 squared for the whole, and that of the largest part else."""
    assert [_modelled_us(parts) for parts in (1, 2, 4)] == [24_576, 6_144, 1_536]


def test_one_part_runs_as_the_whole_does() -> None:
    drawn = unlike_gpus(np.random.default_rng(1), load=1.0, jobs=40)
    whole, one, four = (
        run_records(drawn.model_copy(update={"training": Choice(system=system, parameters=parameters)})).jobs.end_s
        for system, parameters in (("gavel", {}), ("pop", {"sizing.parts": 1}), ("pop", {}))
    )
    assert whole.tolist() == one.tolist()
    assert whole.tolist() != four.tolist()
