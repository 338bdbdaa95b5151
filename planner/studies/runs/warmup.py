"""Compiles the engine's kernels once, before a worker's processes fork and inherit them."""

from __future__ import annotations

import logging
import time
from typing import Any

from planner.studies.runs.kernels import old_kernels_remove

log = logging.getLogger(__name__)


def engine_warm() -> None:
    """Simulate jobs of every kind and a service under every system, so that no later run compiles anything.

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
    else:
        old_kernels_remove()
    log.info("engine warm after %.1f s", time.monotonic() - began)


TINY: dict[str, Any] = {
    "cluster": {
        "pools": [
            {"name": "a", "gpu_model": "V100", "nodes": 2, "gpus_per_node": 4, "links": {"network_gb_s": 1.0}},
            {"name": "b", "gpu_model": "A100", "nodes": 1, "gpus_per_node": 2},
        ],
        "changes": [
            {"at_s": 8.0, "pool": "a", "nodes": 1, "up": False},
            {"at_s": 12.0, "pool": "a", "nodes": 1, "up": True},
        ],
    },
    "workload": {
        "jobs": {
            "id": ["1", "2", "3", "4", "5", "6"],
            "submit_s": [0, 0, 1, 2, 5, 5],
            "duration_s": [20, 10, 30, 10, 20, 20],
            "gpus": [2, 4, 4, 2, 4, 4],
            "gpus_min": [2, 4, 1, 2, 4, 4],
            "gpus_max": [2, 4, 8, 2, 4, 4],
            "gpu_models": [["V100"]] * 6,
            "deadline_s": [None, 500.0, None, None, None, 900.0],
            "profile": [None, None, "adapts", "reduces", "reduces", "reduces"],
        },
        "profiles": [
            {
                "name": "adapts",
                "goodput": {
                    "alpha_c_s": 0.1, "beta_c_s": 0.01, "batch": 32, "batch_max": 64, "batch_gpu_max": 32,
                    "noise": [{"progress": 0, "phi": 1}, {"progress": 0.5, "phi": 4}],
                },
            },
            {
                "name": "reduces",
                "iteration": {"compute_s": 0.5, "gradient_bytes": 1e8},
                "utilisation": 0.4,
                "stages_s": [0.1, 0.1, 0.2, 0.1],
                "inputs": [{"cores": 1, "factor": 0.5}, {"cores": 3, "factor": 1.0}],
            },
        ],
        "services": [
            {
                "name": "s",
                "gpu_models": ["A100"],
                "alpha_s": 0.1,
                "beta_s": 0.02,
                "batch_max": 4,
                "slo_s": 1.0,
                "requests": {"phases": [{"start_s": 0, "rate_per_s": 5}], "end_s": 20},
            }
        ],
    },
    "overheads": {"checkpoint_interval_s": 5.0},
}  # fmt: skip
