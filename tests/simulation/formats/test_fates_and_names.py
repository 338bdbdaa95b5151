"""What a log says of how a job ended, and what it was called, goes into the workload."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from simulation.formats.measured import measured_waits
from simulation.formats.reading import Reading
from simulation.formats.tables import Table
from simulation.formats.workload import job_table
from simulation.run import simulate
from tests.simulation.building import pool, training

BASE = {
    "submit_s": 1000.0, "start_s": 1010.0, "end_s": 1110.0, "elapsed_s": 100.0, "gpus": 2, "gpu_s": 200.0,
    "outcome": "finished", "attempts": 1, "line": 2,
}  # fmt: skip


def table(*changes: dict[str, object]) -> Table:
    return Table.from_rows("jobs", [{**BASE, "id": str(n), **change} for n, change in enumerate(changes, start=1)])


def test_failed_and_cancelled_jobs_keep_their_fate_and_are_counted() -> None:
    outcomes = ("finished", "failed", "cancelled", "timeout", "running", None)
    made = job_table(table(*({"outcome": outcome} for outcome in outcomes)))
    assert made.jobs.fate == ["completed", "failed", "killed", "completed", "completed", "completed"]
    assert made.fates == {"failed": 1, "killed": 1}


def test_a_log_in_which_everything_ends_well_says_nothing_of_fates() -> None:
    assert job_table(table({}, {})).jobs.fate is None


def test_names_are_kept_where_some_jobs_were_called_alike() -> None:
    assert job_table(table({"name": "train"}, {"name": None}, {"name": "train"})).jobs.name == ["train", "2", "train"]
    assert job_table(table({"name": "a"}, {"name": "b"})).jobs.name is None


def test_measured_completions_are_those_of_the_jobs_that_completed() -> None:
    """As in a run, whose mean completion time is that of the finished jobs."""
    log = table({}, {"outcome": "failed", "end_s": 9000.0, "elapsed_s": 7990.0})
    made = job_table(log)
    assert measured_waits(log, made.completed(log)).jct.mean == 110.0
    metrics = simulate(training(made.jobs, pools=[pool(1, 8)])).document["metrics"]
    assert metrics["jct_mean_s"]["value"] == 100.0
    assert (metrics["jobs_failed"]["value"], metrics["failed_gpu_h"]["value"]) == (1.0, pytest.approx(2 * 7990 / 3600))


@pytest.mark.parametrize(
    ("slug", "path", "fates"),
    [
        ("slurm-sacct", "slurm-sacct-parsable/a100_two_days.psv", {"failed": 1, "killed": 1}),
        ("helios-jobs", "helios-csv/cluster_log_three_jobs.csv", {"failed": 1, "killed": 1}),
        ("acme", "acme-csv/trace_seren_two_jobs.csv", {"failed": 1}),
        ("philly-json", "philly-json/one_job_two_attempts.json", {}),
    ],
)
def test_fates_of_the_samples(sample: Callable[..., Reading], slug: str, path: str, fates: dict[str, int]) -> None:
    assert job_table(sample(slug, path, {"time_zone": "UTC"}).table).fates == fates
