"""From a question to a front: real scenarios, the real engine, the real run services, in one process."""

from __future__ import annotations

import pytest

from planner.compare.board import board
from planner.compare.fronts import Status, front
from planner.studies.assembly import scenario_build
from planner.studies.models import Result, Run, Scenario
from planner.studies.progress import progress_of
from planner.studies.runs.execution import run_execute_next
from planner.studies.services import study_create
from simulation.provenance import Origin
from simulation.run import simulate
from simulation.scenario import canonical_bytes, digest_of

pytestmark = pytest.mark.django_db(transaction=True)

AXES = {
    "training": [{"system": "fcfs-quota"}, {"system": "sjf"}, {"system": "tiresias"}],
    "clusters": [{"label": "as it is"}, {"label": "one more", "pool_changes": {"a100": {"nodes_delta": 1}}}],
    "seeds": 2,
}


@pytest.fixture
def ask(workspace, owner, catalogue, settings):
    settings.REDIS_URL = ""

    def make(question="Which policy?"):
        base = catalogue.base(sampling={"mode": "resampled"}, overheads={"restart_s": 30.0})
        return study_create(workspace=workspace, user=owner, question=question, base=base, axes=AXES)

    return make


def compute():
    while run_execute_next("w/1"):
        pass


def test_all_runs_end_done_and_their_results_are_what_the_engine_gives(ask):
    study = ask()
    compute()
    assert progress_of(study).states == {"done": 12}
    for run in Run.objects.filter(scenario__study=study, seed=1).select_related("result", "scenario__study__workspace"):
        alone = simulate(scenario_build(run.scenario), 1).document
        assert canonical_bytes(alone) == canonical_bytes(run.result.document)
        assert run.result.sha256 == digest_of(alone)
        assert run.result.metrics == alone["metrics"]


def test_the_board_and_the_front_rest_on_those_results(ask):
    study = ask()
    compute()
    table = board(study)
    base = table.rows[0]
    results = Result.objects.filter(runs__scenario_id=base.scenario_id)
    by_hand = [r.document["metrics"]["jct_mean_s"]["value"] for r in results]
    assert base.cells["jct_mean_s"].value == pytest.approx(sum(by_hand) / 2)
    assert base.cells["jct_mean_s"].seeds == 2
    found = front(table, "rho_max", "jct_mean_s")
    assert found.counts["front"] >= 1
    assert found.counts["excluded"] == 0
    assert {p.status for p in found.points} <= {Status.FRONT, Status.DOMINATED}


def test_what_is_not_known_is_not_drawn(ask):
    """The sheet has no price of H100s and no watts are known of them."""
    study = ask()
    compute()
    table = board(study)
    cell = table.rows[0].cells["cost_usd"]
    assert cell.value is None
    assert "h100" in cell.note.lower()
    found = front(table, "cost_usd", "jct_mean_s")
    assert {p.status for p in found.points} == {Status.EXCLUDED}
    assert all(p.why.startswith("Cost is unknown") for p in found.points)


def test_origins_follow_the_inputs_of_each_metric(ask):
    study = ask()
    compute()
    cells = board(study).rows[0].cells
    assert cells["jct_mean_s"].origin is Origin.SIMULATED
    assert cells["cost_usd"].origin is Origin.ASSUMED
    assert cells["energy_kwh"].origin is Origin.CITED


def test_a_second_study_of_the_same_is_answered_at_once(ask):
    first = ask()
    compute()
    again = ask("And again?")
    assert progress_of(again).states == {"done": 12}
    assert Result.objects.count() == 12
    mine = Scenario.objects.get(study=again, position=1)
    assert mine.digest == Scenario.objects.get(study=first, position=1).digest
