"""The table of systems, their recipes, and what a scenario may change."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import simulation.systems
from simulation.mechanisms.families import FAMILIES
from simulation.run import run_records
from simulation.scenario import JobTable
from simulation.systems.registry import SYSTEMS, recipe_for
from tests.simulation.building import TRAINING, pool, random_jobs, table, training


def test_registry_equals_files_on_disk() -> None:
    folder = Path(simulation.systems.__path__[0])
    files = {p.stem for area in ("training", "inference") for p in (folder / area).glob("*.py")} - {"__init__"}
    assert files == {slug.replace("-", "_") for slug in SYSTEMS}


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_system_is_a_json_document_of_known_members(slug: str) -> None:
    document = json.loads(json.dumps(SYSTEMS[slug].document()))
    assert document["slug"] == slug
    assert document["description"]
    assert document["sources"]
    for family, stage in document["recipe"].items():
        assert stage["member"] in FAMILIES[family]


def test_information_is_what_the_stages_need() -> None:
    regimes = {slug: SYSTEMS[slug].information for slug in TRAINING}
    assert regimes == {
        "fcfs-quota": "blind", "fcfs-backfill": "oracle", "sjf": "oracle", "srtf": "oracle", "tiresias": "blind",
        "fair-share": "blind", "yarn-cs": "blind", "helios": "history", "edf": "blind",
    }  # fmt: skip
    assert recipe_for("sjf", {"ordering.durations": "estimate"}, "training").information.name == "ESTIMATE"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"ordering.nonsense": 1}, "has no parameter 'nonsense'; it has thresholds_gpu_s, promote"),
        ({"ordering.promote": -1.0}, "expected 0.0 to 1000000.0 waiting/run"),
        ({"ordering.promote": "x"}, "expected float"),
        ({"ordering.thresholds_gpu_s": [5.0, 1.0]}, "expected ascending"),
        ({"scaling.target": 0.5}, "expected a stage of this system"),
        ({"walk": "nonsense"}, "expected one of stop-at-head"),
    ],
)
def test_a_wrong_parameter_is_explained(parameters: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match="system 'tiresias': parameter") as caught:
        recipe_for("tiresias", parameters, "training")
    assert said in str(caught.value)


def test_a_parameter_takes_effect() -> None:
    recipe = recipe_for("tiresias", {"ordering.promote": 2, "placement": "take-any"}, "training")
    assert recipe.describe()["ordering"]["parameters"]["promote"] == 2.0
    assert recipe.describe()["placement"]["member"] == "take-any"
    assert SYSTEMS["tiresias"].recipe.describe()["ordering"]["parameters"]["promote"] == 0.0


def test_reservations_and_preemption_do_not_mix() -> None:
    with pytest.raises(ValueError, match="cannot be combined with preemption"):
        run_records(training(table((0, 1, 1)), "srtf", parameters={"walk": "backfill"}))


def mean_jct_s(jobs: JobTable, system: str) -> float:
    records = run_records(training(jobs, system, [pool(1, 1)]))
    return float((records.jobs.end_s - records.jobs.submit_s).mean())


@pytest.mark.parametrize("seed", range(12))
def test_shortest_remaining_is_optimal_on_one_machine(seed: int) -> None:
    jobs = random_jobs(seed, widest=1, gap_s=300.0)
    best = mean_jct_s(jobs, "srtf")
    for system in TRAINING:
        assert best <= mean_jct_s(jobs, system) * (1 + 1e-12)


@pytest.mark.parametrize("system", TRAINING)
def test_a_job_that_can_never_fit_is_rejected_and_the_rest_runs(system: str) -> None:
    records = run_records(training(table((0, 10, 9), (1, 10, 8), (2, 10, 1)), system))
    assert records.jobs.outcome.tolist() == [3, 0, 0]
    assert np.isnan(records.jobs.end_s[0])
