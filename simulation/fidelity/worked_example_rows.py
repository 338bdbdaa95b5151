"""The figures of the worked example, each read out of runs of the engine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulation.fidelity import worked_example as example
from simulation.fidelity.rows import Row
from simulation.records import Floats, RunRecords
from simulation.run import run_records

CASE = "worked-example"
MILLISECOND = 1e-9  # s: batch times are sums of floats of seconds, exact to far below a microsecond

# variant: A ends, B waits, JCT A, JCT B, mean JCT
TABLE = {
    "keeps-4": (1800.0, 1200.0, 1800.0, 2100.0, 1950.0),
    "shrinks": (3000.0, 0.0, 3000.0, 900.0, 1950.0),
    "shrinks-and-regrows": (2250.0, 0.0, 2250.0, 900.0, 1575.0),
}


def rows() -> list[Row]:
    """All figures of the example; exact (tolerance 0) but for batch times."""
    return [*_table(), *_rise(), *_loan(), *_batches()]


def _table() -> Iterator[Row]:
    names = ("A ends", "B waits", "JCT of A", "JCT of B", "mean JCT")
    for variant, scenario in example.scenarios().items():
        records = run_records(scenario)
        jct_s = records.jobs.end_s - records.jobs.submit_s
        wait_s = jct_s - records.jobs.held_s
        ours = (records.jobs.end_s[0], wait_s[1], jct_s[0], jct_s[1], jct_s.mean())
        for name, theirs, value in zip(names, TABLE[variant], ours, strict=True):
            yield Row(CASE, f"{variant}: {name}", theirs, float(value))


def _rise() -> Iterator[Row]:
    """At 1,200 s traffic rises to 400 requests/s; the autoscaler sees a whole minute of it at 1,260 s."""
    records = run_records(example.traffic_rise("keeps-4"))
    yield Row(CASE, "GPUs of the service at 400 requests/s", 5.0, float(_service_gpus(records, 1300.0)), unit="GPUs")
    yield Row(CASE, "GPUs of the service before", 4.0, float(_service_gpus(records, 1199.0)), unit="GPUs")
    before, after = _training_gpus(records, 1259.0), _training_gpus(records, 1261.0)
    yield Row(CASE, "GPUs that come back from training", 1.0, float(before - after), unit="GPUs")
    # A has done 4 x 1,260 of its 7,200 GPU-seconds, and goes on with three GPUs
    yield Row(CASE, "A ends when it lends one back at 1,260 s", 1980.0, float(records.jobs.end_s[0]))


def _loan() -> Iterator[Row]:
    for length_s, gained_s in ((40.0, 0.0), (100.0, 60.0)):
        useful_s = [
            run_records(example.loan(length, overhead_s=40.0)).jobs.useful_gpu_s[0] for length in (length_s, 0.0)
        ]
        yield Row(CASE, f"useful GPU time in a loan of {length_s:g} s", gained_s, float(useful_s[0] - useful_s[1]))


def _batches() -> Iterator[Row]:
    fast = run_records(example.one_replica(400.0, timeout_s=None)).requests
    slow = run_records(example.one_replica(20.0, timeout_s=None)).requests
    timed = run_records(example.one_replica(20.0, timeout_s=example.SLO_S - example.EXECUTE_S)).requests
    execute_s = float(fast.execute_s[0])
    yield _batch_row("longest batch wait that meets the SLO", 0.120, example.SLO_S - execute_s)
    fill_s = _between_batches_s(fast.arrival_s, fast.queue_s + fast.batch_wait_s + fast.load_s)
    yield _batch_row("a batch of 8 fills at 400 requests/s", 0.020, fill_s)
    yield _batch_row("fill and execution at 400 requests/s", 0.100, fill_s + execute_s)
    slow_fill_s = _between_batches_s(slow.arrival_s, slow.queue_s + slow.batch_wait_s + slow.load_s)
    yield _batch_row("a batch of 8 fills at 20 requests/s", 0.400, slow_fill_s)
    late = {"without timeout": (slow.latency_s, 1.0), "with a timeout of 120 ms": (timed.latency_s, 0.0)}
    for name, (latency_s, theirs) in late.items():
        breaks = float(np.nanmax(latency_s) > example.SLO_S + MILLISECOND)
        yield Row(CASE, f"20 requests/s {name} breaks the SLO", theirs, breaks, unit="1 = yes")


def _batch_row(quantity: str, theirs: float, ours: float) -> Row:
    return Row(CASE, quantity, theirs, ours, tolerance=MILLISECOND)


def _between_batches_s(arrival_s: Floats, waited_s: Floats) -> float:
    """Seconds between the starts of consecutive full batches, at a steady rate: the time that a batch takes to fill."""
    starts_s = (arrival_s + waited_s)[: len(arrival_s) // example.BATCH * example.BATCH : example.BATCH]
    return float(np.median(np.diff(starts_s)))


def _service_gpus(records: RunRecords, at_s: float) -> int:
    spans = records.replica_spans
    return int(spans.gpus[(spans.start_s <= at_s) & (at_s < spans.end_s)].sum())


def _training_gpus(records: RunRecords, at_s: float) -> int:
    spans = records.job_spans
    return int(spans.gpus[(spans.start_s <= at_s) & (at_s < spans.end_s)].sum())
