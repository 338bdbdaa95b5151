"""Studies with hand-made results, so that every number of a comparison can be checked by hand."""

from __future__ import annotations

import pytest

from planner.studies.models import Result, Run, Scenario, Study
from simulation.metrics.definitions import METRICS

SPEC = {
    "cluster": None, "prices": None, "workload": None, "slos": None,
    "training": {"system": "fcfs-quota", "parameters": {}}, "serving": {"system": "static-replicas", "parameters": {}},
    "overheads": {}, "quotas": {}, "sampling": {"mode": "resampled", "demand_factor": 1.0},
    "horizon_s": None, "pool_changes": {},
}  # fmt: skip


def reported(name, value, *, origin="simulated", note=None):
    return {"value": value, "unit": METRICS[name].unit, "n": 100, "origin": origin,
            "inputs": list(METRICS[name].inputs), "note": note}  # fmt: skip


class Bench:
    """A study under construction: scenarios by label, one result a seed."""

    def __init__(self, workspace, slos=()):
        self.study = Study.objects.create(
            workspace=workspace, question="Which?", base=dict(SPEC), axes={"seeds": 3}, slos=list(slos)
        )

    def scenario(self, label, *, family="f", regime="blind", **values):
        """`values`: metric -> list of values, one a seed (or ready entries of the result document)."""
        position = self.study.scenarios.count()
        row = Scenario.objects.create(
            study=self.study, position=position, label=label, spec=dict(SPEC), digest=f"digest of {label}",
            changes=[{"path": "training", "old": "a", "new": label, "unit": ""}] if position else [], family=family,
            regime=regime,
        )  # fmt: skip
        seeds = max((len(v) for v in values.values()), default=0)
        for seed in range(seeds):
            self.result(row, seed, {name: given[seed] for name, given in values.items() if seed < len(given)})
        return row

    def result(self, scenario, seed, values, *, engine="0.1.0"):
        metrics = {n: v if isinstance(v, dict) else reported(n, v) for n, v in values.items()}
        result = Result.objects.create(
            scenario_digest=scenario.digest, seed=seed, engine_version=engine, document={"metrics": metrics},
            metrics=metrics, sha256="0" * 64, compute_s=1.0,
        )  # fmt: skip
        return Run.objects.create(scenario=scenario, seed=seed, state=Run.State.DONE, progress=1.0, result=result)

    def waiting(self, scenario, seed, state=Run.State.QUEUED):
        return Run.objects.create(scenario=scenario, seed=seed, state=state)


@pytest.fixture
def bench(workspace):
    return lambda slos=(): Bench(workspace, slos)
