"""A number is never stronger than the weakest number that it was made from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.provenance import Figure, Origin, derive, weakest

origins = st.sampled_from(list(Origin))
leaves = st.builds(
    Figure, value=st.one_of(st.none(), st.floats(-1e6, 1e6)), unit=st.just("1"), origin=origins, source=st.just("s")
)
OPERATIONS = {"sum": sum, "largest": max, "product": lambda values: values[0] * values[-1]}


@st.composite
def derived(draw, children):
    inputs = draw(st.lists(children, min_size=1, max_size=4))
    name, at_best = draw(st.sampled_from(sorted(OPERATIONS))), draw(origins)
    return derive(name, "1", lambda *values: OPERATIONS[name](list(values)), *inputs, at_best=at_best)


trees = st.recursive(leaves, derived, max_leaves=20)


def all_leaves(figure):
    return [leaf for child in figure.inputs for leaf in all_leaves(child)] if figure.inputs else [figure]


@given(trees)
def test_no_tree_of_computations_is_stronger_than_its_weakest_leaf(figure):
    assert figure.origin.weakness >= max(leaf.origin.weakness for leaf in all_leaves(figure))


@given(trees)
def test_one_unknown_leaf_makes_the_whole_unknown(figure):
    known = all(leaf.value is not None for leaf in all_leaves(figure))
    assert (figure.value is not None) == known


@given(st.lists(origins, min_size=1))
def test_the_weakest_is_one_of_them_and_none_is_weaker(kinds):
    found = weakest(kinds)
    assert found in kinds
    assert all(kind.weakness <= found.weakness for kind in kinds)
    assert weakest(reversed(kinds)) == found


def test_the_order_of_strength():
    assert [o.value for o in sorted(Origin, key=lambda o: o.weakness)] == [
        "measured", "simulated", "cited", "assumed", "illustrative",
    ]  # fmt: skip
    assert [o.letter for o in Origin] == ["M", "S", "C", "A", "I"]


def test_a_number_without_an_origin_is_a_bug():
    with pytest.raises(ValueError, match="a number needs at least one origin"):
        weakest([])


def test_a_figure_stronger_than_its_inputs_cannot_be_made():
    guess = Figure(1.0, "1", Origin.ASSUMED)
    with pytest.raises(ValueError, match="a measured figure cannot be derived from a weaker one"):
        Figure(1.0, "1", Origin.MEASURED, inputs=(guess,))


def test_words_become_origins_and_strangers_are_refused():
    assert Figure(1.0, "1", "cited").origin is Origin.CITED
    with pytest.raises(ValueError, match="guessed"):
        Figure(1.0, "1", "guessed")


def test_a_computation_keeps_formula_and_inputs():
    price, hours = Figure(2.5, "USD/GPU-h", Origin.ASSUMED), Figure(10.0, "GPU-h", Origin.SIMULATED)
    cost = derive("price x hours", "USD", lambda p, h: p * h, price, hours)
    assert (cost.value, cost.origin, cost.formula, cost.inputs) == (25.0, "assumed", "price x hours", (price, hours))
    assert derive("f", "1", lambda h: h, Figure(1.0, "1", "measured"), at_best=Origin.SIMULATED).origin == "simulated"
