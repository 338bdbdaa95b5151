"""The queue page in words."""

from __future__ import annotations

from dataclasses import dataclass

from planner.accounts.models import Workspace
from planner.studies.models import Run
from planner.studies.runs.selectors import QueueState, queue_state
from planner.studies.waiting import Ended, Place, ended_lately, places, rest_of
from planner.web.numbers import span_range

SHORT = {"open": 20, "ended": 8}  # rows of each table; the others are counted
WHOLE = {"open": 200, "ended": 200}


@dataclass(frozen=True, slots=True)
class QueueRow:
    run: Run
    place: int
    state: str
    mark: str  # class of the state word
    left: str


@dataclass(frozen=True, slots=True)
class QueuePage:
    state: QueueState
    title: str
    rows: list[QueueRow]
    hidden: int  # open runs beyond those listed
    ended_hidden: int
    whole: bool  # as long as it gets: what is hidden then is too much for a page
    left: str
    ended: Ended
    ended_words: str


def queue_page(workspace: Workspace, *, whole: bool = False) -> QueuePage:
    most = WHOLE if whole else SHORT
    state = queue_state(workspace)
    stood = list(places(state.rows[: most["open"]]))
    ended = ended_lately(workspace, most["ended"])
    return QueuePage(
        state=state,
        title=_title(state),
        rows=[_row(place) for place in stood],
        hidden=state.running + state.waiting - len(stood),
        ended_hidden=sum(ended.counts.values()) - len(ended.rows),
        whole=whole,
        left=_range(rest_of(workspace)) if stood else "",
        ended=ended,
        ended_words=", ".join(f"{ended.counts[s]:,} {s}" for s in Run.FINAL if ended.counts.get(s)) or "none",
    )


def _title(state: QueueState) -> str:
    if not state.running and not state.waiting:
        return "Nothing waits, nothing runs"
    return f"{state.running:,} run{'' if state.running == 1 else 's'} under way, {state.waiting:,} waiting"


def _row(place: Place) -> QueueRow:
    run = place.run
    word, mark = ("running", "on") if run.state == Run.State.RUNNING else ("waiting", "")
    if run.cancel_requested:
        word, mark = "stopping", "ask"
    elif run.state == Run.State.QUEUED and run.attempt:
        word, mark = "recovering", "ask"
    return QueueRow(run, place.place, word, mark, _range(place.done_in_s))


def _range(seconds: tuple[float, float] | None) -> str:
    return span_range(*seconds) if seconds else "unsure"
