"""Compiled rounds are those of the general loop, and those of a plain telling of the rules, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.engine.loop import Loop
from simulation.fidelity.emulation import emulate
from simulation.fidelity.profiles.gavel import SETTINGS
from simulation.fidelity.profiles.gavel_loop import RoundLoop
from simulation.fidelity.profiles.gavel_policy import DeficitRounds, Measured
from simulation.fidelity.profiles.gavel_steps import pace
from simulation.fidelity.profiles.profile import Emulation
from simulation.mechanisms.programs.rounds import Promises
from simulation.records import JobOutcome, JobRecords
from simulation.scenario import Cluster, JobTable, Pool, Scenario, Workload
from tests.fidelity.gavel_plainly import Job, Plainly

GPUS = np.array([3, 4, 5])
POLICIES = ("fifo_perf", "fifo", "isolated", "max_min_fairness", "max_min_fairness_perf")


class GeneralRounds(Loop):
    """The policy is asked at every event; the ledger is told the pace of a round before the clock moves on."""

    policy: DeficitRounds

    def limit_s(self) -> float:
        pace(self.ledger, self.policy.rounds)
        return super().limit_s()


def drawn(seed: int, jobs: int = 40) -> tuple[list[Job], Measured]:
    """Some that come together and some with long gaps, from a step in less than a round to a GPU without steps."""
    rng = np.random.default_rng(seed)
    arrival_s = np.sort(rng.choice([0.0, 500.0, 3000.0, 9000.0, 200_000.0], jobs) + rng.integers(0, 3, jobs) * 700.0)
    rate = rng.choice([0.004, 0.01, 0.3, 1.7, 12.0], (jobs, 1)) * rng.choice([0.5, 1.0, 3.0], (jobs, 3))
    rate[rng.random(rate.shape) < 0.1] = 0.0
    rate[(rate == 0).all(axis=1)] = 1.0
    steps = np.ceil(rng.uniform(1.0, 4000.0, jobs) * rate.max(axis=1))
    gang = rng.choice([1, 1, 2, 3], jobs)
    table = [Job(i, float(arrival_s[i]), float(steps[i]), int(gang[i])) for i in range(jobs)]
    return table, Measured(rate, GPUS, (2, 1, 0))


def engine(
    jobs: list[Job], measured: Measured, policy: str, loop: type[Loop]
) -> tuple[JobRecords, Promises]:  # fmt: skip
    table = JobTable(
        id=[str(job.number) for job in jobs], submit_s=[job.arrival_s for job in jobs],
        duration_s=[job.left for job in jobs], gpus=[job.gang for job in jobs],
    )  # fmt: skip
    pools = [Pool(name=f"type-{i}", gpu_model=f"type-{i}", nodes=int(n), gpus_per_node=1) for i, n in enumerate(GPUS)]
    scenario = Scenario(cluster=Cluster(pools=pools), workload=Workload(jobs=table))
    rounds = DeficitRounds(SETTINGS[policy].allocation(), SETTINGS[policy].rule, measured)
    records = emulate(Emulation(scenario, rounds, loop=loop))
    return records.jobs, rounds.promises


@pytest.mark.parametrize("policy", POLICIES)
def test_rounds_start_and_end_jobs_as_a_plain_telling_does(policy: str) -> None:
    given_up = stopped = 0
    for seed in range(8):
        jobs, measured = drawn(seed)
        ours, promises = engine(jobs, measured, policy, RoundLoop)
        plainly = Plainly(jobs, measured, SETTINGS[policy].allocation(), SETTINGS[policy].rule)
        plainly.run()
        assert ours.first_start_s.tobytes() == np.array([job.start_s for job in jobs]).tobytes()
        assert ours.end_s.tobytes() == np.array([job.end_s for job in jobs]).tobytes()
        assert promises.total_s.tolist() == plainly.total_s
        assert promises.ran_s.tolist() == [job.ran_s for job in jobs]
        assert promises.deficit_s.tolist() == [job.owed_s for job in jobs]
        assert [i for i, job in enumerate(jobs) if job.failures == 5] == np.flatnonzero(
            ours.outcome == JobOutcome.REJECTED
        ).tolist()
        given_up += sum(job.failures == 5 for job in jobs)
        stopped += int(ours.preemptions.sum())
    assert given_up > 0
    assert stopped > 0 or policy == "fifo_perf"


def test_run_times_are_summed_in_the_order_of_the_peer() -> None:
    """The last to finish first. Five jobs of a few rounds end before promises could be renewed, so that sums stay."""
    for seed in range(8):
        rate = np.random.default_rng(seed).uniform(0.01, 0.02, (5, 3))
        jobs = [Job(i, 1.0, float(5 + 3 * i), 1) for i in range(5)]
        measured = Measured(rate, GPUS, (2, 1, 0))
        _, promises = engine(jobs, measured, "isolated", RoundLoop)
        plainly = Plainly(jobs, measured, SETTINGS["isolated"].allocation(), SETTINGS["isolated"].rule)
        plainly.run()
        assert promises.total_s.tolist() == plainly.total_s
        assert max(plainly.total_s) > 5 * 180.0


@pytest.mark.parametrize("policy", POLICIES)
def test_compiled_rounds_are_those_of_the_general_loop(policy: str) -> None:
    for seed in range(3):
        jobs, measured = drawn(seed)
        (general, _), (compiled, _) = (engine(jobs, measured, policy, loop) for loop in (GeneralRounds, RoundLoop))
        for column in ("first_start_s", "end_s", "outcome", "held_s", "useful_gpu_s", "overhead_gpu_s", "preemptions"):
            assert getattr(general, column).tobytes() == getattr(compiled, column).tobytes(), column
