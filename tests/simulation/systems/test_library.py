"""What pages and searches read of a system: its place on the axes, the stages that it fills, its cited claims."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from simulation.mechanisms import families
from simulation.provenance import Origin
from simulation.systems.registry import SYSTEMS
from simulation.systems.stages import ALSO, FAMILIES, STAGES, loop_of
from simulation.systems.taxonomy import OBJECTIVES, RESOURCES, USES, grid, places


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_system_has_a_place_on_both_axes(slug):
    assert places(SYSTEMS[slug])


def test_a_word_that_is_on_neither_axis_is_named():
    lost = replace(SYSTEMS["sjf"], objectives=("jct", "beauty"))
    with pytest.raises(ValueError, match="'sjf': beauty"):
        places(lost)


def test_a_resource_belongs_to_one_use():
    assert len(RESOURCES) == sum(len(use.resources) for use in USES)


def test_the_grid_has_every_cell_and_every_system_in_each_of_its_places():
    cells = grid(SYSTEMS.values())
    assert len(cells) == len(OBJECTIVES) * len(USES)
    assert {(s.slug, place) for place, found in cells.items() for s in found} == {
        (s.slug, place) for s in SYSTEMS.values() for place in places(s)
    }


def test_every_family_of_mechanisms_fills_a_stage():
    assert set(FAMILIES) == set(families.FAMILIES)
    assert set(FAMILIES.values()) <= set(STAGES)


def test_further_stages_are_told_of_members_that_exist():
    assert [key for key in ALSO if key[1] not in families.FAMILIES[key[0]]] == []
    assert {stage for more in ALSO.values() for stage in more} <= set(STAGES)


@pytest.mark.parametrize("slug", SYSTEMS)
def test_the_loop_shows_each_mechanism_of_a_recipe(slug):
    stages = loop_of(SYSTEMS[slug].recipe)
    assert [stage.name for stage in stages] == list(STAGES)
    shown = {part.family for stage in stages for part in stage.parts if part.sentence}
    assert shown == {"information", *SYSTEMS[slug].recipe.stages}


def test_a_member_that_does_nothing_fills_no_stage():
    quota, free = (loop_of(SYSTEMS[slug].recipe) for slug in ("fcfs-quota", "sjf"))
    idle = [part.name for stage in free for part in stage.parts if part.idle]
    assert idle == ["NoPreemption", "NoQuota"]
    assert "StaticQuota" in [part.name for stage in quota for part in stage.parts if not part.idle]


@pytest.mark.parametrize("slug", SYSTEMS)
def test_claims_are_cited_with_their_place_and_confidence(slug):
    for claim in SYSTEMS[slug].claims:
        assert claim.origin is Origin.CITED
        assert claim.place
        assert claim.confidence in ("read", "recalled")
        assert json.loads(json.dumps(claim.document()))["value"] == claim.value
    assert SYSTEMS[slug].document()["claims"] == [claim.document() for claim in SYSTEMS[slug].claims]


def test_claims_agree_with_the_collected_figures(shared_dir):
    yaml = pytest.importorskip("yaml")
    for system in SYSTEMS.values():
        file = shared_dir / "systems" / f"{system.slug}.yaml"
        if not system.claims:
            continue
        told = [
            (c["metric"], _value(c["value"]), c["kind"], c["confidence"])
            for c in yaml.safe_load(file.read_text())["claims"]
        ]
        assert [(c.metric, c.value, c.kind, c.confidence) for c in system.claims] == told


def _value(told):
    """A range is told by its ends; a claim has its lower end as value."""
    return float(told.split("-")[0]) if isinstance(told, str) else told
