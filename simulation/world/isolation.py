"""Several workloads on one GPU: MIG slices and where they may lie, shares under MPS, turns under time-slicing.

Placements and sizes are those that `nvidia-smi mig -lgipp` and `-lgip` list; figures by GPU model are usable GiB.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

MEMORY_SLICES: Final = 8
COMPUTE_SLICES: Final = 7
CREATE_S: Final = 2.0  # an instance, where its place is free; a choice of ours, nobody publishes it
SWITCH_LOSS: Final = 0.03  # of the time, between the turns of several processes; a choice of ours too
MPS_CLIENTS: Final = 48  # of one GPU, compute capability 7.0 and later


class Shape(NamedTuple):
    """A kind of MIG instance: compute slices, memory slices, and the memory slices at which it may begin."""

    compute: int
    memory: int
    starts: tuple[int, ...]


SHAPES: Final[Mapping[str, Shape]] = {
    "1g": Shape(1, 1, (0, 1, 2, 3, 4, 5, 6)),
    "1g-double-memory": Shape(1, 2, (0, 2, 4, 6)),
    "2g": Shape(2, 2, (0, 2, 4)),
    "3g": Shape(3, 4, (0, 4)),
    "4g": Shape(4, 4, (0,)),
    "7g": Shape(7, 8, (0,)),
}


class Slice(NamedTuple):
    """What an instance of one GPU model has."""

    multiprocessors: int
    memory_gib: float


class Partitionable(NamedTuple):
    """A GPU model with MIG: multiprocessors of the whole GPU, and its slices by shape."""

    multiprocessors: int
    slices: Mapping[str, Slice]


def _slices(*rows: tuple[int, float]) -> dict[str, Slice]:
    return {shape: Slice(*row) for shape, row in zip(SHAPES, rows, strict=True)}


MODELS: Final[Mapping[str, Partitionable]] = {
    "A100-40GB": Partitionable(108, _slices((14, 4.75), (14, 9.62), (28, 9.62), (42, 19.5), (56, 19.5), (98, 39.25))),
    "A100-80GB": Partitionable(108, _slices((14, 9.62), (14, 19.5), (28, 19.5), (42, 39.25), (56, 39.25), (98, 78.5))),
    "H100-80GB": Partitionable(
        132, _slices((16, 9.75), (26, 19.62), (32, 19.62), (60, 39.5), (64, 39.5), (132, 79.25))
    ),
}


class Instance(NamedTuple):
    """A shape that lies at a memory slice of a GPU."""

    shape: str
    start: int


Layout = tuple[Instance, ...]  # of one GPU, by start


def fits(layout: Layout, instance: Instance) -> bool:
    """Whether an instance may be made beside those of `layout`, which never move."""
    shape = SHAPES[instance.shape]
    taken = {at for other in layout for at in _covered(other)}
    compute = sum(SHAPES[other.shape].compute for other in layout)
    free = not taken & set(_covered(instance))
    return instance.start in shape.starts and free and compute + shape.compute <= COMPUTE_SLICES


def _covered(instance: Instance) -> range:
    return range(instance.start, instance.start + SHAPES[instance.shape].memory)


def place(layout: Layout, shape: str) -> Instance | None:
    """Where to make an instance: the largest later one stays possible, pairs of slices stay whole, the high half first.

    None where every permitted place is taken, though slices may be free.
    """
    places = [Instance(shape, start) for start in SHAPES[shape].starts]
    able = [place for place in places if fits(layout, place)]
    return max(able, key=lambda at: (_largest(_with(layout, at)), at.start % 2 == 0, at.start), default=None)


def _with(layout: Layout, instance: Instance) -> Layout:
    return tuple(sorted((*layout, instance), key=lambda each: each.start))


def _largest(layout: Layout) -> int:
    """Compute slices of the largest instance that could still be made."""
    able = (shape.compute for name, shape in SHAPES.items() for at in shape.starts if fits(layout, Instance(name, at)))
    return max(able, default=0)


def least_shape(model: str, memory_gib: float, multiprocessors: int = 1) -> str | None:
    """The smallest instance of a GPU model with so much memory and compute, or None."""
    rows = MODELS[model].slices.items()
    able = (name for name, has in rows if has.memory_gib >= memory_gib and has.multiprocessors >= multiprocessors)
    return next(able, None)


def full_layouts(shapes: Iterable[str] = SHAPES) -> list[Layout]:
    """Every layout of one GPU to which no instance of `shapes` can be added, in order of their places."""
    names = tuple(shapes)
    found: set[Layout] = set()
    seen: set[Layout] = set()
    open_: list[Layout] = [()]
    while open_:
        layout = open_.pop()
        places = [Instance(name, start) for name in names for start in SHAPES[name].starts]
        larger = {_with(layout, place) for place in places if fits(layout, place)}
        if not larger:
            found.add(layout)
        open_ += larger - seen
        seen |= larger
    return sorted(found)


def slice_rate(model: str, shape: str, utilisation: float) -> float:
    """Rate on an instance over that on the whole GPU, of a workload that keeps `utilisation` (0, 1] of it busy."""
    gpu = MODELS[model]
    return min(1.0, gpu.slices[shape].multiprocessors / gpu.multiprocessors / utilisation)


def turns_rate(utilisations: Iterable[float]) -> float:
    """Rate of each of several processes that take turns; one that is idle gives its turn away."""
    each = list(utilisations)
    return (1.0 - (SWITCH_LOSS if len(each) > 1 else 0.0)) / max(1.0, sum(each))


def capped_rates(utilisations: Iterable[float], cap: float) -> list[float]:
    """Rates under MPS with an equal cap on the share of multiprocessors of each client.

    A cap is not a reservation: idle multiprocessors do not lift it, and busy neighbours take from what it allows.
    """
    each = list(utilisations)
    crowd = max(1.0, sum(min(cap, one) for one in each))
    return [min(1.0, cap / one) / crowd for one in each]


class Admission(NamedTuple):
    """What becomes of one more process on a GPU: it may start, or who runs out of memory."""

    starts: bool
    victim: str | None = None


def admit_capped(memory_gib: float, cap_gib: float, promised_gib: float, gpu_gib: float) -> Admission:
    """Under MPS with limits on memory: refused where it needs more than its limit, or the limits exceed the GPU."""
    return Admission(memory_gib <= cap_gib and promised_gib + cap_gib <= gpu_gib)


def admit_turns(peaks_gib: Mapping[str, float], gpu_gib: float) -> Admission:
    """Time-slicing has no limits: whoever reaches its peak last runs out of memory, not whoever is to blame.

    `peaks_gib`: process -> peak, in the order in which they allocate.
    """
    used = 0.0
    for process, peak in peaks_gib.items():
        used += peak
        if used > gpu_gib:
            return Admission(starts=True, victim=process)
    return Admission(starts=True)
