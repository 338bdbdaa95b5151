"""Two runs share an axis only where all terms agree that the study does not vary; the reason is a sentence."""

from __future__ import annotations

import pytest

from planner.evidence.comparability import comparable, engines_differ
from planner.studies.terms import NAMES, Term, family_of

BASE = {name: Term(f"{name} key", f"this {name}") for name in NAMES}


def changed(*names):
    return {**BASE, **{name: Term("other", f"that {name}") for name in names}}


def test_equal_terms_compare():
    assert comparable(BASE, BASE) is None


@pytest.mark.parametrize("name", NAMES)
def test_each_term_that_differs_is_named(name):
    sentence = comparable(changed(name), BASE)
    assert sentence == f"Other {NAMES[name]}: that {name}, not this {name}."


def test_all_differing_terms_stand_in_one_sentence():
    sentence = comparable(changed("workload", "horizon"), BASE)
    assert "other horizon: that horizon, not this horizon" in sentence
    assert sentence.startswith("Other workload: ")


def test_what_the_study_varies_may_differ():
    assert comparable(changed("cluster", "demand"), BASE, varied={"cluster", "demand"}) is None
    assert comparable(changed("cluster", "demand"), BASE, varied={"cluster"}) is not None


def test_a_policy_brings_its_information_regime_along():
    assert comparable(changed("regime"), BASE) is not None
    assert comparable(changed("regime"), BASE, varied={"policy"}) is None


def test_an_unstated_term_does_not_pass_for_an_equal_one():
    assert comparable({k: v for k, v in BASE.items() if k != "horizon"}, BASE) is not None


def test_families_are_equal_exactly_where_terms_compare():
    assert family_of(BASE, {"cluster"}) == family_of(changed("cluster"), {"cluster"})
    assert family_of(BASE, ()) != family_of(changed("cluster"), ())


def test_engine_versions_are_named():
    assert engines_differ("2", "1", 0, 5) is None
    assert engines_differ("2", "1", 5, 5).startswith("All its finished runs are left out")
