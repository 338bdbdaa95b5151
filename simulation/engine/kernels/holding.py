"""Where the GPUs of a running job are: the worst link between them, and the slowest kind among them."""

from __future__ import annotations

from simulation.engine.kernels.compiling import inner
from simulation.engine.state import State
from simulation.world.links import CLUSTER, ISLAND, NODE, RACK
from simulation.world.rates import RATE


@inner
def level_of_holding(s: State, job: int) -> int:
    """The worst link that the GPUs of a job cross."""
    entry = s.first_entry[s.host[job]]
    node, gpus = s.entry_node[entry], s.entry_gpus[entry]
    level = ISLAND if gpus <= s.island[node] else NODE
    entry = s.entry_next[entry]
    while entry >= 0:
        level = max(level, RACK if s.rack[s.entry_node[entry]] == s.rack[node] else CLUSTER)
        entry = s.entry_next[entry]
    return level


@inner
def is_slower(s: State, job: int, domain: int, other: int) -> bool:
    """Whether a job would be slower on as many GPUs of `domain`: by its profile, over the network."""
    profile = s.rates.profile[job]
    if profile < 0:
        return bool(s.domain_speed[domain] < s.domain_speed[other])
    table = s.rates.table[profile, 0]
    return bool(table[domain, CLUSTER, s.held[job], RATE] < table[other, CLUSTER, s.held[job], RATE])


@inner
def slowest_domain(s: State, job: int) -> int:
    """Domain of its slowest GPUs."""
    entry = s.first_entry[s.host[job]]
    found = s.domain[s.entry_node[entry]]
    while entry >= 0:
        domain = s.domain[s.entry_node[entry]]
        if domain != found and is_slower(s, job, domain, found):
            found = domain
        entry = s.entry_next[entry]
    return int(found)
