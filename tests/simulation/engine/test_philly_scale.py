"""The public Philly job list under every training system: all of it (slow), or its first weeks."""

from __future__ import annotations

import csv
import gzip
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from simulation.records import JobOutcome
from simulation.run import run_records
from simulation.scenario import JobTable
from tests.simulation.building import TRAINING, pool, training


def philly(folder: Path, most: int) -> JobTable:
    with gzip.open(folder / "traces/philly-jobs/philly_jobs.csv.gz", "rt") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["timestamp"])[:most]
    begin = datetime.fromisoformat(rows[0]["timestamp"])
    return JobTable(
        id=[str(i) for i in range(len(rows))],
        submit_s=[(datetime.fromisoformat(row["timestamp"]) - begin).total_seconds() for row in rows],
        duration_s=[float(row["duration"]) for row in rows],
        gpus=[int(row["num_gpus"]) for row in rows],
        tenant=[row["cluster"] for row in rows],
    )


@pytest.mark.parametrize("system", TRAINING)
@pytest.mark.parametrize("most", [2000, pytest.param(82_247, marks=pytest.mark.slow)])
def test_every_job_ends(system: str, most: int, shared_dir: Path) -> None:
    records = run_records(training(philly(shared_dir, most), system, [pool(60, 8)]))
    assert len(records.jobs) == most
    assert (records.jobs.outcome == JobOutcome.FINISHED).all()
    assert not np.isnan(records.jobs.end_s).any()
