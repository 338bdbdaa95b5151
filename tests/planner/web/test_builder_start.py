"""What the study builder starts from: parts that belong together, and nothing of what the page hides."""

from __future__ import annotations

import pytest
from django.urls import reverse

from planner.catalog.models import Kind
from planner.catalog.services import revision_add
from planner.studies import proposal
from planner.studies.models import Study
from simulation.scenario import Cluster, JobTable, Phase, Pool, Requests, Service, Workload
from tests.planner.web import material

TYPED = {"origin": "assumed", "source": "typed in"}


@pytest.fixture
def parts(workspace, owner):
    return {name: str(revision.id) for name, revision in material.catalogue(workspace, owner).items()}


def shown(client, workspace, **query):
    return client.get(reverse("study-new", args=[workspace.slug]), query).context


def cluster(workspace, owner, name, nodes, model="V100"):
    made = Cluster(pools=[Pool(name="p", gpu_model=model, nodes=nodes, gpus_per_node=8)])
    document = {"cluster": made.model_dump(mode="json"), "origins": {"cluster": "assumed", "power": "assumed"}}
    return revision_add(workspace=workspace, user=owner, kind=Kind.CLUSTER, name=name, document=document, **TYPED)


def services(workspace, owner, name="A service"):
    requests = Requests(phases=[Phase(start_s=0, rate_per_s=5)], end_s=20)
    one = Service(name="rank", alpha_s=0.1, beta_s=0.02, batch_max=4, slo_s=1.0, requests=requests)
    return revision_add(
        workspace=workspace, user=owner, kind=Kind.WORKLOAD, name=name, workload=Workload(services=[one]), **TYPED
    )


def test_the_base_of_the_newest_study_is_proposed(signed_in, workspace, owner, parts):
    cluster(workspace, owner, "AAA, newer and first by name", nodes=4)
    Study.objects.create(
        workspace=workspace, question="Before?", created_by=owner, axes={"seeds": 3},
        base=parts | {"training": {"system": "sjf", "parameters": {}}, "serving": {"system": "static-replicas"},
                      "sampling": {"mode": "replay"}, "horizon_s": 86_400, "quotas": {"x": 2.0}},
    )  # fmt: skip
    given = shown(signed_in, workspace)["given"]
    assert {role: given[role] for role in parts} == parts
    assert (given["base_policy"], given["sampling"], given["horizon"], given["quotas"]) == ("sjf", "replay", "1", "x 2")
    assert (given.get("question", ""), given["seeds"]) == ("", "10")


def test_a_newer_revision_of_what_the_study_used_is_taken(signed_in, workspace, owner, parts):
    material.study(workspace, owner, scenarios=1, seeds=1)
    newer = cluster(workspace, owner, "V100-64", nodes=9)
    assert shown(signed_in, workspace)["given"]["cluster"] == str(newer.id)


def test_without_a_study_the_newest_parts_that_fit_are_proposed(signed_in, workspace, owner, parts):
    cluster(workspace, owner, "AAA, too small for the jobs", nodes=1)
    context = shown(signed_in, workspace)
    assert {role: context["given"][role] for role in parts} == parts
    assert context["plan"].problems == ()


def test_a_price_sheet_that_prices_nothing_of_the_cluster_is_not_proposed(workspace, owner, parts):
    jobs = JobTable(id=["a"], submit_s=[0.0], duration_s=[60.0], gpus=[1])
    revision_add(
        workspace=workspace, user=owner, kind=Kind.WORKLOAD, name="Small", workload=Workload(jobs=jobs), **TYPED
    )
    other = cluster(workspace, owner, "H100s", nodes=2, model="H100-SXM5-80GB")
    proposed = proposal.parts_that_fit(workspace)
    assert (proposed["cluster"], proposed["prices"]) == (str(other.id), "")


def test_an_empty_workspace_proposes_nothing(workspace):
    assert set(proposal.parts_that_fit(workspace).values()) == {""}


def test_policies_of_services_that_the_page_hides_are_not_asked_for(signed_in, workspace, parts):
    form = parts | {"question": "Jobs only?", "base_policy": "fcfs-quota", "policy": ["sjf"], "seeds": "2",
                    "serving": ["static-replicas", "utilisation-autoscaler"], "base_serving": "utilisation-autoscaler",
                    "sampling": "resampled"}  # fmt: skip
    answer = signed_in.post(reverse("study-new", args=[workspace.slug]), form, follow=True)
    made = Study.objects.get()
    assert made.axes["serving"] == []
    assert made.base["serving"]["system"] == "static-replicas"
    assert "Policies of services were left out: the workload has no services." in answer.content.decode()


def test_hidden_policies_of_services_are_disabled_and_shown_ones_are_not(signed_in, workspace, owner, parts):
    served = services(workspace, owner)
    address = reverse("study-new-plan", args=[workspace.slug])
    for workload, disabled in ((parts["workload"], True), (str(served.id), False)):
        form = {"cluster": parts["cluster"], "workload": workload, "base_policy": "fcfs-quota", "seeds": "2"}
        page = signed_in.post(address, form, headers={"HX-Request": "true", "HX-Trigger-Name": "workload"})
        fieldset = page.content.decode().split('id="serving"')[1].split(">")[0]
        assert ("hidden disabled" in fieldset) is disabled


def test_a_study_like_another_keeps_its_overheads_and_what_they_leave_open(signed_in, workspace, owner):
    study = material.study(workspace, owner, scenarios=2, seeds=1)
    for interval, shown in ((None, ""), (1800.0, "1800")):
        study.base["overheads"] = {"start_s": 30.0, "checkpoint_interval_s": interval}
        study.save()
        built = signed_in.get(reverse("study-new", args=[workspace.slug]) + f"?like={study.id}")
        told = {name: value for name, _, value in built.context["overheads"]}
        assert (told["start_s"], told["checkpoint_interval_s"]) == ("30", shown)
        assert built.context["plan"].problems == ()
