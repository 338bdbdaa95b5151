"""Where a gang goes: pieces (node, GPUs) inside one domain, unless the rule spans them, or nothing."""

from __future__ import annotations

from simulation.engine.kernels.compiling import inner, kernel
from simulation.engine.kernels.network import crowd_to_meet
from simulation.engine.plan import PIECES, Plan
from simulation.engine.state import State
from simulation.records import Ints

# Opcodes of placement rules (mechanisms.placement documents them)
CONSOLIDATE_FIRST, CONSOLIDATE_BEST, TAKE_ANY, ONE_RACK, LEAST_CROWDED, SPAN_MODELS, PER_JOB = range(7)


@inner
def one_node(s: State, free: Ints, domain: int, gpus: int, best: bool) -> int:
    """A node with `gpus` free: the first, or the one that keeps least (first among equals); -1 where there is none."""
    found = -1
    for i in range(s.domain_start[domain], s.domain_start[domain + 1]):
        node = int(s.domain_nodes[i])
        if free[node] >= gpus:
            if not best:
                return node
            if found < 0 or free[node] < free[found]:
                found = node
    return found


@inner
def whole_node(s: State, free: Ints, domain: int, gpus: int) -> int:
    """First node of at least `gpus` that is entirely free, -1 where there is none."""
    for i in range(s.domain_start[domain], s.domain_start[domain + 1]):
        node = int(s.domain_nodes[i])
        if free[node] == s.size[node] and s.size[node] >= gpus:
            return node
    return -1


@inner
def add_piece(free: Ints, p: Plan, job: int, node: int, gpus: int) -> None:
    """Write a piece into the plan and take it from the working copy."""
    i = p.tally[PIECES]
    p.job[i] = job
    p.node[i] = node
    p.gpus[i] = gpus
    p.tally[PIECES] = i + 1
    free[node] -= gpus


@inner
def undo_pieces(free: Ints, p: Plan, first: int) -> None:
    """Take back the pieces from `first` on."""
    for i in range(first, p.tally[PIECES]):
        free[p.node[i]] += p.gpus[i]
    p.tally[PIECES] = first


@kernel
def consolidate(s: State, free: Ints, p: Plan, job: int, domain: int, gpus: int, best: bool) -> bool:
    """The fewest nodes that an empty domain would need: entirely free ones, largest first, plus one for the rest."""
    rest = gpus
    for i in range(s.domain_start[domain], s.domain_start[domain + 1]):
        if rest <= s.sizes_down[i]:
            node = one_node(s, free, domain, rest, best)
            if node >= 0:
                add_piece(free, p, job, node, rest)
            return node >= 0
        node = whole_node(s, free, domain, s.sizes_down[i])
        if node < 0:
            return False
        taken = min(rest, s.size[node])
        add_piece(free, p, job, node, taken)
        rest -= taken
        if rest == 0:
            return True
    return False


@inner
def free_in(s: State, free: Ints, domain: int) -> int:
    """GPUs free in a domain."""
    total = 0
    for i in range(s.domain_start[domain], s.domain_start[domain + 1]):
        total += free[s.domain_nodes[i]]
    return total


@inner
def take_any(s: State, free: Ints, p: Plan, job: int, domain: int, gpus: int) -> bool:
    """One node where it fits best, else any free GPUs, the fullest partly used nodes first."""
    node = one_node(s, free, domain, gpus, True)
    if node >= 0:
        add_piece(free, p, job, node, gpus)
        return True
    if free_in(s, free, domain) < gpus:
        return False
    rest = gpus
    while rest > 0:
        node = one_node(s, free, domain, 1, True)
        taken = min(rest, free[node])
        add_piece(free, p, job, node, taken)
        rest -= taken
    return True


@inner
def fullest_in_rack(s: State, free: Ints, domain: int, rack: int) -> int:
    """The node of a rack with the fewest free GPUs but some, first among equals; -1 where all are full."""
    found = -1
    for i in range(s.domain_start[domain], s.domain_start[domain + 1]):
        node = int(s.domain_nodes[i])
        if s.rack[node] == rack and free[node] > 0 and (found < 0 or free[node] < free[found]):
            found = node
    return found


@inner
def emptiest_rack(s: State, free: Ints, domain: int, gpus: int) -> int:
    """The rack with the most free GPUs, if they are enough; -1 else."""
    most, found, at = gpus - 1, -1, s.domain_start[domain]
    while at < s.domain_start[domain + 1]:
        rack, total = s.rack[s.domain_nodes[at]], 0
        while at < s.domain_start[domain + 1] and s.rack[s.domain_nodes[at]] == rack:
            total += free[s.domain_nodes[at]]
            at += 1
        if total > most:
            most, found = total, rack
    return found


