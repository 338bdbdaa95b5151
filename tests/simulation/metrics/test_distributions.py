"""Percentiles are numpy's type 7, carry their n, and say what is missing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.metrics.distributions import CURVE, Distribution


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=50), st.floats(0, 1))
def test_quantiles_are_those_of_numpy(values, q):
    assert Distribution(np.array(values)).quantile(q) == pytest.approx(np.quantile(values, q), rel=1e-9, abs=1e-12)


def test_nothing_is_unknown():
    empty = Distribution(np.array([np.nan]), censored=3)
    assert empty.document("s") == {
        "unit": "s", "n": 0, "censored": 3, "mean": None, "p50": None, "p90": None, "p95": None, "p99": None,
        "max": None, "curve": [],
    }  # fmt: skip


def test_the_curve_rises_through_the_median_to_the_maximum():
    document = Distribution(np.arange(1001.0)).document("s")
    curve = dict(document["curve"])
    assert (curve[0.5], curve[0.999], curve[1.0]) == (500.0, 999.0, 1000.0)
    assert list(curve.values()) == sorted(curve.values())
    assert 50 <= len(CURVE) <= 70
    assert list(CURVE) == sorted(set(CURVE))


def test_a_percentile_of_few_values_is_marked():
    assert Distribution(np.arange(99.0)).quantile_value(0.99, "jobs").note == "fewer than 100 values"
    assert Distribution(np.arange(100.0)).quantile_value(0.99, "jobs").note is None
