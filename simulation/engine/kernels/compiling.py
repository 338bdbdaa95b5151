"""The four ways in which kernels are compiled.

A kernel gets some eighty arrays as one named tuple. Counting references to each of them at each call took most of the
time of a decision, so kernels are compiled without it; what makes new arrays cannot be, and stays outside of loops.
Handing the tuple over took most of the rest: kernels are put into the kernels that call them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., object])
_compile: Any = njit  # its declared types know a dispatcher, and not all options


def kernel(function: Function) -> Function:
    """Compile what makes no new array: neither allocates nor counts references."""
    compiled: Function = _compile(cache=True, nogil=True, _nrt=False, forceinline=True, no_cfunc_wrapper=True)(function)
    return compiled


def inner(function: Function) -> Function:
    """As `kernel`, of what only kernels call: without the entrances for others, which took half of the compilation."""
    compiled: Function = _compile(
        cache=True, nogil=True, _nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)
    return compiled


def outlined(function: Function) -> Function:
    """As `inner`, of what few events need: called where it stands, for every copy of it takes time to compile."""
    compiled: Function = _compile(cache=True, nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)(
        function
    )
    return compiled


def allocating(function: Function) -> Function:
    """Compile what makes new arrays, usually the working copies that a kernel then uses."""
    compiled: Function = _compile(cache=True, nogil=True, no_cfunc_wrapper=True)(function)
    return compiled