@inner
def one_rack(s: State, free: Ints, p: Plan, job: int, domain: int, gpus: int) -> bool:
    """Any free GPUs of one rack, the emptiest; one node where it fits best."""
    node = one_node(s, free, domain, gpus, True)
    if node >= 0:
        add_piece(free, p, job, node, gpus)
        return True
    rack = emptiest_rack(s, free, domain, gpus)
    rest = gpus if rack >= 0 else 0
    while rest > 0:
        node = fullest_in_rack(s, free, domain, rack)
        taken = min(rest, free[node])
        add_piece(free, p, job, node, taken)
        rest -= taken
    return rack >= 0


@inner
def quietest(s: State, free: Ints, job: int, domain: int, gpus: int) -> int:
    """Of nodes with any GPU free the one whose port is least crowded for a job, the emptiest of several; -1: none."""
    found, least = -1, 0
    for i in range(s.domain_start[domain], s.domain_start[domain + 1]):
        node = int(s.domain_nodes[i])
        if free[node] > 0:
            crowd = crowd_to_meet(s, job, node, domain, gpus)
            if found < 0 or crowd < least or (crowd == least and free[node] > free[found]):
                found, least = node, crowd
    return found


@inner
def least_crowded(s: State, free: Ints, p: Plan, job: int, domain: int, gpus: int) -> bool:
    """One node where it fits best, else free GPUs behind the ports that others use least."""
    node = one_node(s, free, domain, gpus, True)
    if node >= 0:
        add_piece(free, p, job, node, gpus)
        return True
    rest = gpus
    while rest > 0:
        node = quietest(s, free, job, domain, gpus)
        if node < 0:
            return False
        taken = min(rest, free[node])
        add_piece(free, p, job, node, taken)
        rest -= taken
    return True


@inner
def span(s: State, free: Ints, p: Plan, job: int, gpus: int) -> bool:
    """GPUs of the fastest permitted domains that have enough together, the slowest of these first.

    A gang is as fast as its slowest GPU: fast ones that it does not need are left to others.
    """
    domains = s.class_domains[s.klass[job]]
    last, rest = -1, gpus
    while rest > 0:
        last += 1
        if domains[last] < 0:
            return False
        rest -= free_in(s, free, domains[last])
    rest = gpus
    while rest > 0:
        taken = min(rest, free_in(s, free, domains[last]))
        if taken > 0:
            take_any(s, free, p, job, domains[last], taken)
        rest -= taken
        last -= 1
    return True


@kernel
def place(s: State, free: Ints, p: Plan, job: int, gpus: int, rule: int) -> bool:
    """Put `gpus` for `job` into the first permitted domain that holds them, or over several where the rule is so.

    Writes the pieces, or changes nothing.
    """
    first = p.tally[PIECES]
    for domain in s.class_domains[s.klass[job]]:
        if domain < 0:
            break
        if place_in(s, free, p, job, gpus, domain, rule):
            return True
        undo_pieces(free, p, first)
    return (s.rule[job] if rule == PER_JOB else rule) == SPAN_MODELS and span(s, free, p, job, gpus)


@kernel
def place_in(s: State, free: Ints, p: Plan, job: int, gpus: int, domain: int, rule: int) -> bool:
    """Put `gpus` for `job` into one domain; where they do not fit, pieces may be left for the caller to undo."""
    if rule == PER_JOB:
        rule = s.rule[job]
    if rule in (TAKE_ANY, SPAN_MODELS):
        return take_any(s, free, p, job, domain, gpus)
    if rule == ONE_RACK:
        return one_rack(s, free, p, job, domain, gpus)
    if rule == LEAST_CROWDED:
        return least_crowded(s, free, p, job, domain, gpus)
    return consolidate(s, free, p, job, domain, gpus, rule == CONSOLIDATE_BEST)


@inner
def nodes_in_reach(s: State, reach: Ints, domain: int, gpus: int) -> bool:
    """Whether `consolidate` may succeed on any part of `reach`: enough whole nodes, and one more for the rest.

    Never wrongly False; exact where the nodes of the domain are equal.
    """
    start, end = s.domain_start[domain], s.domain_start[domain + 1]
    largest = s.sizes_down[start] if end > start else 0
    if largest == 0:
        return False
    wholes = (gpus - 1) // largest
    rest = gpus - wholes * largest
    whole = some = 0
    for i in range(start, end):
        node = s.domain_nodes[i]
        is_whole = reach[node] == s.size[node]
        whole += is_whole
        some += is_whole or reach[node] >= rest
        if whole >= wholes and some > wholes:
            return True
    return False


@inner
def in_reach(s: State, reach: Ints, job: int, gpus: int, rule: int) -> bool:
    """Whether `place` may succeed when no more than `reach` (nodes,) can be free: False is certain, True is not."""
    rest = gpus
    for domain in s.class_domains[s.klass[job]]:
        if domain < 0:
            return False
        if rule >= TAKE_ANY:  # nor is it certain for ONE_RACK and PER_JOB
            if rule < SPAN_MODELS:
                rest = gpus
            rest -= free_in(s, reach, domain)
            if rest <= 0:
                return True
        elif nodes_in_reach(s, reach, domain, gpus):
            return True
    return False
