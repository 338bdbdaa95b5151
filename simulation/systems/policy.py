"""A recipe at work: its stages asked in the order of the decision loop."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.kernels.place import LEAST_CROWDED
from simulation.engine.kernels.rearrange import rearrange
from simulation.engine.kernels.walk import make_working_copy
from simulation.engine.plan import Decision, Plan, make_plan
from simulation.engine.policy import Compiled, Conduct, News, Policy
from simulation.engine.ports import EQUAL
from simulation.engine.sharing import ALONE, SharingLaw
from simulation.engine.view import View
from simulation.mechanisms.adjusting import Adjuster, Adjusting
from simulation.mechanisms.realise import realise
from simulation.mechanisms.sequence import Sequence
from simulation.records import Ints
from simulation.systems.recipe import Recipe

Stage = TypeVar("Stage")


def policy_of(recipe: Recipe, seed: int = 0, allow_compiled: bool = True) -> Policy:
    """One run of the training stages of a recipe. Raises ValueError where a stage is missing.

    seed: of the draws that a recipe makes itself; jobs, requests and failures have streams of their own.
    """
    if _filled(recipe.sizing, "sizing").plans:
        return ProgramPolicy(recipe, np.random.default_rng(np.random.SeedSequence(seed).spawn(4)[3]))
    return RecipePolicy(recipe, allow_compiled)


def _filled(stage: Stage | None, family: str) -> Stage:
    if stage is None:
        raise ValueError(f"a training system needs {family}")
    return stage


def _laws(recipe: Recipe) -> tuple[SharingLaw, int]:
    """How jobs share GPUs, and network ports."""
    sharing = recipe.sharing.law if recipe.sharing else ALONE
    return sharing, recipe.network.law if recipe.network else EQUAL


class Adjustments:
    """What a recipe does to a plan once it is known who runs."""

    def __init__(self, recipe: Recipe, view: View) -> None:
        begun = (stage.begin(view) for stage in recipe.stages.values() if isinstance(stage, Adjusting))
        self._adjusters: list[Adjuster] = [adjuster for adjuster in begun if adjuster is not None]

    def __bool__(self) -> bool:
        return bool(self._adjusters)

    def refresh(self, view: View, news: News) -> None:
        for adjuster in self._adjusters:
            adjuster.refresh(view, news)

    def adjust(self, view: View, sequence: Sequence | None, draft: Draft) -> None:
        for adjuster in self._adjusters:
            adjuster.adjust(view, sequence, draft)

    def wake_s(self, view: View) -> float:
        return min((adjuster.wake_s(view) for adjuster in self._adjusters), default=np.inf)


class RecipePolicy:
    """Ordering, walk, placement and preemption decide who runs. Raises ValueError where a stage is missing."""

    def __init__(self, recipe: Recipe, allow_compiled: bool = True) -> None:
        self._recipe = recipe
        self._ordering = _filled(recipe.ordering, "ordering")
        self._walk = _filled(recipe.walk, "walk")
        self._placement = _filled(recipe.placement, "placement")
        self._preemption = _filled(recipe.preemption, "preemption")
        self._sizing = _filled(recipe.sizing, "sizing")
        self._tenancy = _filled(recipe.tenancy, "tenancy")
        if self._walk.opcode is None and self._preemption.possible:
            raise ValueError("a walk with reservations cannot be combined with preemption")
        self._allow_compiled = allow_compiled
        sharing, ports = _laws(recipe)
        kills = self._preemption.kills
        self.conduct = Conduct(self._preemption.possible, self._sizing.elastic, sharing, kills, ports)

    def begin(self, view: View) -> None:
        """Make the order and the working space of this run."""
        self._sequence = self._ordering.begin(view)
        self._filler = self._walk.begin(view)
        self._limit = self._tenancy.limit_gpus(view)
        self._rule = self._placement.begin(view)
        if self._recipe.network:
            self._recipe.network.begin(view)
        self._plan = make_plan(view.cluster_gpus)
        self._room = make_working_copy(view.ledger, len(view.submit_s), view.tenants)
        self._order = self._ordering.compiled(view)
        self._elastic = self._sizing.elastic and view.elastic
        self._adjustments = Adjustments(self._recipe, view)
        stages = (self._tenancy, self._placement, self._recipe.sharing)
        placers = (stage.placer(view) for stage in stages if stage is not None)
        self._placer = next((placer for placer in placers if placer is not None), None)
        self._drafts = self._elastic or self._placer is not None or bool(self._adjustments)

    def compiled(self) -> Compiled | None:
        """Every stage has a compiled form and nothing is resized or adjusted: many decisions in one call."""
        walk, preempts = self._walk.opcode, self._preemption.constant
        if self._order is None or walk is None or preempts is None or not self._allow_compiled:
            return None
        if self._drafts or self._rule == LEAST_CROWDED:  # of starts at one instant, the later would see the earlier
            return None
        return Compiled(self._order, preempts, walk, self._rule, self._limit)

    def decide(self, view: View, news: News) -> Plan | Decision | None:
        """Order; walk and place, over everyone where jobs may be moved now, else over those that wait; then adjust.

        A placer takes the place of the walk.
        """
        self._sequence.refresh(view, news)
        plan = self._plan
        plan.clear()
        if view.waiting_count and self._placer is None:
            self._place(view, plan)
        if not self._drafts:
            return plan
        self._adjustments.refresh(view, news)
        draft = Draft(view.ledger)
        draft.include(plan)
        if self._placer is not None:
            self._placer.refresh(view, news)
            self._placer.place(view, self._sequence, self._rule, self._limit, draft)
        if self._elastic:
            self._sizing.adjust(view, self._sequence, self._rule, draft)
        self._adjustments.adjust(view, self._sequence, draft)
        return Decision(draft.plan(), draft.beside())

    def _place(self, view: View, plan: Plan) -> None:
        rule = self._rule
        if not self._preemption.now(view.now_s):
            self._filler.fill(view, self._sequence, rule, self._limit, self._room, plan)
            return
        order = self._sequence.everyone(view)
        assert self._walk.opcode is not None  # checked at construction
        rearrange(view.ledger, order, len(order), self._walk.opcode, rule, self._limit, self._room, plan)

    def wake_s(self, view: View) -> float:
        """The next change of the order by itself or of what is adjusted, or, if anyone waits for it, the next round."""
        changes_s = min(self._sequence.wake_s(view), self._adjustments.wake_s(view))
        if self._placer is not None:
            changes_s = min(changes_s, self._placer.wake_s(view))
        if not view.waiting_count:
            return changes_s
        return min(changes_s, self._preemption.wake_s(view.now_s))

    def last_first(self, view: View) -> Ints:
        """Running jobs, the one that a recipe would miss least first."""
        return self._sequence.running(view)[::-1]


class ProgramPolicy:
    """A program decides who runs, where and with how many GPUs; the placement rule puts it into effect."""

    def __init__(self, recipe: Recipe, rng: np.random.Generator) -> None:
        self._recipe, self._rng = recipe, rng
        self._placement = _filled(recipe.placement, "placement")
        self._sizing = _filled(recipe.sizing, "sizing")
        kills = recipe.preemption.kills if recipe.preemption else False
        sharing, ports = _laws(recipe)
        self.conduct = Conduct(True, False, sharing, kills, ports)

    def begin(self, view: View) -> None:
        self._program = self._sizing.program(view, self._rng)
        self._rule = self._placement.begin(view)
        if self._recipe.network:
            self._recipe.network.begin(view)
        self._adjustments = Adjustments(self._recipe, view)

    def compiled(self) -> Compiled | None:
        return None

    def decide(self, view: View, news: News) -> Decision:
        """Refresh, plan, realise, adjust."""
        self._program.refresh(view, news)
        self._adjustments.refresh(view, news)
        draft = Draft(view.ledger)
        targets = self._program.targets(view, draft)
        if targets is not None:
            realise(view, targets, self._rule, draft, self._sizing.migrates)
        self._adjustments.adjust(view, None, draft)
        return Decision(draft.plan(), draft.beside())

    def wake_s(self, view: View) -> float:
        return min(self._program.wake_s(view), self._adjustments.wake_s(view))

    def last_first(self, view: View) -> Ints:
        """The latest starts first."""
        running = view.running
        return running[np.lexsort((running, -view.began_s(running)))]
