"""Without its names a workload gives the same results, and no name is left anywhere in the bundle."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulation.bundles.anonymise import KEPT, RENAMED, RULE, Anonymiser
from simulation.bundles.experiment import Experiment, Run
from simulation.bundles.guard import unpack
from simulation.bundles.read import read_bundle
from simulation.bundles.verify import verify
from simulation.bundles.write import write_bundle
from simulation.provenance import Origin
from simulation.run import simulate
from simulation.scenario import Cluster, JobTable, Origins, Scenario, Workload
from tests.simulation.building import TRAINING, pool, random_jobs, training
from tests.simulation.bundles.material import PUBLICATION, SERVICE, a_study

CANARIES = ("zebra-team", "acme-team", "midas-team", "payroll", "jane.doe", "chatbot-of-acme", "rack7-host")


def named(system: str = "fair-share") -> Scenario:
    """Every place that can hold a name holds a canary; tenants in an order that is not the alphabet's."""
    jobs = random_jobs(2, 40)
    told = jobs.model_copy(
        update={
            "id": [f"payroll-{i}" for i in range(40)],
            "tenant": [("zebra-team", "acme-team", "midas-team")[i % 3] for i in range(40)],
            "user": [f"jane.doe{i % 5}" for i in range(40)],
            "name": [f"payroll-training-{i % 7}" for i in range(40)],
        }
    )
    service = SERVICE.model_copy(update={"name": "chatbot-of-acme", "tenant": "midas-team"})
    made = training(told, system, [pool(3, 8, node_names=[f"rack7-host{n}" for n in range(3)])])
    return made.model_copy(
        update={
            "name": "base",
            "cluster": Cluster(name="rack7-host cluster", pools=made.cluster.pools),
            "workload": Workload(jobs=told, services=[service]),
            "quotas": {"zebra-team": 0.5, "acme-team": 0.3},
            "sources": {"workload": "log of acme-team"},
            "origins": Origins(workload=Origin.MEASURED),
        }
    )


@pytest.mark.parametrize("system", TRAINING)
def test_results_are_those_of_the_true_names(system: str) -> None:
    true = named(system)
    anonymiser = Anonymiser.of([true])
    assert simulate(anonymiser.scenario(true), 3).document == anonymiser.document(simulate(true, 3).document)


def test_jobs_of_nobody_stay_jobs_of_one_tenant() -> None:
    jobs = random_jobs(2, 20).model_copy(update={"tenant": None})
    true = training(jobs).model_copy(update={"workload": Workload(jobs=jobs, services=[SERVICE])})
    anonymiser = Anonymiser.of([true])
    assert simulate(anonymiser.scenario(true), 0).document == anonymiser.document(simulate(true, 0).document)


def test_no_name_is_left_in_any_file() -> None:
    true = named()
    anonymiser = Anonymiser.of([true])
    document = anonymiser.document(simulate(true, 0).document)
    experiment = Experiment("study", "Which?", "0", (anonymiser.scenario(true),), ("f",), (Run(0, 0, document),),
                            ("cost_usd", "jct_mean_s"), anonymised=RULE)  # fmt: skip
    files = unpack(write_bundle(experiment, PUBLICATION))
    for name, content in files.items():
        found = [canary for canary in CANARIES if canary.encode() in content]
        assert found == [], name
    assert RULE.encode() in files["README.md"]
    assert RULE.encode() in files["run.json"]


def test_it_is_verified_as_any_other_bundle() -> None:
    study = a_study()
    anonymiser = Anonymiser.of(study.scenarios)
    runs = (replace(run, document=anonymiser.document(run.document)) for run in study.runs if run.document)
    scenarios = tuple(map(anonymiser.scenario, study.scenarios))
    hidden = replace(study, scenarios=scenarios, runs=tuple(runs), anonymised=RULE)
    assert verify(read_bundle(write_bundle(hidden, PUBLICATION))).differences == ()


def test_scenarios_go_on_sharing_their_workload() -> None:
    scenarios = a_study().scenarios
    anonymiser = Anonymiser.of(scenarios)
    first, second = map(anonymiser.scenario, scenarios)
    assert first.workload is second.workload


def test_every_column_of_jobs_is_either_renamed_or_known_to_hold_no_name() -> None:
    """A new column must be decided upon before it leaves the house."""
    assert JobTable.model_fields.keys() == RENAMED.keys() | KEPT
    assert not RENAMED.keys() & KEPT
