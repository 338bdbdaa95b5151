"""How far a study is: runs by state, and how long the rest takes, as a range or "unsure"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from planner.studies.models import Run, Study
from planner.studies.pace import by_system, paces, slots_alive, takes_s

OPEN = (Run.State.QUEUED, Run.State.RUNNING)


@dataclass(frozen=True, slots=True)
class Progress:
    states: Mapping[str, int]  # runs by state
    total: int
    fraction: float  # 0..1, with the parts of running runs
    left_s: tuple[float, float] | None  # None: unsure
    words: str  # "180 of 240 runs", "180 of 240 runs, 4 failed", "240 runs"

    @property
    def done(self) -> int:
        return self.states.get(Run.State.DONE, 0)

    @property
    def finished(self) -> bool:
        """Nothing is queued or running any more."""
        return not any(self.states.get(state) for state in OPEN)


def progress_of(study: Study) -> Progress:
    """Progress of a study. The rest is estimated from its own finished runs, as if no other study were waiting."""
    runs = Run.objects.filter(scenario__study=study)
    rows = list(runs.values_list("state", "progress", "scenario__spec__training__system"))
    states = Counter(state for state, _, _ in rows)
    done = sum(1.0 if state in Run.FINAL else progress for state, progress, _ in rows)
    left = by_system((system, 1.0 - progress) for state, progress, system in rows if state in OPEN)
    return Progress(
        states=dict(states),
        total=len(rows),
        fraction=done / len(rows) if rows else 0.0,
        left_s=takes_s(left, paces(runs), slots_alive()) if left else (0.0, 0.0),
        words=_words(states, len(rows)),
    )


def _words(states: Mapping[str, int], total: int) -> str:
    done = states.get(Run.State.DONE, 0)
    first = f"{total:,} runs" if done == total else f"{done:,} of {total:,} runs"
    others = [f"{states[s]:,} {s.label.lower()}" for s in (Run.State.FAILED, Run.State.CANCELLED) if states.get(s)]
    return ", ".join([first, *others])
