"""Systems whose sizing plans the whole assignment: what holds for each of them, whatever the cluster and the jobs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulation.hardware import Interruptions
from simulation.records import JobOutcome, RunRecords
from simulation.run import run_records
from simulation.scenario import JobTable, Overheads
from simulation.systems.registry import SYSTEMS
from tests.simulation.building import pool, random_jobs, table, training
from tests.simulation.engine.test_fused_equals_general import with_service

PROGRAMS = [slug for slug, s in SYSTEMS.items() if s.recipe.sizing is not None and s.recipe.sizing.plans]


def elastic_jobs(seed: int, **columns: Any) -> JobTable:
    """Jobs that take more or fewer GPUs than they ask for, some of them with a deadline."""
    jobs = random_jobs(seed, n=40, widest=8)
    rng = np.random.default_rng(seed)
    gpus = np.array(jobs.gpus)
    due_s = np.array(jobs.submit_s) + np.array(jobs.duration_s) * rng.uniform(1.0, 8.0, len(gpus))
    given = rng.random(len(gpus)) < 0.5
    changes = {
        "gpus_min": np.maximum(1, gpus // 2).tolist(),
        "gpus_max": (2 * gpus).tolist(),
        "deadline_s": [float(due) if known else None for due, known in zip(due_s, given, strict=True)],
    }
    return jobs.model_copy(update=changes | columns)


def bits(records: RunRecords) -> list[bytes]:
    return [records.jobs.end_s.tobytes(), records.jobs.gpu_s_by_pool.tobytes(), records.job_spans.start_s.tobytes()]


@pytest.mark.parametrize("system", PROGRAMS)
@pytest.mark.parametrize("seed", range(3))
def test_every_job_ends_or_is_declined(system: str, seed: int) -> None:
    """Over two kinds of GPU. Capacity and conserved work are asserted inside the run."""
    pools = [pool(2, 8), pool(2, 4, name="b", gpu_model="A100", speed=2.0)]
    records = run_records(training(elastic_jobs(seed), system, pools))
    assert set(records.jobs.outcome.tolist()) <= {JobOutcome.FINISHED, JobOutcome.REJECTED}
    assert (records.jobs.outcome == JobOutcome.FINISHED).mean() > 0.5
    assert records.decisions.get("plans_refused", 0) == 0


@pytest.mark.parametrize("system", PROGRAMS)
def test_the_same_bits_again(system: str) -> None:
    scenario = training(elastic_jobs(5), system, [pool(2, 8)])
    assert bits(run_records(scenario)) == bits(run_records(scenario))


@pytest.mark.parametrize("system", PROGRAMS)
def test_a_job_that_may_not_be_preempted_keeps_its_gpus(system: str) -> None:
    jobs = elastic_jobs(3, preemptible=[False] * 40, deadline_s=None)
    records = run_records(training(jobs, system, [pool(2, 8)]))
    spans = records.job_spans
    holdings: dict[int, dict[float, set[tuple[int, int]]]] = {}
    for job, node, gpus, start_s in zip(spans.owner, spans.node, spans.gpus, spans.start_s, strict=True):
        holdings.setdefault(int(job), {}).setdefault(float(start_s), set()).add((int(node), int(gpus)))
    assert all(len({frozenset(pieces) for pieces in held.values()}) == 1 for held in holdings.values())
    assert not records.jobs.preemptions.any()


@pytest.mark.parametrize("system", PROGRAMS)
def test_a_job_that_can_never_fit_is_rejected_and_the_rest_runs(system: str) -> None:
    records = run_records(training(table((0, 10, 9), (1, 10, 8), (2, 10, 1)), system))
    assert records.jobs.outcome.tolist() == [JobOutcome.REJECTED, JobOutcome.FINISHED, JobOutcome.FINISHED]


@pytest.mark.parametrize("system", PROGRAMS)
def test_jobs_use_only_the_models_that_they_permit(system: str) -> None:
    jobs = elastic_jobs(7, gpu_models=[["A100"] if i % 2 else [] for i in range(40)])
    records = run_records(training(jobs, system, [pool(2, 8), pool(2, 8, name="b", gpu_model="A100")]))
    assert (records.jobs.gpu_s_by_pool[1::2, 0] == 0).all()
    assert (records.jobs.gpu_s_by_pool > 0).any(axis=0).all()


@pytest.mark.parametrize("system", PROGRAMS)
def test_programs_live_beside_services(system: str) -> None:
    records = run_records(with_service(training(elastic_jobs(9), system, [pool(3, 8)])))
    assert (records.jobs.outcome != JobOutcome.WAITING).all()


@pytest.mark.parametrize("nodes", [1, 3])
@pytest.mark.parametrize("system", PROGRAMS)
def test_programs_live_with_nodes_that_come_and_go(system: str, nodes: int) -> None:
    """Of one node only, there are times without any GPU."""
    lively = pool(nodes, 8, interruptions=Interruptions(mean_up_s=4000.0, mean_down_s=600.0))
    saving = Overheads(checkpoint_interval_s=300.0)
    records = run_records(training(elastic_jobs(9), system, [lively], overheads=saving))
    assert records.decisions["node_losses"] > 0
    assert set(records.jobs.outcome.tolist()) <= {JobOutcome.FINISHED, JobOutcome.REJECTED}
