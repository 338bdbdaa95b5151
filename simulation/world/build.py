"""Scenario and seed to world: every purpose draws from a stream of its own, so policies share the same numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulation.generators.arrivals import arrival_times
from simulation.records import Floats
from simulation.scenario import Scenario, Service
from simulation.world.cluster import Nodes, build_nodes, permitted_domains
from simulation.world.happenings import Happenings, build_happenings
from simulation.world.jobs import Jobs, build_jobs
from simulation.world.tariffs import Tariffs, build_tariffs


@dataclass(frozen=True, slots=True)
class ServiceWorld:
    """A service, where its replicas may stand (domains, fastest first), and its requests (ascending, s)."""

    service: Service
    domains: tuple[int, ...]
    arrivals_s: Floats


@dataclass(frozen=True, slots=True)
class World:
    nodes: Nodes
    jobs: Jobs
    services: tuple[ServiceWorld, ...]
    happenings: Happenings
    tariffs: Tariffs


def build_world(scenario: Scenario, seed: int) -> World:
    """Arrays of one replication. The stream of jobs and of each service depends on the seed and its place alone."""
    job_stream, request_stream, node_stream = np.random.SeedSequence(seed).spawn(3)
    nodes = build_nodes(scenario.cluster)
    horizon_s = np.inf if scenario.horizon_s is None else scenario.horizon_s
    workload = scenario.workload
    jobs = build_jobs(
        workload.jobs, scenario.sampling, nodes, np.random.default_rng(job_stream), horizon_s, workload.profiles,
        workload.losses,
    )  # fmt: skip
    streams = request_stream.spawn(len(scenario.workload.services))
    services = tuple(
        ServiceWorld(
            service=service,
            domains=permitted_domains(nodes, service.gpu_models),
            arrivals_s=arrival_times(
                service.requests, np.random.default_rng(stream), scenario.sampling.demand_factor, scenario.horizon_s
            ),
        )
        for service, stream in zip(scenario.workload.services, streams, strict=True)
    )
    return World(nodes, jobs, services, build_happenings(scenario, nodes, node_stream), build_tariffs(scenario, nodes))
