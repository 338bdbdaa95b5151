"""Cassini gains where gangs share ports that somebody has measured, and nowhere else."""

from __future__ import annotations

import numpy as np

from simulation.generators.crossing import across_nodes
from simulation.metrics.measures import MEAN_JCT
from simulation.records import RunRecords
from simulation.run import run_records
from simulation.scenario import Choice, Cluster, Scenario
from tests.simulation.engine.test_same_bits import digest


def drawn(nodes: int, gpus_per_node: int, known: bool = True) -> Scenario:
    scenario = across_nodes(np.random.default_rng(5), load=0.8, jobs=60, nodes=nodes, gpus_per_node=gpus_per_node)
    if known:
        return scenario
    pools = [pool.model_copy(update={"links": pool.links.model_copy(update={"network_gb_s": None})})
             for pool in scenario.cluster.pools]  # fmt: skip
    return scenario.model_copy(update={"cluster": Cluster(pools=pools)})


def runs(scenario: Scenario) -> list[RunRecords]:
    choices = ({}, {"network": "none"})
    return [
        run_records(scenario.model_copy(update={"training": Choice(system="cassini", parameters=choice)}))
        for choice in choices
    ]


def test_on_shared_ports_jobs_end_sooner() -> None:
    shifted, by_chance = runs(drawn(12, 2))
    assert MEAN_JCT.of(shifted) < 0.97 * MEAN_JCT.of(by_chance)
    assert shifted.decisions.get("plans_refused", 0) == 0


def test_inside_one_server_nothing_changes() -> None:
    one, other = runs(drawn(1, 24))
    assert digest(one) == digest(other)


def test_on_an_unknown_network_nothing_changes() -> None:
    one, other = runs(drawn(12, 2, known=False))
    assert digest(one) == digest(other)
