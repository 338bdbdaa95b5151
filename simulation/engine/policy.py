"""What the loop asks of a policy. Recipes implement it; so do the tiny schedulers of the tests."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from simulation.engine.kernels.order import Order
from simulation.engine.plan import Decision, Plan
from simulation.engine.ports import EQUAL
from simulation.engine.sharing import ALONE, SharingLaw
from simulation.engine.view import View
from simulation.records import Floats, Ints


class News(NamedTuple):
    """Since the last decision: jobs that have begun to wait (arrived, or preempted), and jobs that have finished."""

    waiting: Ints
    finished: Ints


class Compiled(NamedTuple):
    """The compiled form of a recipe: an order, whether it always or never preempts, opcodes, a limit per tenant."""

    order: Order
    preempts: bool
    walk: int
    rule: int
    limit: Floats  # (tenants,) GPUs


class Conduct(NamedTuple):
    """How the engine is to carry out what a policy wants, through a whole run."""

    reclaim_by_preemption: bool = False  # whether a service may take GPUs of preemptible jobs
    reclaim_by_shrinking: bool = False  # whether it may shrink elastic ones
    sharing: SharingLaw = ALONE  # how jobs that share GPUs slow each other down
    kills: bool = False  # whether a preempted job is killed, and loses what it has not saved
    ports: int = EQUAL  # how jobs share network ports (see engine.ports)


class Policy(Protocol):
    """A training policy. One object serves one run."""

    conduct: Conduct

    def begin(self, view: View) -> None:
        """Once, before the first event."""

    def compiled(self) -> Compiled | None:
        """The compiled form, or None: then `decide` is asked at every instant."""

    def decide(self, view: View, news: News) -> Plan | Decision | None:
        """A plan, or None to leave everything as it is. The engine refuses a plan that does not fit as a whole."""

    def wake_s(self, view: View) -> float:
        """When to be asked again if nothing happens before; inf: not needed. Asked after each decision."""

    def last_first(self, view: View) -> Ints:
        """Running jobs, the least important first: the order in which a service takes GPUs back."""
