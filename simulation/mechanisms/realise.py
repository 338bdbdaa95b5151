"""Targets into a draft: who holds what it is to hold keeps it and notices nothing, the others are moved."""

from __future__ import annotations

from collections.abc import Iterable

from simulation.engine.draft import Draft
from simulation.engine.view import View
from simulation.mechanisms.planning import Target


def realise(view: View, targets: list[Target], rule: int, draft: Draft, migrate: bool = False) -> list[int]:
    """Put `targets` into a draft by a placement rule; returns the jobs that found no room.

    migrate: where some find none, all are placed anew in order of size, if more GPUs are used then.
    """
    wanted = {target.job: target for target in targets}
    for job in sorted(view.running.tolist()):
        if job not in wanted or not _keeps(view, draft, wanted, wanted[job]):
            draft.stop(job)
    before = draft.snapshot()
    missing = _place(targets, rule, draft)
    if missing and migrate:
        used, kept = int(draft.free.sum()), draft.snapshot()
        draft.restore(before)
        for target in targets:
            if draft.pieces(target.job):
                draft.stop(target.job)
        anew = _place(sorted(targets, key=lambda t: -t.gpus), rule, draft)
        if int(draft.free.sum()) < used:
            missing = anew
        else:
            draft.restore(kept)
    for target in targets:
        if draft.pieces(target.job):
            draft.set_clock(target.job, target.clock)
    return missing


def _keeps(view: View, draft: Draft, wanted: dict[int, Target], target: Target) -> bool:
    """Whether a running job holds already what it is to hold."""
    host = view.mates(target.job)[0]
    if target.host >= 0:
        rides = target.host in view.mates(target.job) and target.host in wanted
        return rides and _keeps(view, draft, wanted, wanted[target.host])
    if host != target.job:
        return False
    held = draft.pieces(target.job)
    if target.pieces is not None:
        return sorted(held) == sorted(target.pieces)
    same = target.domain < 0 or all(view.nodes.domain[node] == target.domain for node, _ in held)
    return same and sum(gpus for _, gpus in held) == target.gpus


def _place(targets: Iterable[Target], rule: int, draft: Draft) -> list[int]:
    """Place those that hold nothing, hosts before guests; returns those that found no room."""
    missing = []
    for target in sorted(targets, key=lambda t: t.host >= 0):
        if draft.pieces(target.job):
            continue
        if target.host >= 0:
            fits = bool(draft.pieces(target.host))
            if fits:
                draft.join(target.job, target.host)
        elif target.pieces is not None:
            fits = all(draft.free[node] >= gpus for node, gpus in target.pieces)
            if fits:
                draft.put(target.job, target.pieces)
        else:
            fits = draft.start(target.job, target.gpus, rule, target.domain)
        if not fits:
            missing.append(target.job)
    return missing
