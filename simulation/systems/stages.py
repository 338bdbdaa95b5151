"""The eight stages of the decision loop, and which of them a recipe fills with something of its own."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from simulation.engine.view import Regime
from simulation.mechanisms.parameters import Mechanism
from simulation.systems.recipe import Recipe

STAGES: dict[str, str] = {
    "observe": "The state of the cluster, of jobs and of services.",
    "propose": "No action of its own.",
    "predict": "Nothing is predicted.",
    "reject": "The engine’s own: what the hardware cannot hold.",
    "solve": "Nothing to choose.",
    "stabilise": "Nothing holds a decision back.",
    "apply": "The engine’s own: all of a plan or nothing.",
    "account": "The engine’s own: service received, GPUs held, cost, energy.",
}
"""Stage -> what happens there when the recipe fills it with nothing."""

FAMILIES: dict[str, str] = {
    "sizing": "propose",
    "preemption": "propose",
    "placement": "reject",
    "tenancy": "reject",
    "ordering": "solve",
    "walk": "solve",
    "scaling": "solve",
    "sharing": "propose",
    "network": "solve",
    "inputs": "solve",
    "power": "solve",
}
"""Family of mechanisms -> the stage that its members fill."""

ALSO: dict[tuple[str, str], dict[str, str]] = {
    ("ordering", "attained-service"): {
        "stabilise": "The order changes only where a job crosses a queue’s threshold, so preemptions stay few.",
        "account": "GPU-time that each job has held since its last promotion.",
    },
    ("ordering", "predicted-service"): {
        "predict": "Run time, as the mean of finished jobs of the same user, name and gang, else of ever wider groups.",
        "account": "What each job took that has finished.",
    },
    ("sizing", "allocation-program"): {
        "solve": "A program for the shares; then, in each round, who is furthest behind its share.",
        "stabilise": "A job that is served again keeps its GPUs; shares are renewed only so often.",
        "account": "Time received on each GPU model since the last renewal, and what was owed before it.",
    },
    ("sizing", "lease-auction"): {
        "predict": "The time to the end with each subset of GPUs, and on an equal part of the cluster.",
        "solve": "An auction among the worst-off, with a payment in GPUs; then what is left, at random.",
        "stabilise": "Nobody loses GPUs before the lease ends; who wins its own again keeps them.",
    },
    ("sizing", "matching"): {
        "predict": "Run time left on each GPU model.",
        "solve": "A matching of jobs to slots and to positions in their queues, of least sum of completion times.",
        "stabilise": "Whoever runs stays.",
    },
    ("ordering", "finish-time-ratio"): {
        "predict": "The time to the end as things are, and on an equal part of the cluster.",
    },
    ("sizing", "goodput-search"): {
        "predict": "Goodput with each number of GPUs, at the best batch for it and the noise of the moment.",
        "solve": "A local search for the matrix of jobs and nodes.",
        "stabilise": "A change counts as a restart: the more of them a job has behind it, the less it is moved.",
    },
    ("sizing", "deadline-share"): {
        "reject": "Jobs whose deadline no plan can keep.",
        "solve": "Progressive filling, deadline by deadline; then the next step that wastes least GPU-time.",
        "stabilise": "The last plan stands where a new one would break a promise.",
    },
    ("sizing", "multi-round-plan"): {
        "predict": "The time left of each job, by the phases of its training that it has shown; a fair end for it.",
        "solve": "An integer program for who runs in which of the next rounds; idle GPUs to who has most time left.",
        "stabilise": "A plan is followed for some rounds, or until a job comes or ends; who goes on keeps its GPUs.",
    },
    ("sizing", "lease-plan"): {
        "solve": "The latest leases that fit, and an integer program where those do not.",
        "stabilise": "Nobody loses GPUs before the lease ends; run times are planned with a margin.",
    },
    ("sizing", "energy-budget"): {
        "predict": "Time and energy to the end with each number of GPUs and each clock.",
        "solve": "Upgrades, the one that gains most for its energy first, until the budget is used up.",
        "stabilise": "No more GPUs for a job that would gain less than a resize takes.",
    },
    ("tenancy", "tickets"): {
        "solve": "Trades of shares between tenants; then, turn by turn, who has had least for its tickets.",
        "stabilise": "Nobody loses GPUs before the turn ends; who has the next one too keeps them.",
        "account": "GPU-time of each tenant on each GPU model, over its tickets there, and of each job.",
    },
    ("power", "switch-idle-nodes"): {
        "predict": "Busy nodes, as they were at the same time of day on the days before.",
        "stabilise": "No node goes off soon after a rise, nor unless past and forecast both fall.",
    },
    ("placement", "relax-after-waiting"): {
        "stabilise": "A failed attempt is followed by a pause.",
        "account": "Failed attempts of each job that waits, and why it does.",
    },
    ("placement", "cheapest-work"): {
        "predict": "What the rest of a job’s work costs on each pool at the present price.",
        "stabilise": "One look a period, and no move that does not pay for itself.",
    },
    ("sharing", "pair-packing"): {
        "predict": "Disturbance from what a first short run has shown; size from finished jobs; arrivals to come.",
        "stabilise": "No pairs while few jobs are expected, and none with a job that is about to end.",
    },
    ("sharing", "stage-interleaving"): {
        "predict": "Time of an iteration of every group, from stages measured alone.",
        "stabilise": "Groups stay for a period; in between jobs only start on what is free.",
    },
    ("network", "intensity-first"): {
        "predict": "How much a job computes for each second that it would wait for the network.",
    },
    ("network", "phase-shifts"): {
        "predict": "When each job communicates in its iterations, from runs alone.",
        "stabilise": "A job is shifted once; those who are there stay as they are.",
    },
    ("inputs", "tuned"): {"stabilise": "Jobs that could use more are given it once a round."},
    ("preemption", "rounds"): {"stabilise": "Nobody loses GPUs before the lease ends."},
    ("scaling", "utilisation"): {"stabilise": "No shrinking before the cool-down has passed."},
}
"""(Family, member) -> further stages that the member fills, and how."""

SEES: dict[Regime, str] = {
    Regime.BLIND: "nothing of the future",
    Regime.HISTORY: "jobs that have finished",
    Regime.ESTIMATE: "the user’s own estimates",
    Regime.PROFILE: "the speed of a job on each GPU model",
    Regime.ORACLE: "true durations, which nobody has: an oracle",
}
"""What each information regime lets a recipe know beyond the present."""


@dataclass(frozen=True)
class Part:
    """A mechanism at work in a stage. `idle`: its member does nothing ("none"), and says so.

    `name` is that of its class, empty where the mechanism stands in an earlier stage already.
    """

    family: str
    name: str
    sentence: str
    idle: bool = False


@dataclass(frozen=True)
class Stage:
    """One of the eight. `default`: what happens without the recipe."""

    name: str
    default: str
    parts: tuple[Part, ...]

    @property
    def filled(self) -> bool:
        return any(not part.idle for part in self.parts)


def loop_of(recipe: Recipe) -> list[Stage]:
    """The eight stages in the order of the loop. Observing is always the recipe's: it names what it must know."""
    found: dict[str, list[Part]] = {name: [] for name in STAGES}
    regime = recipe.information
    found["observe"].append(Part("information", regime.name.lower(), f"It knows {SEES[regime]}."))
    for family, member in recipe.stages.items():
        for stage, part in _parts(family, member):
            found[stage].append(part)
    return [Stage(name, default, tuple(found[name])) for name, default in STAGES.items()]


def _parts(family: str, mechanism: Mechanism) -> list[tuple[str, Part]]:
    kind, member = type(mechanism), str(vars(type(mechanism))["member"])
    sentence = (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
    own = Part(family, kind.__name__, sentence, idle=member == "none")
    more = [(stage, Part(family, "", words)) for stage, words in ALSO.get((family, member), {}).items()]
    return [(FAMILIES[family], own), *more]
