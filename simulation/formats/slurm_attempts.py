"""Rows of one job id: repeated lines, attempts of a requeued job, or other jobs after the counter was reset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.interview import Interview
from simulation.formats.job_totals import SECONDS_PER_HOUR
from simulation.formats.reading import Question

REQUEUED = ("REQUEUED", "PREEMPTED", "NODE_FAIL", "BOOT_FAIL")


@dataclass
class Attempt:
    """One job line: `key` is the raw job id, `row` its row of the jobs table."""

    key: str
    cluster: str
    row: dict[str, Any]
    oddities: list[CellError]
    raw: str

    @property
    def gpu_hours(self) -> float:
        return (self.row["gpu_s"] or 0.0) / SECONDS_PER_HOUR


@dataclass(frozen=True, slots=True)
class Joined:
    """One attempt a job left; `folded` lines went into others, `duplicates` of them repeated a line to the letter."""

    attempts: list[Attempt]
    folded: int
    duplicates: int
    duplicate_gpu_hours: float


def joined_attempts(attempts: list[Attempt], interview: Interview) -> Joined:
    """Fold repeated lines; where rows look like attempts of one job, ask; keep reused ids apart."""
    groups: dict[tuple[str, str], list[Attempt]] = {}
    seen: set[str] = set()
    duplicates, repeated_gpu_hours = 0, 0.0
    for attempt in attempts:
        if attempt.raw in seen:
            duplicates += 1
            repeated_gpu_hours += attempt.gpu_hours
            continue
        seen.add(attempt.raw)
        groups.setdefault((attempt.cluster, attempt.key), []).append(attempt)
    runs = [run for group in groups.values() for run in _runs(group)]
    merge = _merged(interview, sum(len(run) > 1 for run in runs))
    kept = [_merge(run) for run in runs] if merge else [attempt for run in runs for attempt in run]
    _make_ids_unique(kept)
    kept.sort(key=lambda attempt: attempt.row["line"])
    return Joined(kept, len(attempts) - len(kept), duplicates, repeated_gpu_hours)


def _runs(group: list[Attempt]) -> list[list[Attempt]]:
    """Split the rows of one id where a new job begins: another submission, and the row before was not requeued."""
    if len(group) == 1:
        return [group]
    group = sorted(group, key=lambda a: (a.row["submit_s"] or 0.0, a.row["start_s"] or float("inf"), a.raw))
    runs = [[group[0]]]
    for attempt in group[1:]:
        before = runs[-1][-1]
        same = attempt.row["submit_s"] == before.row["submit_s"]
        if same or (before.row["state"] or "").upper().startswith(REQUEUED):
            runs[-1].append(attempt)
        else:
            runs.append([attempt])
    return runs


def _merged(interview: Interview, repeated: int) -> bool:
    if not repeated:
        return False
    answer = interview.ask(
        Question(
            "requeues",
            f"{repeated} job ids have several rows (requeued jobs): what are they?",
            "choice",
            (
                ("attempts", "attempts of one job: first submission, last end, run times added"),
                ("separate", "jobs of their own"),
            ),
            None,
            "joined, a job's waiting and lost work are seen as one; apart, each attempt is replayed as a new job",
        )
    )
    return answer != "separate"


def _merge(run: list[Attempt]) -> Attempt:
    if len(run) == 1:
        return run[0]
    first, last = run[0], run[-1]
    started = [attempt for attempt in run if attempt.row["attempts"]]
    spans = tuple(span for attempt in started for span in attempt.row["attempts_s"])
    device_seconds = [attempt.row["gpu_s"] for attempt in run]
    row = {
        **last.row,
        "line": first.row["line"],
        "submit_s": first.row["submit_s"],
        "eligible_s": first.row["eligible_s"],
        "start_s": next((a.row["start_s"] for a in started if a.row["start_s"] is not None), None),
        "elapsed_s": sum(spans) if len(spans) == len(started) and spans else None,
        "gpu_s": None if None in device_seconds else sum(device_seconds),
        "attempts": len(started),
        "attempts_s": spans,
    }
    return Attempt(first.key, first.cluster, row, [oddity for a in run for oddity in a.oddities], first.raw)


def _make_ids_unique(attempts: list[Attempt]) -> None:
    """Reused ids get their place in time appended: 123, 123#2, 123#3."""
    uses: dict[str, int] = {}
    for attempt in sorted(attempts, key=lambda a: (a.row["submit_s"] or 0.0, a.row["start_s"] or 0.0, a.raw)):
        name = attempt.row["id"]
        uses[name] = uses.get(name, 0) + 1
        if uses[name] > 1:
            attempt.row["id"] = f"{name}#{uses[name]}"
