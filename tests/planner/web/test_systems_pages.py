"""The library: a page for every system, the grid of axes, and links that tick systems in the study builder."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from planner.accounts.models import Role
from planner.catalog.models import Kind
from planner.catalog.services import revision_add
from simulation.scenario import Requests, Service, Workload
from simulation.systems.registry import SYSTEMS
from simulation.systems.taxonomy import OBJECTIVES, USES, places
from tests.planner.web import material


def page_of(client, workspace, name, *args, **query):
    answer = client.get(reverse(name, args=[workspace.slug, *args]), query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(("name", "args"), [("systems", []), ("system", ["tiresias"]), ("grid", [])])
def test_the_library_of_another_workspace_does_not_exist(client, person, workspace, name, args):
    client.force_login(person("stranger"))
    assert client.get(reverse(name, args=[workspace.slug, *args])).status_code == 404


def test_the_side_bar_leads_to_the_library(signed_in, workspace):
    page = page_of(signed_in, workspace, "system", "tiresias")
    assert f'<a href="/w/{workspace.slug}/grid/">Grid</a>' in page
    assert f'<a href="/w/{workspace.slug}/systems/" aria-current="true">Systems</a>' in page


def test_the_list_has_every_system_of_the_registry(signed_in, workspace):
    page = page_of(signed_in, workspace, "systems")
    assert f"{len(SYSTEMS)} systems" in page
    assert [s for s in SYSTEMS if reverse("system", args=[workspace.slug, s]) not in page] == []


def test_an_unknown_system_is_no_page(signed_in, workspace):
    assert signed_in.get(reverse("system", args=[workspace.slug, "nothing"])).status_code == 404


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_page_tells_what_the_registry_knows(signed_in, workspace, slug):
    system, page = SYSTEMS[slug], page_of(signed_in, workspace, "system", slug)
    assert len(re.findall(r"<li(?: class=\"lit\")?><h3>", page)) == 8
    assert [type(m).__name__ for m in system.recipe.stages.values() if type(m).__name__ not in page] == []
    assert [row["key"] for row in system.recipe.parameters() if f"<code>{row['key']}</code>" not in page] == []
    assert page.count('<i class="on">') == len(places(system))
    assert f"Information regime <b>{system.information}</b>" in page
    assert ("Published elsewhere" in page) == bool(system.claims)


def test_parameters_carry_value_bounds_unit_and_the_origin_of_their_source(signed_in, workspace):
    page = page_of(signed_in, workspace, "system", "tiresias")
    row = page.split("<code>ordering.thresholds_gpu_s</code>")[1].split("</tr>")[0]
    assert "<b>3,600</b>" in row
    assert "0 to 1,000,000,000" in row
    assert "GPU-s" in row
    assert "o-c" in row  # cited from the repository that the source names
    assert "o-a" in page.split("<code>placement.most_skew</code>")[1].split("</tr>")[0]  # a default of ours


def test_stages_are_lit_where_the_recipe_fills_them(signed_in, workspace):
    def lit(slug):
        page = page_of(signed_in, workspace, "system", slug)
        return re.findall(r'<li class="lit"><h3>(\w+)', page)

    assert lit("tiresias") == ["Observe", "Propose", "Reject", "Solve", "Stabilise", "Account"]
    assert lit("sjf") == ["Observe", "Propose", "Reject", "Solve"]
    assert lit("static-replicas") == ["Observe", "Solve"]


def test_claims_stand_apart_with_their_confidence(signed_in, workspace):
    box = page_of(signed_in, workspace, "system", "tiresias").split('class="card claims"')[1].split("</section>")[0]
    assert "not comparable with your runs" in box
    assert box.count('title="cited"') == len(SYSTEMS["tiresias"].claims) == 2
    for words in ("<b>5.5</b> × lower", "60 P100 GPUs", "testbed", "simulation", ">read<"):
        assert words in box


def test_a_signature_that_was_not_run_is_said_so(signed_in, workspace):
    page = page_of(signed_in, workspace, "system", "tiresias")
    assert "has not been run yet" in page
    assert "figure-signature" not in page


def test_the_grid_has_a_cell_for_every_pair_and_says_where_it_is_empty(signed_in, workspace):
    page = page_of(signed_in, workspace, "grid").split('<table class="grid">')[1].split("</table>")[0]
    cells = re.findall(r"<td.*?</td>", page, re.DOTALL)
    filled = set().union(*(places(s) for s in SYSTEMS.values()))
    assert len(cells) == len(OBJECTIVES) * len(USES)
    assert sum("no recipe here yet" in cell for cell in cells) == len(cells) - len(filled)
    assert sum(int(n) for n in re.findall(r'class="count">(\d+)<', page)) == sum(
        len(places(s)) for s in SYSTEMS.values()
    )


def test_the_grid_can_show_one_kind_of_work(signed_in, workspace):
    page = page_of(signed_in, workspace, "grid", work="inference")
    assert reverse("system", args=[workspace.slug, "static-replicas"]) in page
    assert reverse("system", args=[workspace.slug, "tiresias"]) not in page
    assert "There is no kind of work “&lt;b&gt;”" in page_of(signed_in, workspace, "grid", work="<b>")


def test_a_cell_leads_to_the_builder_with_its_systems_ticked(signed_in, workspace, owner):
    material.catalogue(workspace, owner)
    grid = page_of(signed_in, workspace, "grid")
    links = [q.replace("&amp;", "&") for q in re.findall(r'href="[^"]*/studies/new/\?([^"]*)"', grid)]
    wanted = next(q for q in links if "policy=tiresias" in q and "policy=srtf" in q)
    assert {s for s in SYSTEMS if f"policy={s}" in wanted} == ticked(signed_in, workspace, "policy", wanted)


def test_a_link_ticks_systems_and_keeps_what_else_was_typed(signed_in, workspace, owner):
    parts = {name: str(revision.id) for name, revision in material.catalogue(workspace, owner).items()}
    typed = parts | {"question": "Half typed", "base_policy": "srtf", "policy": ["sjf"], "seeds": "7"}
    signed_in.post(reverse("study-new-plan", args=[workspace.slug]), typed)
    page = signed_in.get(reverse("study-new", args=[workspace.slug]) + "?policy=tiresias").content.decode()
    assert 'value="Half typed"' in page
    assert ticked(signed_in, workspace, "policy", "policy=tiresias") == {"tiresias"}
    assert ticked(signed_in, workspace, "policy", "") == {"sjf"}


def test_an_unknown_system_in_a_link_is_told_beside_its_field(signed_in, workspace, owner):
    material.catalogue(workspace, owner)
    page = signed_in.get(reverse("study-new", args=[workspace.slug]) + "?policy=nothing").content.decode()
    assert "nothing" in page.split('id="e-policy"')[1].split("</p>")[0]


def test_systems_of_services_are_ticked_on_a_workload_that_has_services(signed_in, workspace, owner):
    material.catalogue(workspace, owner)
    none = signed_in.get(reverse("study-new", args=[workspace.slug]) + "?serving=static-replicas").content.decode()
    assert "No policy of services is ticked" in none
    assert ticked(signed_in, workspace, "serving", "serving=static-replicas") == set()
    service = Service(name="rank", tenant="web", alpha_s=0.02, beta_s=0.01, requests=Requests(times_s=[1.0, 2.0]))
    served = revision_add(
        workspace=workspace, user=owner, kind=Kind.WORKLOAD, name="Ranking", workload=Workload(services=[service]),
        origin="assumed", source="typed in", note="",
    )  # fmt: skip
    revision_add(
        workspace=workspace, user=owner, kind=Kind.WORKLOAD, name="A later log",
        workload=Workload(jobs=material.JobTable(id=["c"], submit_s=[0.0], duration_s=[60.0], gpus=[1], tenant=["x"])),
        origin="assumed", source="typed in", note="",
    )  # fmt: skip
    page = signed_in.get(reverse("study-new", args=[workspace.slug]) + "?serving=static-replicas").content.decode()
    assert f'<option value="{served.id}" selected>' in page
    assert ticked(signed_in, workspace, "serving", "serving=static-replicas") == {"static-replicas"}
    both = "?serving=static-replicas&serving=utilisation-autoscaler"
    assert signed_in.get(reverse("study-new", args=[workspace.slug]) + both).context["plan"].scenarios == 2


def test_readers_are_offered_no_study(client, member, workspace):
    client.force_login(member(Role.MANAGER))
    assert "/studies/new/" not in page_of(client, workspace, "grid")
    assert "Try it on my log" not in page_of(client, workspace, "system", "tiresias")


def ticked(client, workspace, field, query):
    page = client.get(f"{reverse('study-new', args=[workspace.slug])}?{query}").content.decode()
    return set(re.findall(rf'name="{field}" value="([\w-]+)" checked', page))
