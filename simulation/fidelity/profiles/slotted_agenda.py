"""The agenda of a simulator that wakes at most once a slot: events of one instant, and those of one slot, are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from simulation.fidelity.profiles.steps import SLOT_S


@dataclass(slots=True, eq=False)
class Event:
    """Jobs that arrive and jobs that are foretold to end; neither: a change of shares that was planned."""

    at_s: float
    arriving: list[int] = field(default_factory=list)
    ending: list[int] = field(default_factory=list)


class Agenda:
    """Events in the order of time, but for those added since the last `sort`."""

    def __init__(self, submit_s: Sequence[float]) -> None:
        """Rows of `submit_s` are jobs, ascending."""
        self.events: list[Event] = []
        for job, at_s in enumerate(submit_s):
            (self._at(at_s) or self._new(at_s)).arriving.append(job)

    def pop_at(self, now_s: float) -> Event | None:
        event = self._at(now_s)
        if event is not None:
            self.events.remove(event)
        return event

    def foretell(self, job: int, end_s: float) -> None:
        event = self._at(end_s) or self._new(end_s)
        if job not in event.ending:
            event.ending.append(job)

    def revise(self, job: int, foretold_s: float, end_s: float) -> None:
        """The job ends at `end_s` and not as was foretold. An end that became part of another event stays there."""
        if foretold_s == end_s:
            return
        event = self._at(foretold_s)
        if event is not None:
            if job in event.ending:
                event.ending.remove(job)
            if not event.ending and not event.arriving:
                self.events.remove(event)
        self.foretell(job, end_s)

    def remind(self, at_s: float) -> None:
        """Wake at `at_s`, unless something happens before or then."""
        if not self.events or at_s < min(event.at_s for event in self.events):
            self._new(at_s)

    def next_after(self, now_s: float) -> float:
        """The instant of the next event, once those within a slot from now are one at its end."""
        events = self.events
        events.sort(key=lambda event: event.at_s)
        next_s = events[0].at_s
        while int(next_s - now_s) <= SLOT_S and len(events) > 1:
            events[0].at_s = now_s + SLOT_S
            if events[1].at_s - now_s > SLOT_S:
                break
            next_s = events[1].at_s
            events[0].arriving.extend(events[1].arriving)
            events[0].ending.extend(events[1].ending)
            del events[1]
        return events[0].at_s

    def _at(self, at_s: float) -> Event | None:
        return next((event for event in self.events if event.at_s == at_s), None)

    def _new(self, at_s: float) -> Event:
        self.events.append(Event(at_s))
        return self.events[-1]
