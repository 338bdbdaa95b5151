"""Muri: the engine works at the pace that the grouping foretells, and nobody shares without need or gain."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.generators.colocated import bottlenecked
from simulation.mechanisms.sharing.interleaving import Interleaving
from simulation.metrics.measures import MEAN_JCT
from simulation.rate_profile import Iteration, RateProfile
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Scenario, Workload
from tests.simulation.building import pool, table, training

INFLATION = (1.015, 1.310, 1.478, 1.350)
STAGES = ((0.7, 0.1, 0.1, 0.1), (0.1, 0.6, 0.2, 0.1), (0.05, 0.05, 0.8, 0.1), (0.2, 0.2, 0.1, 0.5))


def unlike(*jobs: tuple[float, float, int]) -> Scenario:
    """Jobs as (submit_s, duration_s, kind) for one GPU."""
    profiles = [
        RateProfile(name=str(kind), iteration=Iteration(compute_s=1.0), stages_s=stages)
        for kind, stages in enumerate(STAGES)
    ]
    columns = table(*((submit_s, duration_s, 1) for submit_s, duration_s, _ in jobs))
    labelled = columns.model_copy(update={"profile": [str(kind) for *_, kind in jobs]})
    workload = Workload(jobs=labelled, profiles=profiles)
    return training(columns, "muri", [pool(1, 1)]).model_copy(update={"workload": workload})


def at_once(kinds: tuple[int, ...]) -> RunRecords:
    """Jobs of these kinds, 1,000 s each when alone, come together to one GPU."""
    return run_records(unlike(*((0.0, 1000.0, kind) for kind in kinds)))


@pytest.mark.parametrize("kinds", [(0, 1), (0, 2), (1, 3), (0, 1, 2, 3)])
def test_a_group_works_at_the_pace_that_its_choice_foretold(kinds: tuple[int, ...]) -> None:
    law = Interleaving(np.array(STAGES), INFLATION)
    assert law.pays(kinds)
    records = at_once(kinds).jobs
    alone_s = law.iteration_s((kinds[0],))
    assert records.first_start_s.tolist() == [0.0] * len(kinds)
    assert records.end_s == pytest.approx(1000.0 * law.iteration_s(kinds) / alone_s)


def test_alike_jobs_run_one_after_the_other() -> None:
    assert at_once((2, 2, 2)).jobs.end_s.tolist() == [1000.0, 2000.0, 3000.0]


@pytest.mark.parametrize(("period_s", "start_s"), [(360.0, 360.0), (0.0, 100.0)])
def test_groups_form_anew_once_a_period(period_s: float, start_s: float) -> None:
    """The second job could share the only GPU as soon as it comes."""
    drawn = unlike((0.0, 1000.0, 0), (100.0, 1000.0, 1))
    choice = Choice(system="muri", parameters={"sharing.period_s": period_s})
    records = run_records(drawn.model_copy(update={"training": choice}))
    assert records.jobs.first_start_s.tolist() == [0.0, start_s]


def test_in_between_jobs_start_on_what_is_free() -> None:
    """The first ends at 1,000 s, between two rounds: the others wait no longer."""
    records = run_records(unlike((0.0, 1000.0, 2), (900.0, 500.0, 2)))
    assert records.jobs.first_start_s.tolist() == [0.0, 1000.0]


def test_a_bottleneck_that_all_have_is_not_shared() -> None:
    """80 % of an iteration: no group is faster than its jobs one after the other, and all is as without sharing.

    At 70 % groups of four still pass that test, for those are slowed down less than groups of two and three.
    """
    stages = {share: np.array([[(1 - share) / 3] * 2 + [share, (1 - share) / 3]]) for share in (0.7, 0.8)}
    pays = {share: [Interleaving(s, INFLATION).pays((0,) * n) for n in (2, 3, 4)] for share, s in stages.items()}
    assert pays == {0.7: [False, False, True], 0.8: [False, False, False]}
    assert at_once((2,) * 8).jobs.end_s.tolist() == [1000.0 * n for n in range(1, 9)]


def test_a_least_weight_keeps_groups_of_one_bottleneck_from_forming() -> None:
    """Jobs that are bound by the GPU for 70 % of an iteration: in groups of four they end later than one by one."""
    drawn = bottlenecked(np.random.default_rng(0), load=2.0, jobs=60, alike=True)
    jct_s = {}
    for least_weight in (0.0, 0.5):
        choice = Choice(system="muri", parameters={"sharing.least_weight": least_weight})
        records = run_records(drawn.model_copy(update={"training": choice}))
        shared = records.job_spans.share is not None and (records.job_spans.share < 1.0).any()
        assert shared == (least_weight == 0.0)
        jct_s[least_weight] = MEAN_JCT.of(records)
    assert jct_s[0.5] < jct_s[0.0]


def test_below_full_load_nobody_shares() -> None:
    scenario = bottlenecked(np.random.default_rng(0), load=0.2, jobs=40)
    scenario = scenario.model_copy(update={"training": Choice(system="muri")})
    exclusive = Choice(system="muri", parameters={"sharing": "none"})
    shared, alone = run_records(scenario), run_records(scenario.model_copy(update={"training": exclusive}))
    assert shared.jobs.end_s.tolist() == alone.jobs.end_s.tolist()
    assert shared.job_spans.share is None or (shared.job_spans.share == 1.0).all()


def overloaded(seed: int) -> Scenario:
    return bottlenecked(np.random.default_rng(seed), load=2.0, jobs=100)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ordering", ["shortest-remaining", "attained-service"])
def test_groups_are_formed_anew_again_and_again_and_every_plan_fits(seed: int, ordering: str) -> None:
    """Muri-S and Muri-L; capacity and conserved work are asserted inside the run."""
    choice = Choice(system="muri", parameters={"ordering": ordering})
    records = run_records(overloaded(seed).model_copy(update={"training": choice}))
    assert not np.isnan(records.jobs.end_s).any()
    assert records.decisions.get("plans_refused", 0) == 0
    assert records.job_spans.share is not None
    assert records.job_spans.share.min() == 0.25


def test_jobs_that_may_not_be_preempted_stay_where_they_are() -> None:
    drawn = overloaded(1)
    jobs = drawn.workload.jobs
    assert jobs is not None
    fixed = jobs.model_copy(update={"preemptible": [i % 2 == 0 for i in range(len(jobs))]})
    workload = drawn.workload.model_copy(update={"jobs": fixed})
    records = run_records(drawn.model_copy(update={"workload": workload, "training": Choice(system="muri")}))
    assert not records.jobs.preemptions[1::2].any()
    assert records.decisions.get("plans_refused", 0) == 0
    assert not np.isnan(records.jobs.end_s).any()
