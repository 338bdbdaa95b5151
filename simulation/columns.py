"""Arrays whose places are counted from the front only, so that compiled code need not ask.

numba looks at every index whether it is negative, and then counts from the end; in kernels that do little else than
look things up by job and node that was a fifth of their time. No kernel counts from the end. With NUMBA_BOUNDSCHECK=1
a place before the first or after the last raises IndexError, as in every array.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import lower_builtin, register_model
from numba.np import arrayobj
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

LINE = 64  # bytes that a processor reads at once
WORD = 8  # bytes


class Column(types.Array):
    """An array of a table, of one axis or several. A part of it that is an array is an ordinary one.

    `stride`: bytes from one item to the next where they do not stand side by side (one axis only), else 0.
    """

    def __init__(self, dtype: types.Type, ndim: int, readonly: bool, stride: int) -> None:
        self.stride = stride
        name = f"column({dtype}, {ndim}, {readonly}, {stride})"
        super().__init__(dtype, ndim, "A" if stride else "C", readonly=readonly, name=name)

    @property
    def key(self) -> tuple[Any, ...]:
        return (*super().key, self.stride)


def column_type(array: NDArray[Any]) -> Column:
    """Of an array that is C-contiguous or has one axis; that it happens to have a single item makes no other type."""
    apart = array.ndim == 1 and array.strides[0] != array.itemsize
    return _column_type(array.dtype, array.ndim, not array.flags.writeable, array.strides[0] if apart else 0)


@cache  # every decision makes tables: to find their types anew took half of the time of a run
def _column_type(dtype: np.dtype[Any], ndim: int, readonly: bool, stride: int) -> Column:
    return Column(from_dtype(dtype), ndim, readonly, stride)


def side_by_side(rows: int, **first: float | NDArray[Any] | np.number[Any]) -> dict[str, NDArray[Any]]:
    """Columns whose items of one row stand together in memory, for code that looks at most of a row at a time.

    `first`: what each holds in the beginning, (rows,) or one for all; its type is that of the column. Those of eight
    bytes come before those of four.
    """
    kinds = {name: np.asarray(value).dtype for name, value in first.items()}
    row = -(-sum(kind.itemsize for kind in kinds.values()) // WORD) * WORD
    room = np.empty((rows + 1) * row + LINE, np.uint8)
    offset = -room.ctypes.data % LINE
    columns = {}
    for name, value in first.items():
        columns[name] = np.ndarray((rows,), kinds[name], room, offset, (row,))
        columns[name][:] = value
        offset += kinds[name].itemsize
    return columns


@register_model(Column)
class _Model(models.ArrayModel):
    pass


@lower_builtin(operator.getitem, Column, types.Integer)
def _get_one(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if sig.args[0].ndim > 1:
        return arrayobj.getitem_arraynd_intp(context, builder, sig, args)
    place = _place(context, builder, sig.args[0], args[0], [sig.args[1]], [args[1]])
    return arrayobj.load_item(context, builder, sig.args[0], place)


@lower_builtin(operator.getitem, Column, types.BaseTuple)
def _get_several(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if not _is_one_place(*sig.args[:2]):
        return arrayobj.getitem_array_tuple(context, builder, sig, args)
    places = cgutils.unpack_tuple(builder, args[1], count=len(sig.args[1]))
    place = _place(context, builder, sig.args[0], args[0], sig.args[1], places)
    return arrayobj.load_item(context, builder, sig.args[0], place)


@lower_builtin(operator.setitem, Column, types.Any, types.Any)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    column, index, value = sig.args
    if isinstance(index, types.Integer) and column.ndim == 1:
        kinds, places = [index], [args[1]]
    elif isinstance(index, types.BaseTuple) and _is_one_place(column, index):
        kinds, places = list(sig.args[1]), cgutils.unpack_tuple(builder, args[1], count=len(index))
    else:
        return arrayobj.setitem_array(context, builder, sig, args)
    place = _place(context, builder, column, args[0], kinds, places)
    arrayobj.store_item(context, builder, column, context.cast(builder, args[2], value, column.dtype), place)
    return context.get_dummy_value()


def _is_one_place(column: Column, index: Any) -> bool:
    return len(index) == column.ndim and all(isinstance(kind, types.Integer) for kind in index)


def _place(context: Any, builder: Any, column: Column, array: Any, kinds: Any, places: Any) -> Any:
    """Address of one item."""
    view = arrayobj.make_array(column)(context, builder, array)
    shape = cgutils.unpack_tuple(builder, view.shape, column.ndim)
    strides = cgutils.unpack_tuple(builder, view.strides, column.ndim)
    at = [context.cast(builder, place, kind, types.intp) for place, kind in zip(places, kinds, strict=True)]
    if context.enable_boundscheck:
        for axis, (place, length) in enumerate(zip(at, shape, strict=True)):
            cgutils.do_boundscheck(context, builder, place, length, axis)
    return cgutils.get_item_pointer2(context, builder, view.data, shape, strides, column.layout, at)
