"""A question becomes scenarios and queued runs in one transaction; what is wrong is said and nothing is kept."""

from __future__ import annotations

import uuid

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from planner.accounts.models import AuditEntry, Role
from planner.accounts.services import workspace_create
from planner.studies import selectors, services
from planner.studies.models import Result, Run, Scenario, Study
from planner.studies.spec import SpecError
from simulation import ENGINE_VERSION

POLICIES = {"training": [{"system": "fcfs-quota"}, {"system": "sjf"}], "seeds": 3}


@pytest.fixture(autouse=True)
def _no_broker(settings):
    settings.REDIS_URL = ""


@pytest.fixture
def create(workspace, owner, catalogue):
    def make(question="Which policy?", axes=POLICIES, user=owner, **base):
        return services.study_create(
            workspace=workspace, user=user, question=question, base=catalogue.base(**base), axes=axes
        )

    return make


def test_every_scenario_and_seed_is_one_queued_run(create):
    study = create()
    assert [s.position for s in selectors.scenarios(study)] == [0, 1]
    assert Run.objects.filter(scenario__study=study, state="queued", enqueued_at__isnull=False).count() == 6
    assert study.slos == [{"metric": "wait_p95_s", "limit": 3600.0, "hard": True}]
    entry = AuditEntry.objects.get(action="study.create")
    assert (entry.detail["queued"], entry.target) == (6, "Which policy?")


def test_runs_go_seed_by_seed_so_that_all_scenarios_have_an_answer_early(create):
    study = create()
    rows = Run.objects.filter(scenario__study=study).order_by("created_at", "id").values_list("seed", flat=True)
    by_age = list(Run.objects.filter(scenario__study=study).order_by("created_at").values_list("seed", flat=True))
    assert by_age == sorted(by_age)
    assert sorted(rows) == [0, 0, 1, 1, 2, 2]


def test_the_same_question_is_not_computed_twice(create):
    first = create()
    scenario = first.scenarios.first()
    result = Result.objects.create(
        scenario_digest=scenario.digest, seed=1, engine_version=ENGINE_VERSION, document={}, sha256="", compute_s=1.0
    )
    again = create("Asked again")
    answered = Run.objects.get(scenario__study=again, scenario__position=0, seed=1)
    assert (answered.state, answered.result_id) == ("done", result.id)
    assert Run.objects.filter(scenario__study=again, state="queued").count() == 5


def test_an_answer_of_another_engine_version_does_not_count(create):
    scenario = create().scenarios.first()
    Result.objects.create(
        scenario_digest=scenario.digest, seed=1, engine_version="0.0.1", document={}, sha256="", compute_s=1.0
    )
    assert not Run.objects.filter(scenario__study=create("Again"), state="done").exists()


@pytest.mark.parametrize("field", ["cluster", "workload", "prices", "slos"])
def test_a_reference_that_leads_nowhere_is_named_and_nothing_is_kept(create, field):
    with pytest.raises(SpecError) as error:
        create(**{field: str(uuid.uuid4())})
    assert [p.field for p in error.value.problems] == [f"base.{field}"]
    assert not Study.objects.exists()


def test_a_revision_of_another_kind_or_workspace_does_not_exist_here(create, catalogue, person):
    from tests.planner.studies.conftest import build_catalogue

    with pytest.raises(SpecError, match=r"base\.cluster"):
        create(cluster=str(catalogue.prices.id))
    stranger = person("sam")
    theirs = build_catalogue(workspace_create(name="Others", owner=stranger), stranger)
    with pytest.raises(SpecError, match=r"base\.workload"):
        create(workload=str(theirs.workload.id))


@pytest.mark.parametrize("question", ["", "  ", "x" * 201, "nul \x00"])
def test_a_question_must_be_asked(create, question):
    with pytest.raises(SpecError) as error:
        create(question)
    assert error.value.problems[0].field == "question"


def test_caps_are_named(create):
    with pytest.raises(SpecError, match="the cap is"):
        create(axes={"demand_factors": [1 + i / 100 for i in range(50)], "seeds": 200, "training": [
            {"system": "tiresias", "parameters": {"ordering.promote": i}} for i in range(30)]})  # fmt: skip


