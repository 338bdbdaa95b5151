"""Nodes that nobody needs are switched off, and on again before they are missed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import View
from simulation.mechanisms.parameters import parameter
from simulation.mechanisms.power.forecast import DailyForecast
from simulation.mechanisms.power.node_states import PoweredNodes, Thresholds
from simulation.mechanisms.power.power import Power
from simulation.mechanisms.sequence import Sequence
from simulation.records import Absence, Ints

ARTIFACT = "Helios artifact, energy saving service"
DAY_S = 86_400.0


@dataclass(frozen=True)
class SwitchIdleNodes(Power):
    """Step by step as many nodes are on as were busy, and a buffer: fewer only if past and forecast both fall."""

    member: ClassVar[str] = "switch-idle-nodes"
    step_s: float = parameter(600.0, "control period", unit="s", low=1.0, high=86_400.0, source=ARTIFACT)
    buffer: int = parameter(5, "spare nodes kept on", unit="nodes", low=0, high=50_000, source=ARTIFACT)
    keep: int = parameter(
        12, "steps without a switch-off after a rise", unit="steps", low=0, high=10_000, source=ARTIFACT
    )
    history: int = parameter(6, "past window", unit="steps", low=1, high=10_000, source=ARTIFACT)
    future: int = parameter(18, "forecast window", unit="steps", low=1, high=10_000, source=ARTIFACT)
    past_fall: float = parameter(
        1.0, "least fall against the past window", unit="nodes", low=0.0, high=1e5, source=ARTIFACT
    )
    future_fall: float = parameter(1.0, "least fall of the forecast", unit="nodes", low=0.0, high=1e5, source=ARTIFACT)
    least_drop: int = parameter(1, "smallest switch-off", unit="nodes", low=1, high=50_000, source=ARTIFACT)

    def begin(self, view: View) -> NodeSwitch:
        return NodeSwitch(self, view)


class NodeSwitch:
    """Acts at multiples of the control period; the last idle nodes go first."""

    def __init__(self, rule: SwitchIdleNodes, view: View) -> None:
        self._step_s = rule.step_s
        thresholds = Thresholds(
            rule.buffer, rule.keep, rule.history, rule.future, rule.past_fall, rule.future_fall, rule.least_drop
        )
        forecast = DailyForecast(max(1, round(DAY_S / rule.step_s)))
        self._nodes = PoweredNodes(len(view.nodes.size), thresholds, forecast)

    def refresh(self, view: View, news: News) -> None:
        """Everything is read from the view and the plan."""

    def adjust(self, view: View, sequence: Sequence | None, draft: Draft) -> None:
        if view.now_s < math.ceil(view.now_s / self._step_s) * self._step_s:
            return
        ready = np.flatnonzero(view.away == 0)
        idle = ready[draft.free[ready] == view.nodes.size[ready]]
        wanted = self._nodes.update(len(ready) - len(idle) + self._lacking(view, draft))
        coming = int((view.away == 1 + Absence.BOOTING).sum())
        more = wanted - len(ready) - coming
        for node in idle[::-1][: max(0, -more)].tolist():
            draft.power_off(node)
        for node in np.flatnonzero(view.away == 1 + Absence.OFF)[: max(0, more)].tolist():
            draft.power_on(node)

    def wake_s(self, view: View) -> float:
        return (math.floor(view.now_s / self._step_s) + 1) * self._step_s

    def _lacking(self, view: View, draft: Draft) -> int:
        """Nodes that the waiting jobs would fill."""
        waiting: Ints = np.array([job for job in view.waiting.tolist() if not draft.pieces(job)], np.int64)
        return math.ceil(int(view.gang[waiting].sum()) / max(1, int(view.nodes.size.max(initial=1))))
