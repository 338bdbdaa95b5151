"""A number of GPUs over time, as steps: instant -> GPUs from then on."""

from __future__ import annotations

Steps = dict[float, int]

SLOT_S = 60


def align(from_s: float, at_s: float) -> float:
    """The first end of a slot, counted from `from_s`, that is not before `at_s`."""
    slots, rest = divmod(at_s - from_s, SLOT_S)
    return from_s + (slots + (rest > 0)) * SLOT_S


def merged(steps: Steps) -> Steps:
    """In the order of time, without those that change nothing."""
    kept: Steps = {}
    level = None
    for at_s in sorted(steps):
        if steps[at_s] != level:
            kept[at_s] = level = steps[at_s]
    return kept


def gpu_seconds(steps: Steps, end_s: float) -> float:
    times = [*steps, end_s]
    return sum(gpus * (times[i + 1] - times[i]) for i, gpus in enumerate(steps.values()))


def without(free: Steps, shares: Steps, end_s: float) -> Steps:
    """What would be `free` if a job did not have its `shares`, up to `end_s`."""
    steps = dict(free)
    for at_s in [end_s, *shares]:
        if at_s not in steps:
            steps[at_s] = steps[max(each_s for each_s in steps if each_s < at_s)]
    held = 0
    for begin_s, gpus in shares.items():
        for at_s in steps:
            if begin_s <= at_s < end_s:
                steps[at_s] += gpus - held
        held = gpus
    return merged(steps)
