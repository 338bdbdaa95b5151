"""How many nodes to keep on: a buffer, a time to hold after a rise, and a two-sided test before a fall."""

from __future__ import annotations

from dataclasses import dataclass

from simulation.mechanisms.power.forecast import DailyForecast


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Windows and times are in steps, the others in nodes."""

    buffer: int  # kept on beside the busy ones
    keep: int  # steps without a switch-off after a rise
    history: int  # past window
    future: int  # forecast window
    past_fall: float  # least fall against the past window
    future_fall: float  # least fall of the forecast
    least_drop: int  # smallest switch-off


class PoweredNodes:
    """Nodes on, step by step. Raises at once where they lack, falls when past and forecast both say so."""

    def __init__(self, owned: int, thresholds: Thresholds, forecast: DailyForecast) -> None:
        self._owned, self._rule, self._forecast = owned, thresholds, forecast
        self._step, self._hold_until = 0, 0
        self.on = owned

    def update(self, busy: int) -> int:
        """Nodes that should be on from now on; busy: those in use, and those that waiting jobs lack."""
        rule = self._rule
        past = self._forecast.past(rule.history)
        if self.on < busy:
            self.on = min(self._owned, busy + rule.buffer)
            self._hold_until = self._step + rule.keep
        elif past is not None and self._step >= self._hold_until and self._falls(busy, past):
            wanted = busy + rule.buffer
            self.on = wanted if self.on - wanted >= rule.least_drop else self.on
        self._forecast.see(busy)
        self._step += 1
        return self.on

    def _falls(self, busy: int, past: float) -> bool:
        """Fewer are busy now than lately, and still fewer are expected; a rise after that forbids it."""
        rule = self._rule
        if past - busy < rule.past_fall:
            return False
        soon, later = self._forecast.ahead(rule.future), self._forecast.ahead(2 * rule.future)
        return soon is None or later is None or (busy - soon >= rule.future_fall and soon >= later)
