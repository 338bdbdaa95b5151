"""Programs: sizing members that plan the whole assignment, who runs, where and with how many GPUs."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from simulation.engine.draft import Draft
from simulation.engine.policy import News
from simulation.engine.view import View


class Target(NamedTuple):
    """What a job is to hold: `gpus` of `domain` (-1: any), or just these pieces, or all that `host` holds."""

    job: int
    gpus: int
    domain: int = -1
    pieces: tuple[tuple[int, int], ...] | None = None  # (node, GPUs)
    host: int = -1
    clock: float = 1.0


class Program(Protocol):
    """A program at work in one run."""

    def refresh(self, view: View, news: News) -> None:
        """Take in what has happened; call once a decision, first."""

    def targets(self, view: View, draft: Draft) -> list[Target] | None:
        """Who is to run, in the order of placing; running jobs that are not named are preempted. None: no change.

        Jobs that are never to run are refused in the draft.
        """

    def wake_s(self, view: View) -> float:
        """When it wants to be asked again if nothing happens before; inf: not needed."""
