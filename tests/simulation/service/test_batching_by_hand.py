"""Batches leave when the rule says, to the last digit of a hand count."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.records import RequestOutcome
from tests.simulation.service.queues import latencies, run

TAU = {"alpha_s": 0.0115, "beta_s": 0.0006}


def test_a_lone_request_waits_for_the_timer_or_goes_at_once():
    assert latencies(run([0.0], **TAU, batch_max=8, timeout_s=0.020))[0] == pytest.approx(0.0321, abs=1e-15)
    assert latencies(run([0.0], **TAU, batch_max=8, timeout_s=0.0))[0] == pytest.approx(0.0121, abs=1e-15)


def test_a_ninth_request_makes_a_batch_of_its_own():
    greedy = latencies(run(np.zeros(9), **TAU, batch_max=8, timeout_s=0.0))
    assert greedy == pytest.approx([0.0163] * 8 + [0.0163 + 0.0121], abs=1e-15)
    timed = latencies(run(np.zeros(9), **TAU, batch_max=8, timeout_s=0.020))
    assert timed == pytest.approx([0.0163] * 8 + [0.0321], abs=1e-15)


def test_full_batches_only():
    columns = run(np.arange(16) / 1000, alpha_s=0.002, batch_max=4, timeout_s=None)
    assert latencies(columns) == pytest.approx([0.005, 0.004, 0.003, 0.002] * 4, abs=1e-12)


def test_without_a_timer_an_incomplete_last_batch_never_leaves():
    columns = run(np.zeros(10), alpha_s=1.0, batch_max=8, timeout_s=None)
    assert list(columns.outcome) == [RequestOutcome.SERVED] * 8 + [RequestOutcome.UNFINISHED] * 2
    assert np.isnan(columns.execute_s[8:]).all()
    assert np.isnan(columns.queue_s[8:]).all()


EXAMPLE = {"alpha_s": 0.016, "beta_s": 0.008, "batch_max": 8, "replicas": 5}  # 80 ms for a batch of 8


def test_worked_example_at_400_requests_a_second():
    columns = run(np.arange(1, 81) / 400, timeout_s=0.120, **EXAMPLE)
    assert columns.batch_wait_s.max() == pytest.approx(0.0175)  # seven gaps from the first to the eighth request
    assert latencies(columns).max() == pytest.approx(0.0975)  # about 100 ms, SLO 200 ms
    assert columns.execute_s == pytest.approx(np.full(80, 0.080))


def test_worked_example_at_20_requests_a_second():
    patient = latencies(run(np.arange(1, 81) / 20, timeout_s=None, **EXAMPLE))
    assert patient.max() == pytest.approx(0.350 + 0.080)  # about 400 ms to fill: SLO of 200 ms broken
    timed = latencies(run(np.arange(1, 81) / 20, timeout_s=0.120, **EXAMPLE))
    assert timed.max() == pytest.approx(0.120 + 0.016 + 3 * 0.008)
    assert timed.max() <= 0.200


def test_work_multiplies_the_share_of_each_request():
    columns = run([0.0, 0.0, 0.0], work=np.array([1.0, 2.0, 4.0]), alpha_s=0.5, beta_s=0.25, batch_max=2)
    assert columns.execute_s == pytest.approx([1.25, 1.25, 1.5])
    assert columns.busy_s == pytest.approx(2.75)


def test_what_runs_beyond_the_end_is_unfinished_and_its_busy_time_is_cut():
    columns = run([0.0, 0.0, 0.0], alpha_s=1.0, end_s=2.5)
    assert list(columns.outcome) == [0, 0, 1]
    assert columns.busy_s == pytest.approx(2.5)


def test_arrivals_must_ascend():
    with pytest.raises(ValueError, match="service s: arrivals must be finite and ascending"):
        run([2.0, 1.0], alpha_s=1.0)
    with pytest.raises(ValueError, match="work needs 2 multipliers"):
        run([1.0, 2.0], alpha_s=1.0, work=np.ones(3))
