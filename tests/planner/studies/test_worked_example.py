"""The worked example as a study: the mean cannot choose between two of its variants, and the board shows what can."""

from __future__ import annotations

import pytest

from planner.compare.board import board
from planner.compare.fronts import front
from planner.studies import example
from planner.studies.models import Run, Study
from planner.studies.runs.execution import run_execute
from simulation.provenance import Origin
from simulation.run import Outcome, simulate

pytestmark = pytest.mark.django_db(transaction=True)


_OUTCOMES: dict[tuple[str, int], Outcome] = {}


def simulated_once(scenario, seed, **asked):
    """The engine, remembering: each test asks for the same six runs."""
    key = (scenario.name, seed)
    if key not in _OUTCOMES:
        _OUTCOMES[key] = simulate(scenario, seed, **asked)
    return _OUTCOMES[key]


@pytest.fixture
def table(owner, settings, monkeypatch):
    settings.REDIS_URL = ""
    monkeypatch.setattr("simulation.run.simulate", simulated_once)
    monkeypatch.setattr(example, "STUDIES", (example.WORKED,))
    example.example_create(user=owner)
    study = Study.objects.get()
    for run in Run.objects.filter(scenario__study=study).values_list("id", flat=True):
        run_execute(run, "w/1")
    return board(study)


def values(table, metric):
    return [row.cells[metric].value for row in table.rows]


def test_the_three_variants_have_the_exact_numbers(table):
    assert [row.label for row in table.rows] == [
        "A keeps 4 GPUs, B waits", "A shrinks to 2, B starts", "A shrinks to 2, B starts, A grows back",
    ]  # fmt: skip
    assert values(table, "jct_mean_s") == [1950.0, 1950.0, 1575.0]
    assert values(table, "makespan_s") == [2700.0, 3000.0, 2250.0]
    assert values(table, "wait_mean_s") == [600.0, 0.0, 0.0]
    assert {row.cells["jct_mean_s"].method for row in table.rows} == {"exact: equal in all 2 seeds"}


def test_the_mean_shows_no_difference_and_other_metrics_do(table):
    keeps, shrinks, regrows = table.rows
    assert keeps.cells["jct_mean_s"].difference is None
    assert shrinks.cells["jct_mean_s"].difference.words == "no difference shown"
    assert regrows.cells["jct_mean_s"].difference.absolute == -375.0
    telling = {name for name, cell in shrinks.cells.items() if cell.difference.shown}
    assert {"wait_mean_s", "wait_p95_s", "jct_p95_s", "makespan_s"} <= telling


def test_all_of_it_is_illustrative(table):
    assert {cell.origin for row in table.rows for cell in row.cells.values()} == {Origin.ILLUSTRATIVE}


def test_the_service_keeps_its_limit_in_all_variants(table):
    assert [row.feasible for row in table.rows] == [True, True, True]


def test_a_front_of_mean_and_tail_prefers_growing_back(table):
    found = front(table, "jct_mean_s", "wait_p95_s")
    assert [p.label for p in found.points if p.status == "front"] == ["A shrinks to 2, B starts, A grows back"]