def test_the_base_counts_against_the_cap_too(create, monkeypatch):
    monkeypatch.setattr("planner.studies.spec.MAX_SCENARIOS", 2)
    assert create(axes=POLICIES).scenarios.count() == 2
    with pytest.raises(SpecError, match="3 scenarios; the cap is 2"):
        create(axes={"training": [{"system": "sjf"}, {"system": "tiresias"}], "seeds": 1})


def test_a_cluster_that_would_be_too_large_is_refused_by_its_label(create):
    huge = [{"label": "huge", "pool_changes": {"a100": {"nodes": 60_000}}}]
    with pytest.raises(SpecError) as error:
        create(axes={"clusters": huge, "seeds": 1})
    assert [p.sentence for p in error.value.problems] == ["FCFS with static quota, huge: more than 50000 nodes"]


@pytest.mark.parametrize("role", [Role.MANAGER, Role.REVIEWER])
def test_those_who_may_only_read_may_not_ask(create, member, role):
    with pytest.raises(PermissionDenied):
        create(user=member(role))
    assert not Study.objects.exists()


def test_a_planner_may_ask_and_archive_and_restore(create, member, workspace):
    planner = member(Role.PLANNER)
    study = create(user=planner)
    services.study_archive(study=study, user=planner)
    assert not selectors.studies(workspace).exists()
    assert selectors.studies(workspace, archived=True).get() == study
    services.study_restore(study=study, user=planner)
    assert selectors.studies(workspace).get() == study


def test_strangers_find_nothing(create, workspace, person, owner):
    study = create()
    run = Run.objects.filter(scenario__study=study).first()
    other = workspace_create(name="Others", owner=person("sam"))
    for user, place in ((person("tom"), workspace), (owner, other)):
        with pytest.raises(Http404):
            selectors.study_for(user, place, study.id)
        with pytest.raises(Http404):
            selectors.run_for(user, place, run.id)
    with pytest.raises(Http404):
        services.study_archive(study=study, user=person("eve"))
    sam = other.members.get()
    for wrong in (study.id, "not-an-id", uuid.uuid4()):
        with pytest.raises(Http404):
            selectors.study_for(sam, other, wrong)
    assert selectors.study_for(owner, workspace, str(study.id)) == study
    assert selectors.run_for(owner, workspace, run.id).scenario.study == study


def test_the_list_counts_scenarios_and_runs_by_state(create, workspace):
    study = create()
    Run.objects.filter(scenario__study=study, seed=0).update(state=Run.State.FAILED)
    create("Another")
    row = selectors.studies(workspace).get(id=study.id)
    assert (row.scenarios_total, row.runs_total, row.runs_queued, row.runs_failed) == (2, 6, 4, 2)
    assert [s.runs_total for s in selectors.scenarios(study)] == [3, 3]


def test_the_list_begins_with_the_newest(create, workspace):
    asked = [create(f"Question {i}") for i in range(6)]
    assert list(selectors.studies(workspace)) == asked[::-1]


def test_a_study_lists_its_scenarios_in_order_with_changes(create):
    study = create()
    rows = list(Scenario.objects.filter(study=study).order_by("position"))
    assert rows[0].changes == []
    assert [c["path"] for c in rows[1].changes] == ["training"]
    assert rows[0].family == rows[1].family
    assert rows[0].digest != rows[1].digest


def test_a_limit_on_something_that_is_no_metric_is_refused(create, workspace, owner):
    from planner.catalog.models import Kind
    from planner.catalog.services import revision_add

    slos = revision_add(
        workspace=workspace, user=owner, kind=Kind.SLOS, name="Odd", origin="assumed", source="typed",
        document={"slos": [{"metric": "happiness", "limit": 1.0}]},
    )  # fmt: skip
    with pytest.raises(SpecError, match=r"base\.slos: SLO set, limit 1: happiness is not a metric"):
        create(slos=str(slos.id))
