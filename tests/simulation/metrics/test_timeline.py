"""The time line holds exact means of its bins: their sum is the whole run's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.metrics.occupancy import integral_at, segments
from simulation.metrics.summary import summarise
from simulation.metrics.timeline import BINS, timeline
from simulation.records import Absences, JobOutcome
from tests.simulation.metrics.runs import Job, pool, run, scenario, served, service

intervals = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20), st.integers(1, 8)), max_size=12)


@given(intervals)
def test_integrals_and_segments_agree_with_counting_second_by_second(rows):
    start = np.array([float(a) for a, _, _ in rows])
    end = np.array([float(a + d) for a, d, _ in rows])
    gpus = np.array([g for _, _, g in rows], dtype=np.int64)
    level = np.zeros(80)
    for a, d, g in rows:
        level[a : a + d] += g
    assert integral_at(np.arange(81.0), start, end, gpus.astype(float)) == pytest.approx(
        np.concatenate([[0.0], np.cumsum(level)])
    )
    key = np.arange(len(rows)) % 2
    found = segments(key, start, end, gpus)
    assert float((found.gpus * (found.end_s - found.start_s)).sum()) == pytest.approx(level.sum())
    assert (found.gpus >= 0).all()


def test_shares_by_bin_average_to_those_of_the_run():
    records = run(
        [
            Job(0, [(0, 7, 0, 4), (9, 13, 0, 2)], gpus=4, overhead=6.0, lost=3.0),
            Job(1.5, [(2, 11, 0, 3)], gpus=3),
            Job(4, outcome=JobOutcome.WAITING),
        ],
        services=[service()],
        requests=served([(0, 1.0, 0.0, 0.0, 0.0, 2.0), (0, 5.0, 0.5, 0.0, 0.0, 1.0)]),
        replicas=[(0, 0, 0, 1, 0.0, 13.0)],
        busy=[3.0],
        end_s=14.0,
    )
    line, metrics = timeline(records), summarise(records, scenario())["metrics"]
    for kind in ("allocated", "busy", "useful"):
        assert np.mean(line[kind]) == pytest.approx(metrics[f"utilisation_{kind}"]["value"], abs=1e-6)
    assert np.mean(line["waiting"]) * 14 == pytest.approx(2 + 0.5 + 10, abs=1e-3)
    assert (len(line["t_s"]), line["capacity_gpus"]) == (BINS, 8)
    assert line["t_s"][-1] + line["bin_s"] == pytest.approx(14.0)


def test_replicas_are_busy_when_their_batches_ran():
    batch = [(0, 1.0, 0.0, 0.0, 0.0, 2.0)] * 3  # one batch of three: two seconds, not six
    records = run(
        services=[service()], requests=served(batch), replicas=[(0, 0, 0, 1, 0.0, 10.0)], busy=[2.0], end_s=10.0
    )
    busy = np.array(timeline(records)["busy"])
    edges = np.linspace(0, 10, BINS + 1)
    inside = (edges[:-1] >= 1) & (edges[1:] <= 3)
    assert busy[inside] == pytest.approx(1 / 8)
    assert busy[~inside].sum() == pytest.approx(0.0, abs=0.01)


def test_a_job_that_grows_and_moves_is_one_job_that_holds():
    grows = run([Job(0, [(0, 10, 0, 2), (4, 10, 0, 2), (6, 10, 0, 1)], gpus=4)], end_s=10.0)
    assert max(timeline(grows)["waiting"]) == 0.0


def test_a_run_of_no_length_has_no_bins():
    assert timeline(run())["t_s"] == []


def test_nodes_that_are_away_are_a_share_of_capacity():
    whole = run(
        [Job(0, [(0, 8, 0, 4)], gpus=4)], pools=[pool(nodes=1), pool(name="q", nodes=2, gpus_per_node=4)], end_s=10.0
    )
    absences = Absences(np.array([0, 2]), np.array([0, 1]), np.array([8.0, 0.0]), np.array([10.0, 5.0]))
    line = timeline(replace(whole, absences=absences))
    assert np.mean(line["away"]) * 10 * 16 == pytest.approx(8 * 2 + 4 * 5, abs=1e-3)
    assert line["away"][0] == pytest.approx(4 / 16)
    assert "away" not in timeline(whole)
