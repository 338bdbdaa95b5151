"""Policies that the engine does not have, or would not take, are refused before anything is queued."""

from __future__ import annotations

import pytest

from planner.studies import vocabulary
from planner.studies.drafts import draft
from planner.studies.planning import missing_baselines
from planner.studies.spec import SpecError
from simulation.scenario import Choice


@pytest.mark.parametrize(
    ("base", "axes", "field", "words"),
    [
        ({"training": {"system": "magic"}}, {}, "base.training.system", "fcfs-quota"),
        ({"training": {"system": "static-replicas"}}, {}, "base.training.system", "expected one for training"),
        ({"serving": {"system": "sjf"}}, {}, "base.serving.system", "static-replicas"),
        (
            {},
            {"training": [{"system": "sjf"}, {"system": "tiresias", "parameters": {"ordering.promote": -1}}]},
            "axes.training.1.parameters",
            "ordering.promote",
        ),
        ({}, {"training": [{"system": "sjf", "parameters": {"mood": 1}}]}, "axes.training.0.parameters", "mood"),
        (
            {},
            {"training": [{"system": "srtf", "parameters": {"walk": "backfill"}}]},
            "axes.training.0.parameters",
            "preemption",
        ),
    ],
)
def test_the_field_and_what_was_expected_are_named(workspace, catalogue, base, axes, field, words):
    with pytest.raises(SpecError) as error:
        draft(workspace, catalogue.base(**base), axes)
    (problem,) = error.value.problems
    assert problem.field == field
    assert words in problem.sentence


def test_the_information_regime_follows_the_parameters():
    assert vocabulary.regime(Choice(system="sjf")) == "oracle"
    assert vocabulary.regime(Choice(system="sjf", parameters={"ordering.durations": "estimate"})) == "estimate"
    assert vocabulary.regime(Choice(system="fcfs-quota")) == "blind"


def test_missing_baselines_are_told():
    fcfs, short, fair = Choice(system="fcfs-quota"), Choice(system="sjf"), Choice(system="fair-share")
    assert missing_baselines([fcfs, short, fair]) == []
    assert missing_baselines([fcfs, Choice(system="srtf"), Choice(system="tiresias")]) == []
    assert missing_baselines([short]) == [
        "Baseline missing: first come, first served inside static quotas.",
        "Baseline missing: a policy that looks at GPU time and shares.",
    ]


def test_a_parameter_can_take_a_policy_out_of_its_role():
    without_quota = Choice(system="fcfs-quota", parameters={"tenancy": "none"})
    assert "Baseline missing: first come, first served inside static quotas." in missing_baselines([without_quota])


def test_an_oracle_is_marked_wherever_its_numbers_stand(workspace, catalogue):
    by_estimate = {"system": "sjf", "label": "Short", "parameters": {"ordering.durations": "estimate"}}
    made = draft(workspace, catalogue.base(), {"training": [{"system": "sjf", "label": "Short"}, by_estimate]})
    assert [v.label for v in made.variants] == ["FCFS with static quota", "Short (oracle)", "Short"]
    assert [m.regime for m in made.marks] == ["blind", "oracle", "estimate"]
