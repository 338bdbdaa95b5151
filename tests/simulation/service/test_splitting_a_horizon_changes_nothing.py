"""The queue gives the same bits however its time is cut up, and whether compiled or not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.engine.service import ServiceColumns, ServiceQueue
from simulation.records import RequestOutcome
from tests.simulation.service.queues import latencies, service

ROOT = Path(__file__).resolve().parents[3]

instants = st.floats(0.0, 100.0, allow_nan=False)
changes = st.lists(st.tuples(instants, st.integers(0, 4), st.floats(0.0, 20.0)), max_size=5)
shapes = st.fixed_dictionaries(
    {
        "batch_max": st.integers(1, 5),
        "timeout_s": st.sampled_from([None, 0.0, 0.5, 7.0]),
        "alpha_s": st.floats(0.0, 5.0),
        "beta_s": st.floats(0.001, 1.0),
    }
)


def play(arrivals, shape, scale, cuts=(), end_s=130.0, work=None) -> ServiceColumns:
    """Replica changes at their instants, and `advance` to each cut on the way."""
    queue = ServiceQueue(service(**shape), np.sort(np.array(arrivals, dtype=np.float64)), work)
    queue.set_replicas(0.0, 1, 0.0)
    steps = [(at, n, load) for at, n, load in sorted(scale)] + [(at, None, 0.0) for at in cuts]
    for at, n, load in sorted(steps, key=lambda step: step[0]):
        if n is None:
            queue.advance(at)
            queue.observed(at, 10.0)
        else:
            queue.set_replicas(at, n, at + load)
    return queue.finish(end_s)


def bits(columns: ServiceColumns) -> list[bytes | float]:
    arrays = (columns.queue_s, columns.batch_wait_s, columns.load_s, columns.execute_s, columns.outcome)
    return [*(array.tobytes() for array in arrays), columns.busy_s]


@given(st.lists(instants, max_size=40), shapes, changes, st.lists(st.floats(0.0, 130.0), max_size=8))
@settings(max_examples=200, deadline=None)
def test_any_cuts_give_the_same_bits(arrivals, shape, scale, cuts):
    assert bits(play(arrivals, shape, scale)) == bits(play(arrivals, shape, scale, cuts))


@given(st.lists(instants, max_size=40), shapes, changes)
@settings(max_examples=200, deadline=None)
def test_every_request_is_accounted_for(arrivals, shape, scale):
    columns = play(arrivals, shape, scale)
    served = columns.outcome == RequestOutcome.SERVED
    assert served.sum() + (columns.outcome == RequestOutcome.UNFINISHED).sum() == len(arrivals)
    parts = np.array([columns.queue_s, columns.batch_wait_s, columns.load_s, columns.execute_s])
    assert np.isnan(parts[:, ~served]).all()
    assert (parts[:, served] >= 0).all()
    ends = np.sort(np.array(arrivals, dtype=np.float64))[served] + latencies(columns)[served]
    assert (ends <= 130.0 + 1e-9).all()
    assert (np.diff(ends - columns.execute_s[served]) >= -1e-9).all(), "first come, first served"


PLAIN = """
import numpy as np
from tests.simulation.service.test_splitting_a_horizon_changes_nothing import bits, play
rng = np.random.default_rng(11)
for batch_max in (1, 3):
    shape = dict(batch_max=batch_max, timeout_s=0.4, alpha_s=0.3, beta_s=0.2)
    scale = [(10.0, 3, 5.0), (30.0, 1, 0.0), (50.0, 4, 9.0)]
    columns = play(rng.uniform(0, 100, 300), shape, scale, cuts=(20.0, 60.0), work=rng.exponential(1.0, 300))
    print([b.hex() if isinstance(b, bytes) else float(b).hex() for b in bits(columns)])
"""


def test_the_plain_functions_give_the_bits_of_the_compiled_ones():
    def output(disable: str) -> str:
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disable, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", PLAIN]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, cwd=ROOT).stdout

    compiled, plain = output("0"), output("1")
    assert compiled == plain
    assert len(compiled) > 1000
