"""Jobs of recorded runs of Gavel's simulator start and end as there, to a millisecond; the long trace runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from simulation.fidelity.cases import run_cases
from simulation.fidelity.emulation import emulate
from simulation.fidelity.profiles import gavel
from simulation.fidelity.profiles.gavel_allocations import Demand, FifoFastest, FifoLastType, Isolated
from simulation.fidelity.profiles.gavel_loop import RoundLoop
from simulation.fidelity.profiles.gavel_max_min import MaxMin
from simulation.fidelity.profiles.gavel_policy import DeficitRounds, Measured, Rule
from simulation.fidelity.profiles.profile import Emulation, Inputs
from simulation.records import Floats, JobOutcome, JobRecords
from simulation.scenario import Cluster, JobTable, Pool, Scenario, Workload

Job = tuple[float, int, int]  # arrival, steps, GPUs


def failures(name: str, reference: Path) -> list[object]:
    return [row.document() for rows in run_cases([name], reference) for row in rows if row.verdict == "fail"]


def fifo(jobs: list[Job], rates: list[float], gpus: int) -> JobRecords:
    """`jobs` at `rates` (steps/s) on GPUs of one type, first come first served."""
    measured = Measured(np.array(rates)[:, None], np.array([gpus]), (0,))
    arrival_s, steps, gangs = zip(*jobs, strict=True)
    table = JobTable(
        id=[str(i) for i in range(len(jobs))], submit_s=arrival_s, duration_s=[float(n) for n in steps], gpus=gangs
    )
    pool = Pool(name="v100", gpu_model="v100", nodes=gpus, gpus_per_node=1)
    scenario = Scenario(cluster=Cluster(pools=[pool]), workload=Workload(jobs=table))
    policy = DeficitRounds(FifoFastest(), Rule(promised_only=True), measured)
    return emulate(Emulation(scenario, policy, loop=RoundLoop)).jobs


@pytest.mark.parametrize("run", ["small20_2-2-2", "mmf96_8-16-24"])
def test_every_job_of_a_recorded_run(shared_dir: Path, run: str) -> None:
    assert failures(f"gavel/{run}", shared_dir / "reference") == []


@pytest.mark.slow
def test_every_job_of_a_hundred_that_come_together(shared_dir: Path) -> None:
    assert failures("gavel/mk100_8-16-24", shared_dir / "reference") == []


@pytest.mark.slow
def test_a_long_trace_without_results_runs_to_its_end(shared_dir: Path) -> None:
    assert failures("gavel/msr-103959-861_8-16-24", shared_dir / "reference") == []


@pytest.mark.slow
def test_of_the_long_trace_isolation_gives_up_two_jobs(shared_dir: Path) -> None:
    """As the peer did: gangs so slow on the oldest type that a GPU has no step to run in a round."""
    folder = shared_dir / "reference" / "gavel"
    inputs = Inputs(folder / "msr-103959-861.trace.gz", folder / gavel.WITHOUT_RESULTS)
    (emulation,) = gavel.emulate(inputs, "isolated", None)
    outcome = emulate(emulation).jobs.outcome
    assert np.bincount(outcome, minlength=4)[[JobOutcome.FINISHED, JobOutcome.REJECTED]].tolist() == [859, 2]


def test_a_round_is_of_whole_steps_and_gpus_idle_to_its_end() -> None:
    """At 1 step in 100 s a round has 3 steps and ends at 300 s; what waits, and what arrives, waits for that."""
    jobs = fifo([(0.0, 5, 1), (10.0, 1, 1)], [0.01, 0.01], 2)
    assert jobs.first_start_s.tolist() == [0.0, 300.0]
    assert jobs.end_s.tolist() == [500.0, 400.0]


def test_promises_are_renewed_after_1920_s_at_the_earliest() -> None:
    """They were at 300 s: who comes then waits for the first end of a round after 2,220 s, beside a free GPU."""
    jobs = fifo([(0.0, 30, 1), (10.0, 1, 1), (310.0, 1, 1)], [0.01] * 3, 3)
    assert jobs.first_start_s.tolist() == [0.0, 300.0, 2400.0]


def test_gpus_that_wait_for_the_end_of_a_round_are_not_useful() -> None:
    """Rounds of 3 steps are over after 300 s for one job and 330 s for the other; the second round ends the first."""
    jobs = fifo([(0.0, 5, 1), (0.0, 6, 1)], [1 / 100, 1 / 110], 2)
    assert jobs.end_s == pytest.approx([530.0, 660.0])
    assert jobs.useful_gpu_s == pytest.approx([500.0, 660.0])
    assert jobs.overhead_gpu_s == pytest.approx([30.0, 0.0])


def test_a_gang_with_a_gpu_without_steps_is_given_up_after_five_rounds() -> None:
    jobs = fifo([(0.0, 1, 2), (0.0, 3, 1)], [0.01, 0.01], 3)
    assert jobs.outcome.tolist() == [JobOutcome.REJECTED, JobOutcome.FINISHED]
    assert jobs.useful_gpu_s[0] == 0.0
    assert jobs.overhead_gpu_s[0] > 0.0


def demand(gangs: list[int], gpus: list[int], throughput: list[list[float]] | None = None) -> Demand:
    rates = np.ones((len(gangs), len(gpus))) if throughput is None else np.array(throughput)
    jobs = len(gangs)
    return Demand(np.arange(jobs), np.array(gangs), rates, np.array(gpus), np.full(jobs, 1e4), np.zeros(jobs))


def test_isolation_promises_an_equal_part_of_every_type() -> None:
    assert Isolated().shares(demand([1, 2], [2, 1])).tolist() == [[2 / 3, 1 / 3], [0.5, 0.25]]


def test_fifo_by_performance_stops_at_the_first_that_fits_nowhere() -> None:
    rates = [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]
    assert FifoFastest().shares(demand([2, 1, 3, 1], [2, 2], rates)).tolist() == [[0, 1], [1, 0], [0, 0], [0, 0]]


@pytest.mark.parametrize("by_throughput", [False, True])
def test_max_min_shares_cannot_be_bettered_for_the_worst_job(by_throughput: bool) -> None:
    rng = np.random.default_rng(7)
    wanted = demand(rng.choice([1, 2, 4], 12).tolist(), [6, 4, 2], rng.uniform(0.5, 5.0, (12, 3)).tolist())
    assert_best(MaxMin(by_throughput), wanted, MaxMin(by_throughput).shares(wanted))


def test_equal_jobs_have_equal_max_min_shares() -> None:
    shares = MaxMin(by_throughput=True).shares(demand([2] * 5, [4, 2], [[1.0, 3.0]] * 5))
    assert (shares == shares[0]).all()


@pytest.mark.parametrize(
    "case",
    [
        "small20_2-2-2/max_min_fairness_perf",
        pytest.param("mmf96_8-16-24/max_min_fairness_perf", marks=pytest.mark.slow),
    ],
)
def test_every_renewal_of_a_run_has_the_best_worth_for_the_worst_job(
    shared_dir: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[MaxMin, Demand, Floats]] = []
    shares_of = MaxMin.shares

    def noted(rule: MaxMin, wanted: Demand) -> Floats:
        asked.append((rule, wanted, shares_of(rule, wanted)))
        return asked[-1][-1]

    monkeypatch.setattr(MaxMin, "shares", noted)
    assert failures(f"gavel/{case}", shared_dir / "reference") == []
    assert len(asked) > 1
    for rule, wanted, shares in asked:
        assert_best(rule, wanted, shares)


def assert_best(rule: MaxMin, wanted: Demand, shares: Floats) -> None:
    """Feasible, and as good as a bound; shares have six decimals."""
    assert (shares.sum(axis=1) <= 1 + 1e-5).all()
    assert (wanted.gang @ shares <= wanted.gpus + 1e-6 * wanted.gang.sum()).all()
    worth = rule.worth(wanted)
    assert (worth * shares).sum(axis=1).min() == pytest.approx(bound(wanted, worth), rel=1e-4)


def bound(wanted: Demand, worth: Floats) -> float:
    """The dual: weights of jobs that sum to 1, and the least prices at which no share is worth more than it costs."""
    jobs, types = worth.shape
    cost = np.concatenate([np.zeros(jobs), np.ones(jobs), wanted.gpus])
    rows = [
        np.concatenate([worth[j, w] * np.eye(jobs)[j], -np.eye(jobs)[j], -wanted.gang[j] * np.eye(types)[w]])
        for j in range(jobs)
        for w in range(types)
    ]
    weights = np.concatenate([np.ones(jobs), np.zeros(jobs + types)])[None, :]
    return float(linprog(cost, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=weights, b_eq=[1.0]).fun)


def test_the_slip_of_fifo_promises_the_last_type_beyond_its_gpus() -> None:
    """The second gang of 2 fits on the first type alone, and is promised the last, where one GPU is left."""
    assert FifoLastType().shares(demand([2, 2], [2, 3])).tolist() == [[0, 1], [0, 1]]
