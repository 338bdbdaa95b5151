"""CPU cores and host memory: a job goes as fast as the best measured point within what it is given."""

from __future__ import annotations

import pytest

from simulation.engine.errors import StuckError
from simulation.rate_profile import InputPoint, Iteration, RateProfile
from simulation.scenario import Cluster, Scenario, Workload
from tests.simulation.building import pool, table
from tests.simulation.engine.scripted import inputs, play, start

GB = 1e9
POINTS = [
    InputPoint(cores=1, memory_bytes=10 * GB, factor=0.4),
    InputPoint(cores=3, memory_bytes=10 * GB, factor=0.8),
    InputPoint(cores=3, memory_bytes=50 * GB, factor=1.0),
    InputPoint(cores=8, memory_bytes=50 * GB, factor=1.25),
]


def scenario(jobs: int = 1) -> Scenario:
    """A node of 4 GPUs, 24 cores and 400 GB: 6 cores and 100 GB are the share of a GPU."""
    profile = RateProfile(name="p", iteration=Iteration(compute_s=1.0), inputs=POINTS)
    node = pool(1, 4, cores_per_node=24, memory_per_node_bytes=int(400 * GB))
    rows = table(*((0.0, 100.0, 2) for _ in range(jobs)), profile=["p"] * jobs)
    return Scenario(cluster=Cluster(pools=[node]), workload=Workload(jobs=rows, profiles=[profile]), horizon_s=1000.0)


@pytest.mark.parametrize(
    ("cores", "memory", "factor"),
    [
        (1, 10 * GB, 0.4),
        (2.9, 99 * GB, 0.4),
        (3, 10 * GB, 0.8),
        (3, 50 * GB, 1.0),
        (8, 49 * GB, 0.8),
        (8, 60 * GB, 1.25),
    ],
)
def test_the_best_point_within_its_share_counts(cores: float, memory: float, factor: float) -> None:
    records, _ = play(scenario(), {0.0: [start(0, 2), inputs(0, cores, memory)]})
    assert records.jobs.end_s[0] == pytest.approx(100.0 / factor)


def test_without_a_setting_it_has_its_proportional_share_and_its_profile_holds() -> None:
    records, _ = play(scenario(), {0.0: [start(0, 2)]})
    assert records.jobs.end_s[0] == pytest.approx(100.0)


def test_less_than_every_point_is_no_progress_at_all() -> None:
    records, loop = play(scenario(), {0.0: [start(0, 2), inputs(0, 0.5, 5 * GB)]})
    assert records.jobs.outcome.tolist() == [1]
    assert records.jobs.useful_gpu_s[0] == 2 * 1000.0  # held and busy with next to nothing
    assert float(loop.ledger.remaining_s[0]) == 100.0


def test_holding_gpus_for_nothing_until_the_end_of_time_is_found_out() -> None:
    endless = scenario().model_copy(update={"horizon_s": None})
    with pytest.raises(StuckError, match="job 0 holds 2 GPUs on which it makes no progress"):
        play(endless, {0.0: [start(0, 2), inputs(0, 0.5, 5 * GB)]})


def test_a_share_may_change_in_mid_run() -> None:
    records, _ = play(scenario(), {0.0: [start(0, 2), inputs(0, 1, 10 * GB)], 100.0: [inputs(0, 8, 60 * GB)]})
    assert records.jobs.end_s[0] == pytest.approx(100.0 + 60.0 / 1.25)


def test_what_one_gives_up_another_may_have() -> None:
    script = {0.0: [start(0, 2), start(1, 2), inputs(0, 8, 60 * GB), inputs(1, 3, 50 * GB)]}
    records, loop = play(scenario(2), script)
    assert loop.refusal == ""
    assert records.jobs.end_s.tolist() == pytest.approx([80.0, 100.0])


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((9, 60 * GB, 4, 60 * GB), "node a-0 has 24 cores, 26 are given away"),
        ((6, 150 * GB, 6, 60 * GB), "node a-0 has 4e+11 bytes of memory, 4.2e+11 are given away"),
    ],
)
def test_more_than_the_node_has_is_refused(shares: tuple[float, float, float, float], said: str) -> None:
    own, other = shares[:2], shares[2:]
    _, loop = play(scenario(2), {0.0: [start(0, 2), start(1, 2), inputs(0, *own), inputs(1, *other)]})
    assert loop.refusal == said
    assert loop.counts["plans_refused"] == 1


def test_a_neighbour_without_a_setting_keeps_its_share() -> None:
    """6 cores for each of the two GPUs of the other: 12 are left, not 18."""
    _, loop = play(scenario(2), {0.0: [start(0, 2), start(1, 2), inputs(0, 9, 60 * GB)]})
    assert loop.refusal == "node a-0 has 24 cores, 30 are given away"
