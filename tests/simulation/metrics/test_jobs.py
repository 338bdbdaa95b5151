"""JCT, wait, slowdown, makespan and deadlines; what did not finish is counted, not hidden."""

from __future__ import annotations

import pytest

from simulation.metrics.jobs import conservation, job_counts, job_distributions, job_metrics, job_times, wait_by_gang
from simulation.records import JobOutcome
from tests.simulation.metrics.runs import Job, run


def metrics(records):
    times = job_times(records.jobs)
    return job_metrics(records.jobs, job_distributions(records.jobs, times), records.end_s)


def test_the_worked_example_has_two_equal_means():
    keeps = run([Job(0, [(0, 1800, 0, 4)], gpus=4), Job(600, [(1800, 2700, 0, 2)], gpus=2)])
    shrinks = run([Job(0, [(0, 600, 0, 4), (600, 3000, 0, 2)], gpus=4), Job(600, [(600, 1500, 0, 2)], gpus=2)])
    assert metrics(keeps)["jct_mean_s"].value == metrics(shrinks)["jct_mean_s"].value == 1950.0
    assert metrics(keeps)["wait_mean_s"].value == 600.0  # B waited 1,200 s
    assert metrics(shrinks)["wait_mean_s"].value == 0.0
    assert metrics(keeps)["makespan_s"].value == 2700.0
    assert metrics(shrinks)["makespan_s"].value == 3000.0


def test_unfinished_jobs_are_counted_and_the_mean_says_so():
    records = run(
        [
            Job(0, [(0, 10, 0, 1)]),
            Job(0, [(10, 100, 0, 8)], outcome=JobOutcome.RUNNING),
            Job(5, outcome=JobOutcome.WAITING),
            Job(6, gpus=64, outcome=JobOutcome.REJECTED),
        ],
        end_s=100.0,
    )
    m = metrics(records)
    assert (m["jct_mean_s"].value, m["jct_mean_s"].n) == (10.0, 1)
    assert m["jct_mean_s"].note == "2 unfinished jobs not included: theirs is a lower bound"
    assert (m["makespan_s"].value, m["makespan_s"].note) == (100.0, "lower bound: 2 jobs unfinished")
    assert (m["jobs_unfinished"].value, m["jobs_rejected"].value) == (2.0, 1.0)
    counts = job_counts(records.jobs)
    ways = {"finished": 1, "running": 1, "waiting": 1, "rejected": 1, "failed": 0, "killed": 0}
    assert counts == {"submitted": 4, **ways}
    assert counts["submitted"] == sum(n for name, n in counts.items() if name != "submitted")


def test_no_jobs_is_unknown_and_not_zero():
    m = metrics(run())
    assert (m["jct_mean_s"].value, m["jct_mean_s"].n, m["jct_mean_s"].note) == (None, 0, "no finished jobs")
    assert (m["makespan_s"].value, m["makespan_s"].note) == (None, "no jobs")


def test_wait_is_the_time_without_gpus_also_between_two_holdings():
    m = metrics(run([Job(0, [(10, 20, 0, 1), (50, 60, 0, 1)], preemptions=1)]))
    assert (m["jct_mean_s"].value, m["wait_mean_s"].value, m["preemptions"].value) == (60.0, 40.0, 1.0)


def test_slowdown_is_over_the_isolated_time_and_leaves_out_jobs_of_no_length():
    m = metrics(run([Job(0, [(10, 20, 0, 1)]), Job(0, [(10, 10, 0, 1)])]))
    assert (m["slowdown_mean"].value, m["slowdown_mean"].n) == (2.0, 1)
    assert m["slowdown_p95"].note == "fewer than 100 values"


def test_a_deadline_is_missed_late_unfinished_or_rejected_but_open_when_it_lies_beyond_the_end():
    records = run(
        [
            Job(0, [(0, 10, 0, 1)], deadline=10.0),
            Job(0, [(0, 11, 0, 1)], deadline=10.0),
            Job(0, [(0, 50, 0, 1)], deadline=40.0, outcome=JobOutcome.RUNNING),
            Job(0, deadline=45.0, outcome=JobOutcome.WAITING),
            Job(0, [(0, 50, 0, 1)], deadline=60.0, outcome=JobOutcome.RUNNING),
            Job(0, deadline=60.0, outcome=JobOutcome.REJECTED),
            Job(0, [(0, 1, 0, 1)]),
        ],
        end_s=50.0,
    )
    rate = metrics(records)["deadline_miss_rate"]
    assert (rate.value, rate.n, rate.note) == (4 / 5, 5, "1 deadlines still open at the end")


def test_waits_by_gang_name_their_n():
    rows = wait_by_gang(
        (records := run([Job(0, [(5, 9, 0, 1)]), Job(0, [(7, 9, 0, 4)], gpus=4)])).jobs, job_times(records.jobs)
    )
    assert rows[:2] == [
        {"gang": "1", "n": 1, "mean_s": 5.0, "p95_s": 5.0},
        {"gang": "2-4", "n": 1, "mean_s": 7.0, "p95_s": 7.0},
    ]
    assert [(row["n"], row["mean_s"]) for row in rows[2:]] == [(0, None)] * 4


def test_gpu_time_is_conserved():
    account = conservation(run([Job(0, [(0, 10, 0, 4)], overhead=3.0, lost=7.0)]).jobs)
    assert account == {"gpu_s_allocated": 40.0, "useful": 30.0, "overhead": 3.0, "lost": 7.0, "residual": 0.0}
    assert metrics(run([Job(0, [(0, 10, 0, 4)], overhead=3600.0)]))["overhead_gpu_h"].value == pytest.approx(1.0)
