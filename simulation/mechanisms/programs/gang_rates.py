"""How fast a gang works on each type of GPU, as close together as it can be."""

from __future__ import annotations

import numpy as np

from simulation.engine.view import View
from simulation.records import Floats, Ints
from simulation.world.links import nearest_level


def gang_rates(view: View, jobs: Ints) -> Floats:
    """(jobs, domains) seconds of its reference work that each job does in a second with the gang that it asked for.

    GPUs are as close together as they can be; rates are those of the present progress, 0 where a job cannot run.
    """
    domains = len(view.nodes.domain_speed)
    gangs = {int(gang) for gang in view.gang[jobs]}
    level = {gang: [int(nearest_level(np.array([gang]), w)[0]) for w in view.nodes.domain_wiring] for gang in gangs}
    rates = np.zeros((len(jobs), domains))
    for row, job in enumerate(jobs.tolist()):
        gang = int(view.gang[job])
        rates[row] = view.rates(job)[np.arange(domains), level[gang], gang]
    return rates
