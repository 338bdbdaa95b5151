"""A recipe at work: its stages asked in the order of the decision loop."""

from __future__ import annotations

from typing import TypeVar

from simulation.engine.draft import Draft
from simulation.engine.kernels.fill import kinds
from simulation.engine.kernels.rearrange import rearrange
from simulation.engine.plan import Plan, make_plan
from simulation.engine.policy import Compiled, Conduct, News
from simulation.engine.view import View
from simulation.records import Ints
from simulation.systems.recipe import Recipe

Stage = TypeVar("Stage")


def _filled(stage: Stage | None, family: str) -> Stage:
    if stage is None:
        raise ValueError(f"a training system needs {family}")
    return stage


class RecipePolicy:
    """One run of the training stages of a recipe. Raises ValueError where a stage is missing."""

    def __init__(self, recipe: Recipe, allow_compiled: bool = True) -> None:
        self._ordering = _filled(recipe.ordering, "ordering")
        self._walk = _filled(recipe.walk, "walk")
        self._placement = _filled(recipe.placement, "placement")
        self._preemption = _filled(recipe.preemption, "preemption")
        self._sizing = _filled(recipe.sizing, "sizing")
        self._tenancy = _filled(recipe.tenancy, "tenancy")
        if self._walk.opcode is None and self._preemption.possible:
            raise ValueError("a walk with reservations cannot be combined with preemption")
        self._allow_compiled = allow_compiled
        self.conduct = Conduct(self._preemption.possible, self._sizing.elastic)

    def begin(self, view: View) -> None:
        """Make the order and the working space of this run."""
        self._sequence = self._ordering.begin(view)
        self._filler = self._walk.begin(view)
        self._limit = self._tenancy.limit_gpus(view)
        self._plan = make_plan(view.cluster_gpus)
        self._failed = kinds(view.ledger)
        self._order = self._ordering.compiled(view)
        self._elastic = self._sizing.elastic and view.elastic

    def compiled(self) -> Compiled | None:
        """Every stage has a compiled form and nothing is resized: many decisions in one call."""
        walk, preempts = self._walk.opcode, self._preemption.constant
        if self._order is None or walk is None or preempts is None or self._elastic or not self._allow_compiled:
            return None
        return Compiled(self._order, preempts, walk, self._placement.rule, self._limit)

    def decide(self, view: View, news: News) -> Plan | None:
        """Order; walk and place, over everyone where jobs may be moved now, else over those that wait; then sizes."""
        self._sequence.refresh(view, news)
        plan = self._plan
        plan.clear()
        if view.waiting_count:
            self._place(view, plan)
        if not self._elastic:
            return plan
        draft = Draft(view.ledger)
        draft.include(plan)
        self._sizing.adjust(view, self._sequence, self._placement.rule, draft)
        return draft.plan()

    def _place(self, view: View, plan: Plan) -> None:
        rule = self._placement.rule
        if not self._preemption.now(view.now_s):
            self._filler.fill(view, self._sequence, rule, self._limit, self._failed, plan)
            return
        order = self._sequence.everyone(view)
        assert self._walk.opcode is not None  # checked at construction
        rearrange(view.ledger, order, len(order), self._walk.opcode, rule, self._limit, self._failed, plan)

    def wake_s(self, view: View) -> float:
        """The next change of the order by itself, or, if anyone waits for it, the next round."""
        sequence_s = self._sequence.wake_s(view)
        if not view.waiting_count:
            return sequence_s
        return min(sequence_s, self._preemption.wake_s(view.now_s))

    def last_first(self, view: View) -> Ints:
        """Running jobs, the one that a recipe would miss least first."""
        return self._sequence.running(view)[::-1]
