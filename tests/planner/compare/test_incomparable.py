"""What was run under other terms is left out of table and front, with the reason in a sentence."""

from __future__ import annotations

import pytest

from planner.compare.board import board
from planner.compare.fronts import Status, front
from planner.studies.models import Scenario
from planner.studies.services import study_create
from tests.planner.studies.conftest import build_catalogue


@pytest.fixture
def study(workspace, owner, settings):
    settings.REDIS_URL = ""
    catalogue = build_catalogue(workspace, owner)
    axes = {"training": [{"system": "fcfs-quota"}, {"system": "sjf"}], "seeds": 1}
    return study_create(workspace=workspace, user=owner, question="Which?", base=catalogue.base(), axes=axes)


def other_terms(study, **spec):
    """A scenario that got into the study under other terms, as an import or a hand in the database may bring it."""
    base = study.scenarios.get(position=0)
    return Scenario.objects.create(
        study=study, position=9, label="stranger", spec={**base.spec, **spec}, digest="x", family="another",
        changes=[{"path": "x", "old": 1, "new": 2, "unit": ""}],
    )  # fmt: skip


def test_a_study_may_vary_what_it_varies(study):
    assert board(study).excluded == ()
    assert len(board(study).rows) == 2


def test_another_horizon_is_left_out_with_the_reason(study):
    other_terms(study, horizon_s=3600.0)
    table = board(study)
    assert [row.label for row in table.rows if row.label == "stranger"] == []
    assert [e.sentence for e in table.excluded] == ["Other horizon: 3600 s, not until all work has ended."]
    (point,) = [p for p in front(table, "cost_usd", "jct_mean_s").points if p.label == "stranger"]
    assert (point.status, point.x) == (Status.EXCLUDED, None)
    assert point.why.startswith("Other horizon")


def test_another_cluster_is_named_by_its_revision(study):
    other_terms(study, pool_changes={"a100": {"nodes": 7}}, sampling={"mode": "replay", "demand_factor": 2.0})
    (left_out,) = board(study).excluded
    assert "other cluster: Lab rev 1, a100 with 7 nodes, not Lab rev 1" in left_out.sentence
    assert left_out.sentence.startswith("Other demand: x2, not x1; ")


def test_equal_terms_under_another_digest_stay_in(study):
    other_terms(study)
    assert board(study).excluded == ()
    assert len(board(study).rows) == 3
