"""The three ways in which kernels are compiled.

Counting references to arrays at each call took most of the time of a decision, so kernels are compiled without it; what
makes new arrays cannot be, and stays outside of loops. Tables come as one address each (see simulation.by_address), so
that a call is cheap and the compiler may decide which kernels to put into those that call them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., object])
_compile: Any = njit  # its declared types know a dispatcher, and not all options


def kernel(function: Function) -> Function:
    """Compile what makes no new array: neither allocates nor counts references."""
    compiled: Function = _compile(cache=True, nogil=True, _nrt=False, no_cfunc_wrapper=True)(function)
    return compiled


def inner(function: Function) -> Function:
    """As `kernel`, of what only kernels call: without the entrance for Python."""
    compiled: Function = _compile(cache=True, nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)(
        function
    )
    return compiled


def allocating(function: Function) -> Function:
    """Compile what makes new arrays, usually the working copies that a kernel then uses."""
    compiled: Function = _compile(cache=True, nogil=True, no_cfunc_wrapper=True)(function)
    return compiled
