"""Systems that go by loss curves: what their papers promise beside the signature."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.generators.learning import converging
from simulation.loss_curve import EarlyStop, LossCurve
from simulation.mechanisms.prediction.learning import Expected
from simulation.mechanisms.prediction.progress import Progress
from simulation.metrics.measures import MEAN_JCT
from simulation.rate_profile import RatePoint, RateProfile
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Overheads, Scenario, Workload
from tests.simulation.building import pool, table, training


def run(scenario: Scenario, system: str = "optimus", overhead_s: float = 0.0, **parameters: Any) -> RunRecords:
    changes = {f"sizing.{name}": value for name, value in parameters.items()}
    return run_records(
        scenario.model_copy(
            update={
                "training": Choice(system=system, parameters=changes),
                "overheads": Overheads(restart_s=overhead_s, resize_s=overhead_s),
            }
        )
    )


def gpus_at(records: RunRecords, job: int, at_s: float) -> int:
    spans = records.job_spans
    there = (spans.owner == job) & (spans.start_s <= at_s) & (spans.end_s > at_s)
    return int(spans.gpus[there].sum())


def two(targets: tuple[float, float], falls: tuple[float, float] = (0.1, 0.1), **more: Any) -> Scenario:
    """Two jobs of 100 iterations of 100 s, with losses of 1 / (fall k + 0.5) + 0.2, on one node."""
    curves = [
        LossCurve(
            name=name, family="inverse", parameters={"a": fall, "b": 0.5, "c": 0.2}, iterations=100,
            stop=EarlyStop(target=target),
        )
        for name, fall, target in zip("ab", falls, targets, strict=True)
    ]  # fmt: skip
    profiles = more.pop("profiles", [])
    jobs = table(*[(0, 10_000, 1)] * 2, gpus_min=[1] * 2, gpus_max=[8] * 2, loss=["a", "b"], **more)
    given = training(table(), pools=[pool()])
    return given.model_copy(update={"workload": Workload(jobs=jobs, profiles=profiles, losses=curves)})


def profile(name: str, *rates: float) -> RateProfile:
    """With 1, 2, 4 and 8 GPUs."""
    points = [RatePoint(gpu_model="V100", gpus=1 << i, rate=rate) for i, rate in enumerate(rates)]
    return RateProfile(name=name, reference_model="V100", points=points)


def test_more_gpus_go_to_the_job_whose_losses_say_that_it_has_longer_to_go() -> None:
    """The same, as far as anyone can see, until their losses tell; targets after 40 and after 78 iterations."""
    records = run(two((0.4222, 0.3218)))
    assert gpus_at(records, 0, 0.0) == gpus_at(records, 1, 0.0) == 4
    assert gpus_at(records, 0, 600.0) < gpus_at(records, 1, 600.0)


def test_a_job_that_is_no_faster_with_more_than_two_never_gets_a_third_though_gpus_idle() -> None:
    flat = profile("flat", 1.0, 1.8, 1.8, 1.8)
    records = run(two((0.7, 0.7), profile=["flat", "flat"], profiles=[flat]))
    assert records.job_spans.gpus.max() == 2
    elastic = run(two((0.7, 0.7)))
    assert elastic.job_spans.gpus.max() > 2


def test_large_restart_costs_and_short_slots_reverse_the_gain() -> None:
    cheap, dear = [], []
    for seed in range(2):
        scenario = converging(np.random.default_rng(seed), load=0.6, jobs=12)
        for gains, overhead_s, slot_s in ((cheap, 0.0, 600.0), (dear, 600.0, 120.0)):
            parts = MEAN_JCT.of(run(scenario, "fair-share", overhead_s))
            gains.append(1 - MEAN_JCT.of(run(scenario, overhead_s=overhead_s, slot_s=slot_s)) / parts)
    assert min(cheap) > 0.2
    assert max(dear) < 0.0


def test_what_losses_tell_shortens_the_makespan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 16 jobs submitted at once, against counting all the iterations asked for as still to be done."""
    draws = [converging(np.random.default_rng(seed), load=50.0, jobs=16, ends=(0.05, 1.0)) for seed in range(4)]
    told_s = [run(scenario).end_s for scenario in draws]
    monkeypatch.setattr(Progress, "part_left", lambda self, view, job: Expected(1.0, 1.0, 1.0))
    untold_s = [run(scenario).end_s for scenario in draws]
    assert sum(told_s) < 0.99 * sum(untold_s)


def test_quality_goes_where_the_loss_still_falls_and_time_where_there_is_long_to_go() -> None:
    """After a slot the loss of the first falls, but it ends soon; the second has a flat one, for 79 iterations."""
    scenario = two((0.4222, 0.202), falls=(0.1, 5.0), profile=["p", "p"], profiles=[profile("p", 1.0, 1.9, 3.6, 6.6)])
    quality, time = (run(scenario, goal=goal) for goal in ("loss-reduction", "remaining-time"))
    assert gpus_at(quality, 0, 700.0) > gpus_at(quality, 1, 700.0)
    assert gpus_at(time, 0, 700.0) < gpus_at(time, 1, 700.0)
