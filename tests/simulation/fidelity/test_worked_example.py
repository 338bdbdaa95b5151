"""The worked example, exactly, out of runs."""

from __future__ import annotations

import pytest

from simulation.fidelity.rows import Row
from simulation.fidelity.worked_example import scenario, scenarios
from simulation.fidelity.worked_example_rows import rows
from simulation.run import run_records
from simulation.scenario import Scenario


def test_every_figure_is_met() -> None:
    found = rows()
    assert len(found) > 25
    assert [row.document() for row in found if row.verdict != "pass"] == []


def test_job_figures_have_no_tolerance() -> None:
    assert {row.tolerance for row in rows() if row.unit == "s" and "request" not in row.quantity} <= {0.0, 1e-9}


def test_a_wrong_figure_fails() -> None:
    assert Row("c", "q", 1.0, 1.1, tolerance=0.05).verdict == "fail"
    assert Row("c", "q", 1.0, None).verdict == "fail"


def test_three_variants_as_json() -> None:
    for variant, made in scenarios().items():
        assert Scenario.model_validate_json(made.model_dump_json()) == made
        assert made.name
        assert scenario(variant) == made


def test_the_switches_decide() -> None:
    """The same scenario with the switch of another variant gives the other variant's numbers."""
    made = scenarios()["shrinks"]
    other = made.training.model_copy(update={"parameters": made.training.parameters | {"sizing.regrow": True}})
    assert run_records(made.model_copy(update={"training": other})).jobs.end_s[0] == pytest.approx(2250.0)
