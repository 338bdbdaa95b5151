"""A ceiling for the memory of one run, so that a scenario that is too big fails with a reason, and its worker lives."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def memory_ceiling(limit_bytes: int) -> Iterator[None]:
    """Allocations beyond `limit_bytes` of private memory raise MemoryError inside the block. 0: no ceiling.

    RLIMIT_DATA counts what the process has written for itself; RLIMIT_AS would also count reserved address space,
    of which threads and compilers hold gigabytes without using it.
    """
    before, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if limit_bytes <= 0 or (hard != resource.RLIM_INFINITY and limit_bytes > hard):
        yield
        return
    resource.setrlimit(resource.RLIMIT_DATA, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, hard))
