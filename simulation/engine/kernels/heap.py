"""Binary heap of (instant, job or other number) over two flat arrays; ties go to the lower number."""

from __future__ import annotations

from simulation.engine.kernels.compiling import inner
from simulation.records import Floats, Ints


@inner
def push(time_s: Floats, job: Ints, count: int, t: float, j: int) -> None:
    """Put (t, j) into a heap of `count` entries; the caller counts."""
    hole = count
    while hole > 0:
        parent = (hole - 1) >> 1
        if time_s[parent] < t or (time_s[parent] == t and job[parent] <= j):
            break
        time_s[hole] = time_s[parent]
        job[hole] = job[parent]
        hole = parent
    time_s[hole] = t
    job[hole] = j


@inner
def sift_down(time_s: Floats, job: Ints, count: int, t: float, j: int) -> None:
    """Put (t, j) where it belongs in a heap of `count` entries whose root is vacant."""
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= count:
            break
        right = child + 1
        if right < count and (
            time_s[right] < time_s[child] or (time_s[right] == time_s[child] and job[right] < job[child])
        ):
            child = right
        if t < time_s[child] or (t == time_s[child] and j <= job[child]):
            break
        time_s[hole] = time_s[child]
        job[hole] = job[child]
        hole = child
    time_s[hole] = t
    job[hole] = j


@inner
def pop(time_s: Floats, job: Ints, count: int) -> None:
    """Drop the least of `count` entries."""
    last = count - 1
    sift_down(time_s, job, last, time_s[last], job[last])
