"""How many nodes stay on: buffer, hold after a rise, a fall only where past and forecast say so."""

from __future__ import annotations

import numpy as np

from simulation.mechanisms.power.forecast import DailyForecast
from simulation.mechanisms.power.node_states import PoweredNodes, Thresholds

DAY = 48
THRESHOLDS = Thresholds(buffer=2, keep=4, history=3, future=6, past_fall=1.0, future_fall=1.0, least_drop=1)


def run(busy: list[int], thresholds: Thresholds = THRESHOLDS) -> list[int]:
    nodes = PoweredNodes(40, thresholds, DailyForecast(DAY))
    return [nodes.update(count) for count in busy]


def days(count: int, swing: float = 8.0) -> list[int]:
    steps = np.arange(count * DAY)
    return np.round(20 + swing * np.sin(steps / DAY * 2 * np.pi)).astype(int).tolist()


def test_a_day_is_forecast_by_the_days_before() -> None:
    forecast = DailyForecast(4)
    for busy in (1.0, 2.0, 3.0, 4.0):
        assert forecast.ahead(2) is None
        forecast.see(busy)
    assert forecast.ahead(2) == 1.5
    assert forecast.ahead(6) == (1 + 2 + 3 + 4 + 1 + 2) / 6
    for busy in (3.0, 4.0, 5.0, 6.0):
        forecast.see(busy)
    assert forecast.ahead(1) == 2.0
    assert forecast.past(2) == 5.5


def test_a_flat_load_switches_nothing() -> None:
    assert set(run([20] * 200)) == {40}


def test_nodes_follow_the_day_and_never_lack_for_long() -> None:
    busy = days(5)
    on = run(busy)
    last_day = slice(4 * DAY, None)
    assert np.mean(on[last_day]) < 35
    assert min(np.array(on) - np.array(busy)) >= 0


def test_after_a_rise_nothing_is_switched_off_for_a_while() -> None:
    on = run([20, 20, 20, 10, 38, 10, 10, 10, 10, 10, 10])
    rise = on.index(40, 4)
    assert on[3] == 12
    assert on[rise : rise + 4] == [40] * 4


def test_a_fall_that_the_forecast_denies_is_not_followed() -> None:
    """One dip on the morning of a second day whose afternoon is busy."""
    busy = [*days(2), *days(1)]
    dip = 2 * DAY + 2
    busy[dip] -= 6
    on = run(busy)
    assert on[dip] == on[dip - 1]


def test_the_buffer_saves_wakes() -> None:
    busy = days(6)
    wakes = {buffer: int((np.diff(run(busy, THRESHOLDS_WITH[buffer])) > 0).sum()) for buffer in THRESHOLDS_WITH}
    assert wakes[4] < wakes[0]


THRESHOLDS_WITH = {
    buffer: Thresholds(buffer, keep=4, history=3, future=6, past_fall=1.0, future_fall=1.0, least_drop=1)
    for buffer in (0, 4)
}
