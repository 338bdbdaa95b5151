"""Tables of arrays and numbers that compiled code gets as one address.

numba takes a named tuple apart at every call: a ledger of seventy arrays became five hundred arguments, which took
most of the time of a call and nearly all of the time of compiling it. A table of this kind is a block of words in
memory; an attribute is read from it where it is used. In plain Python it is an object with attributes.
"""

from __future__ import annotations

import hashlib
from typing import Any, Self, dataclass_transform

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core.datamodel import models
from numba.core.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    register_model,
    typeof_impl,
    unbox,
)
from numba.core.typing.templates import AttributeTemplate
from numba.np.arrayobj import make_array, populate_array

from simulation.columns import WORD, Column, column_type


@dataclass_transform(frozen_default=True)
class ByAddress:
    """Base of such tables. Fields are C-contiguous arrays, columns of such, numbers, or other tables of this kind.

    Fields are given in the order of the annotations or by name, all of them; they never change, what arrays hold may.
    Raises TypeError where one is missing, unknown, or an array in pieces.
    """

    _fields: tuple[str, ...] = ()
    _types: dict[tuple[types.Type, ...], Address]

    def __init_subclass__(cls) -> None:
        cls._fields, cls._types = tuple(cls.__annotations__), {}

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self._fields, values, strict=False)) | named
        if len(values) + len(named) != len(self._fields) or set(given) != set(self._fields):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self._fields)}, each once")
        words, kinds = [], []
        for name in self._fields:
            value = given[name]
            self.__dict__[name] = value
            words += _words(value, f"{type(self).__name__}.{name}")
            kinds.append(_kind(value))
        block = np.array(words, dtype=np.int64)
        self.__dict__.update(_block=block, _address=block.ctypes.data, _numba_type_=self._type(tuple(kinds)))

    @classmethod
    def _type(cls, kinds: tuple[types.Type, ...]) -> Address:
        if kinds not in cls._types:
            cls._types[kinds] = Address(cls, tuple(zip(cls._fields, kinds, strict=True)))
        return cls._types[kinds]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is fixed: compiled code holds its address")

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), self.as_tuple()

    def as_tuple(self) -> tuple[Any, ...]:
        """Every field, in the order of the annotations."""
        return tuple(self.__dict__[name] for name in self._fields)


def _kind(value: Any) -> types.Type:
    if isinstance(value, np.ndarray):
        return column_type(value)
    return value.__dict__["_numba_type_"] if isinstance(value, ByAddress) else typeof(value)


def _words(value: Any, name: str) -> list[int]:
    """What stands in the block: of an array its address and shape, of a table its address, of a number itself."""
    if isinstance(value, ByAddress):
        return [value.__dict__["_address"]]
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous and (value.ndim > 1 or value.strides[0] <= 0):
            raise TypeError(f"{name} is an array in pieces; copy it")
        return [value.ctypes.data, *value.shape]
    if isinstance(value, float):
        return [int(np.float64(value).view(np.int64))]
    return [int(value)]


class Address(types.Type):
    """Type of a table in compiled code: the class and the types of its fields."""

    def __init__(self, of: type[ByAddress], fields: tuple[tuple[str, types.Type], ...]) -> None:
        self.of, self.fields = of, fields
        self.at: dict[str, tuple[int, types.Type]] = {}
        place = 0
        for name, kind in fields:
            self.at[name] = place, kind
            place += WORD * (1 + kind.ndim if isinstance(kind, types.Array) else 1)
        # symbols of compiled code hold the name: short, and another one for other fields
        super().__init__(f"{of.__name__}@{hashlib.sha256(repr(fields).encode()).hexdigest()[:12]}")


@typeof_impl.register(ByAddress)
def _type_of(table: ByAddress, context: Any) -> types.Type:
    return table.__dict__["_numba_type_"]


@register_model(Address)
class _Pointer(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: types.Type) -> None:
        super().__init__(manager, kind, ir.IntType(8).as_pointer())


@unbox(Address)
def _unbox(kind: types.Type, table: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(table, "_address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = Address

    def generic_resolve(self, kind: Address, name: str) -> types.Type | None:  # type: ignore[override]
        return kind.at[name][1] if name in kind.at else None


@lower_getattr_generic(Address)
def _read(context: Any, builder: Any, kind: Address, pointer: Any, name: str) -> Any:
    place, field = kind.at[name]
    if isinstance(field, Column):
        return _array(context, builder, field, pointer, place)
    if isinstance(field, types.Boolean):
        return builder.trunc(_word(builder, pointer, place, ir.IntType(64)), context.get_value_type(field))
    return _word(builder, pointer, place, context.get_value_type(field))


def _word(builder: Any, pointer: Any, place: int, kind: Any) -> Any:
    """A word of the block. It never changes, and the compiler may read it as early and as seldom as it likes."""
    at = builder.gep(pointer, [ir.Constant(ir.IntType(64), place)])
    word = builder.load(builder.bitcast(at, kind.as_pointer()))
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word


def _array(context: Any, builder: Any, field: Column, pointer: Any, place: int) -> Any:
    """An array that somebody else owns."""
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(field.dtype)))
    data = _word(builder, pointer, place, context.get_data_type(field.dtype).as_pointer())
    shape = [_word(builder, pointer, place + WORD * (1 + axis), ir.IntType(64)) for axis in range(field.ndim)]
    strides = [context.get_constant(types.intp, field.stride) if field.stride else size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = make_array(field)(context, builder)
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()
