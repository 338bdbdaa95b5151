"""The one table of systems. A new system is one file and one line here."""

from __future__ import annotations

from simulation.systems.inference import static_replicas, utilisation_autoscaler
from simulation.systems.recipe import Recipe
from simulation.systems.system import System
from simulation.systems.training import (
    allox,
    cassini,
    chronus,
    edf,
    elasticflow,
    fair_share,
    fcfs_backfill,
    fcfs_quota,
    gandiva_fair,
    gavel,
    helios,
    hived,
    lucid,
    mlcloudprice,
    muri,
    optimus,
    philly,
    pollux,
    pop,
    powerflow,
    sjf,
    srtf,
    synergy,
    themis,
    tiresias,
    yarn_cs,
)

SYSTEMS: dict[str, System] = {
    system.slug: system
    for system in (
        fcfs_quota.SYSTEM,
        fcfs_backfill.SYSTEM,
        sjf.SYSTEM,
        srtf.SYSTEM,
        tiresias.SYSTEM,
        fair_share.SYSTEM,
        yarn_cs.SYSTEM,
        helios.SYSTEM,
        edf.SYSTEM,
        pollux.SYSTEM,
        optimus.SYSTEM,
        elasticflow.SYSTEM,
        chronus.SYSTEM,
        powerflow.SYSTEM,
        gavel.SYSTEM,
        pop.SYSTEM,
        allox.SYSTEM,
        themis.SYSTEM,
        gandiva_fair.SYSTEM,
        hived.SYSTEM,
        philly.SYSTEM,
        lucid.SYSTEM,
        muri.SYSTEM,
        synergy.SYSTEM,
        mlcloudprice.SYSTEM,
        cassini.SYSTEM,
        static_replicas.SYSTEM,
        utilisation_autoscaler.SYSTEM,
    )
}


def recipe_for(slug: str, parameters: dict[str, object], workload: str) -> Recipe:
    """The recipe of a system with the changes of a scenario.

    Raises ValueError for an unknown slug, a system of another workload, an unknown key or a value out of bounds.
    """
    known = [s.slug for s in SYSTEMS.values() if s.workload == workload]
    if slug not in known:
        raise ValueError(f"system {slug!r}: expected one for {workload} ({', '.join(known)})")
    try:
        return SYSTEMS[slug].recipe.changed(parameters)
    except ValueError as error:
        raise ValueError(f"system {slug!r}: {error}") from error
