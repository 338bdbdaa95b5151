"""The law of gradient noise: exact on a line, intervals that cover as often as they say, goodput between its bounds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from simulation.mechanisms.prediction.noise_scale import fit_noise
from simulation.records import Floats

SEEN = np.linspace(0.02, 0.4, 20)


def scale(progress: Floats | float) -> Floats:
    return 2.0 * np.exp(3.0 * np.asarray(progress))


def test_a_law_without_noise_is_found() -> None:
    law = fit_noise(SEEN, scale(SEEN))
    assert law is not None
    assert law.scale(0.9) == pytest.approx([float(scale(0.9))] * 3)


def test_goodput_by_hand() -> None:
    """Noise scale 2 at the start: half of the samples of a batch of 4 base batches teach something."""
    law = fit_noise(SEEN, scale(SEEN))
    assert law is not None
    assert law.goodput(0.0, 800.0, 4.0).value == pytest.approx(400.0)
    assert law.goodput(0.0, 800.0, 1.0).value == pytest.approx(800.0)
    with pytest.raises(ValueError, match=r"batch is 0.5, expected 1 base batch or more"):
        law.goodput(0.0, 800.0, 0.5)


def test_the_intervals_cover_nine_times_in_ten() -> None:
    rng, runs, right = np.random.default_rng(5), 400, np.zeros(2, int)
    phi = float(scale(0.9))
    for _ in range(runs):
        law = fit_noise(SEEN, scale(SEEN) * rng.lognormal(0.0, 0.3, len(SEEN)))
        assert law is not None
        found, goodput = law.scale(0.9), law.goodput(0.9, 100.0, 16.0)
        assert goodput.low <= goodput.value <= goodput.high
        right += [found.low <= phi <= found.high, goodput.low <= 100 * (phi + 1) / (phi + 16) <= goodput.high]
    low, high = binom.ppf([0.0005, 0.9995], runs, 0.9)
    assert low <= right.min()
    assert right.max() <= high


def test_too_little_says_nothing() -> None:
    assert fit_noise(np.array([0.1, 0.2]), np.array([1.0, 2.0])) is None
    assert fit_noise(np.array([0.1, 0.1, 0.1]), np.array([1.0, 2.0, 3.0])) is None
