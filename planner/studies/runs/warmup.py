"""Compiles the engine's kernels once, before a worker's processes fork and inherit them."""

from __future__ import annotations

import logging

log = logging.getLogger(__name__)


def engine_warm() -> None:
    """Simulate a scenario of three jobs and a service under every system, so that no later run compiles anything."""
    try:
        from simulation.run import simulate
    except ImportError:
        return
    from simulation.scenario import Choice, Scenario
    from simulation.systems.registry import SYSTEMS

    scenario = Scenario.model_validate(_TINY)
    for slug in SYSTEMS:
        simulate(scenario.model_copy(update={"training": Choice(system=slug)}))


_TINY = {
    "cluster": {"pools": [{"name": "a", "gpu_model": "V100", "nodes": 1, "gpus_per_node": 4}]},
    "workload": {"jobs": {"id": ["1", "2"], "submit_s": [0, 5], "duration_s": [20, 10], "gpus": [2, 4]}},
}
