"""How far a study is: runs by state, and how long the rest takes, as a range or "unsure"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Sum

from planner.studies.models import Run, Study
from planner.studies.pace import OPEN, paces, slots_alive, takes_s, work_left


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
    by_state = runs.order_by().values_list("state").annotate(Count("pk"), Sum("progress"))
    rows = {state: (count, parts) for state, count, parts in by_state}
    total = sum(count for count, _ in rows.values())
    ended = sum(count if state in Run.FINAL else parts for state, (count, parts) in rows.items())
    left = work_left(runs)
    states = {state: count for state, (count, _) in rows.items()}
    return Progress(
        states=states,
        total=total,
        fraction=ended / total if total else 0.0,
        left_s=takes_s(left, paces(runs), slots_alive()) if left else (0.0, 0.0),
        words=_words(states, total),
    )


def _words(states: Mapping[str, int], total: int) -> str:
    done = states.get(Run.State.DONE, 0)
    first = f"{total:,} runs" if done == total else f"{done:,} of {total:,} runs"
    others = [f"{states[s]:,} {s.label.lower()}" for s in (Run.State.FAILED, Run.State.CANCELLED) if states.get(s)]
    return ", ".join([first, *others])
