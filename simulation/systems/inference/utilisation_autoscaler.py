"""Utilisation autoscaler."""

from __future__ import annotations

from simulation.mechanisms.scaling import UtilisationAutoscaler
from simulation.systems.recipe import Recipe
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
)
