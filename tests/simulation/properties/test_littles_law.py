"""Mean number of jobs that hold GPUs = rate of arrival x mean time that each holds some.

Left and right come from different records: spans of the log, and the accounts of jobs. Nodes fail, jobs share, grow
and shrink meanwhile.
"""

from __future__ import annotations

import numpy as np
import pytest

from simulation.metrics.occupancy import segments
from simulation.run import run_records
from tests.simulation.properties.drawing import TRAINING, drawn


@pytest.mark.parametrize("system", TRAINING)
def test_holding(system: str) -> None:
    for seed in range(4):
        records = run_records(drawn(seed, system))
        spans = records.job_spans
        parts = segments(spans.owner, spans.start_s, spans.end_s, spans.gpus.astype(np.float64))
        there = parts.gpus > 0
        inside = (parts.end_s - parts.start_s)[there].sum() / records.end_s
        per_s = len(records.jobs) / records.end_s
        assert inside == pytest.approx(per_s * records.jobs.held_s.mean(), rel=1e-9)
