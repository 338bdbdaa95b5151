"""Tables that compiled code reads by their address hold what was put into them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numba import njit

from simulation.by_address import ByAddress
from simulation.records import Floats, Ints


class Inside(ByAddress):
    """A table in another."""

    grid: Floats


class Outside(ByAddress):
    """One of each kind."""

    count: int
    rows: Ints
    inside: Inside
    rate: float
    on: bool


def made(rows: int = 3) -> Outside:
    return Outside(7, np.arange(rows), Inside(np.arange(6.0).reshape(2, 3)), 0.25, True)


@njit
def read(t: Outside) -> tuple[int, int, int, float, float, bool]:
    return t.count, t.rows[2], len(t.rows), t.inside.grid[1, 2], t.rate, t.on


@njit
def double(t: Outside) -> None:
    t.rows[:] *= 2


def test_compiled_code_reads_what_python_reads():
    assert read(made()) == read.py_func(made()) == (7, 2, 3, 5.0, 0.25, True)
    assert read(made(5))[1:3] == (2, 5), "one form of code serves every length"
    assert len(read.signatures) == 1


def test_what_compiled_code_writes_is_in_the_array():
    table = made()
    double(table)
    assert table.rows.tolist() == [0, 2, 4]


def test_fields_are_fixed():
    with pytest.raises(AttributeError, match=r"Outside\.rate is fixed"):
        made().rate = 1.0


@pytest.mark.parametrize(("given", "named"), [((1,), {}), ((np.zeros(2),), {"more": 1}), ((), {"gird": 1})])
def test_a_field_that_is_missing_or_unknown_is_refused(given, named):
    with pytest.raises(TypeError, match="Inside has the fields grid, each once"):
        Inside(*given[1:], **named)


def test_an_array_in_pieces_is_refused():
    with pytest.raises(TypeError, match=r"Inside\.grid is an array in pieces"):
        Inside(np.zeros((4, 4))[:, ::2])


def test_a_table_is_pickled_with_what_it_holds():
    again = pickle.loads(pickle.dumps(made()))
    assert read(again) == read(made())
    assert again._address != made()._address
