"""Utilisation autoscaler."""

from __future__ import annotations

from simulation.generators.experiments import rising_traffic
from simulation.mechanisms.scaling import UtilisationAutoscaler
from simulation.metrics.measures import SLO_ATTAINMENT
from simulation.systems.recipe import Recipe
from simulation.systems.signature import Effect, Signature
from simulation.systems.system import System

SYSTEM = System(
    slug="utilisation-autoscaler",
    name="Utilisation autoscaler",
    title="Reactive scaling to a target utilisation",
    workload="inference",
    objectives=("latency", "cost"),
    resources=("homogeneous", "elastic"),
    description=(
        "At a fixed interval each service gets as many replicas as bring its utilisation, measured by the arrival rate "
        "of the last window, to a target. Growing is immediate, and takes GPUs back from training where that may be "
        "shrunk or preempted; shrinking waits for a cool-down."
    ),
    sources=("Kubernetes documentation, Horizontal Pod Autoscaling",),
    recipe=Recipe(scaling=UtilisationAutoscaler()),
    signature=Signature(
        title="Requests are in time although traffic grows fourfold",
        workload="one service on 8 GPUs, sized for 5 requests/s, 20 requests/s for 20 minutes",
        source="Kubernetes documentation, Horizontal Pod Autoscaling",
        experiment=rising_traffic,
        baseline="static-replicas",
        effect=Effect(SLO_ATTAINMENT, "higher", relative=False),
        deciding="scaling",
    ),
)
