"""Compiles the engine's kernels once, before a worker's processes fork and inherit them."""

from __future__ import annotations

import logging
import time
from typing import Any

log = logging.getLogger(__name__)


def engine_warm() -> None:
    """Simulate two jobs and a service under every system, so that no later run compiles anything.

    What is compiled is also kept on disk, so only the first start of an installation takes long. A failure here is
    logged and no more: the same kernels are compiled, or fail with a reason, in the run that needs them.
    """
    from simulation.run import simulate  # the engine is loaded by workers only, not by web pages
    from simulation.scenario import Choice, Scenario
    from simulation.systems.registry import SYSTEMS

    began = time.monotonic()
    scenario = Scenario.model_validate(TINY)
    try:
        for slug, system in SYSTEMS.items():
            part = "training" if system.workload == "training" else "serving"
            simulate(scenario.model_copy(update={part: Choice(system=slug)}))
    except Exception:
        log.exception("the engine could not be warmed")
    log.info("engine warm after %.1f s", time.monotonic() - began)


TINY: dict[str, Any] = {
    "cluster": {"pools": [{"name": "a", "gpu_model": "V100", "nodes": 2, "gpus_per_node": 4}]},
    "workload": {
        "jobs": {"id": ["1", "2"], "submit_s": [0, 5], "duration_s": [20, 10], "gpus": [2, 4]},
        "services": [
            {
                "name": "s",
                "alpha_s": 0.1,
                "beta_s": 0.02,
                "batch_max": 4,
                "slo_s": 1.0,
                "requests": {"phases": [{"start_s": 0, "rate_per_s": 5}], "end_s": 20},
            }
        ],
    },
}
