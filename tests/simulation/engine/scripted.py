"""A scheduler that does what it is told at the instants at which it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from simulation.engine.books import balance
from simulation.engine.draft import Draft
from simulation.engine.kernels.place import CONSOLIDATE_FIRST
from simulation.engine.loop import Loop
from simulation.engine.plan import Decision
from simulation.engine.policy import Compiled, Conduct, News
from simulation.engine.recording import records_of
from simulation.engine.sharing import ALONE, SharingLaw
from simulation.engine.view import View
from simulation.mechanisms.network.network import EqualShares, Network
from simulation.mechanisms.scaling import StaticReplicas
from simulation.records import Ints, RunRecords
from simulation.scenario import Scenario
from simulation.world.build import build_world

Action = Callable[[Draft], None]

EQUAL_SHARES = EqualShares()


class Scripted:
    """`script`: instant -> what is done to the draft then, in that order; nothing else ever happens."""

    def __init__(
        self, script: Mapping[float, Sequence[Action]], law: SharingLaw = ALONE, kills: bool = False,
        network: Network = EQUAL_SHARES,
    ) -> None:  # fmt: skip
        self._script, self._network = dict(sorted(script.items())), network
        self.regime = network.information
        self.conduct = Conduct(sharing=law, kills=kills, ports=network.law)

    def begin(self, view: View) -> None:
        self.seen: list[float] = []
        self._network.begin(view)

    def compiled(self) -> Compiled | None:
        return None

    def decide(self, view: View, news: News) -> Decision:
        self.seen.append(view.now_s)
        draft = Draft(view.ledger)
        for act in self._script.pop(view.now_s, ()):
            act(draft)
        return Decision(draft.plan(), draft.beside())

    def wake_s(self, view: View) -> float:
        return next((at_s for at_s in self._script if at_s > view.now_s), np.inf)

    def last_first(self, view: View) -> Ints:
        return view.running[::-1]


def start(job: int, gpus: int, rule: int = CONSOLIDATE_FIRST) -> Action:
    return lambda draft: _done(draft.start(job, gpus, rule))


def put(job: int, *pieces: tuple[int, int]) -> Action:
    return lambda draft: draft.put(job, pieces)


def join(job: int, host: int) -> Action:
    return lambda draft: draft.join(job, host)


def stop(job: int) -> Action:
    return lambda draft: draft.stop(job)


def grow(job: int, by: int) -> Action:
    return lambda draft: _done(draft.grow(job, by) == by)


def shrink(job: int, by: int) -> Action:
    return lambda draft: draft.shrink(job, by)


def clock(job: int, value: float) -> Action:
    return lambda draft: draft.set_clock(job, value)


def inputs(job: int, cores: float, memory: float) -> Action:
    return lambda draft: draft.set_inputs(job, cores, memory)


def power(node: int, on: bool) -> Action:
    return lambda draft: draft.power_on(node) if on else draft.power_off(node)


def _done(done: bool) -> None:
    assert done, "the script asks for GPUs that are not free"


def loop_of(scenario: Scenario, policy: Scripted) -> Loop:
    world = build_world(scenario, 0)
    horizon_s = np.inf if scenario.horizon_s is None else scenario.horizon_s
    tenants = len(world.jobs.tenants)
    return Loop(world, scenario.overheads, policy, policy.regime, np.ones(tenants), StaticReplicas(), horizon_s)


def play(
    scenario: Scenario,
    script: Mapping[float, Sequence[Action]],
    law: SharingLaw = ALONE,
    kills: bool = False,
    network: Network = EQUAL_SHARES,
) -> tuple[RunRecords, Loop]:
    """Run a script; the books are balanced. Records, and the loop for what it counted and refused."""
    loop = loop_of(scenario, Scripted(script, law, kills, network))
    loop.run()
    records = records_of(loop)
    balance(records, loop.world.nodes, len(loop.world.jobs))
    return records, loop
