"""A result is never stronger than its weakest input, however it was computed; unknown stays unknown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.provenance import Figure, Origin, derive, weakest

ORIGINS = st.sampled_from(list(Origin))
VALUES = st.none() | st.floats(-1e6, 1e6)
LEAVES = st.builds(Figure, value=VALUES, unit=st.just("1"), origin=ORIGINS)
OPERATIONS: dict[str, Callable[..., float]] = {
    "sum": lambda *v: math.fsum(v),
    "product": lambda *v: math.prod(v),
    "largest": lambda *v: max(v),
    "mean": lambda *v: math.fsum(v) / len(v),
}


def computed(inputs: st.SearchStrategy[Figure]) -> st.SearchStrategy[Figure]:
    """Figures made of figures by any of the operations, at best of any origin."""

    def made(name: str, parts: list[Figure], at_best: Origin) -> Figure:
        return derive(name, "1", OPERATIONS[name], *parts, at_best=at_best)

    return st.builds(made, st.sampled_from(list(OPERATIONS)), st.lists(inputs, min_size=1, max_size=4), ORIGINS)


FIGURES = st.recursive(LEAVES, computed, max_leaves=20)


def leaves(figure: Figure) -> Iterator[Figure]:
    if not figure.inputs:
        yield figure
    for part in figure.inputs:
        yield from leaves(part)


@given(FIGURES)
def test_no_computation_makes_a_figure_stronger(figure: Figure) -> None:
    assert figure.origin.weakness >= weakest(leaf.origin for leaf in leaves(figure)).weakness
    for part in figure.inputs:
        assert figure.origin.weakness >= part.origin.weakness


@given(FIGURES)
def test_an_unknown_input_makes_the_result_unknown(figure: Figure) -> None:
    if any(leaf.value is None for leaf in leaves(figure)):
        assert figure.value is None
    else:
        assert figure.value is not None


@given(st.lists(ORIGINS, min_size=1))
def test_the_weakest_is_one_of_them_and_none_is_weaker(origins: list[Origin]) -> None:
    found = weakest(origins)
    assert found in origins
    assert all(found.weakness >= origin.weakness for origin in origins)


@given(LEAVES, ORIGINS)
def test_a_stronger_claim_than_the_inputs_allow_is_refused(leaf: Figure, claimed: Origin) -> None:
    if claimed.weakness < leaf.origin.weakness:
        with pytest.raises(ValueError, match="cannot be derived from a weaker one"):
            Figure(1.0, "1", claimed, inputs=(leaf,))
    else:
        assert Figure(1.0, "1", claimed, inputs=(leaf,)).origin is claimed


def test_a_number_without_an_origin_is_a_bug() -> None:
    with pytest.raises(ValueError, match="at least one origin"):
        weakest([])
