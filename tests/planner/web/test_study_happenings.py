"""A study tells what befell jobs and nodes, where anything did."""

from __future__ import annotations

from django.urls import reverse

from planner.studies.models import Run
from tests.planner.web import material


def page_of(client, workspace, study):
    return client.get(reverse("study", args=[workspace.slug, study.id])).content.decode()


def test_only_what_happened_is_a_column_and_every_scenario_a_row(signed_in, workspace, owner):
    study = material.study(workspace, owner, scenarios=3, seeds=2)
    assert "What befell" not in page_of(signed_in, workspace, study)
    result = Run.objects.get(scenario__study=study, scenario__position=1, seed=0).result
    result.document["decisions"] |= {"node_losses": 1234, "boots": 3}
    result.document["counts"]["jobs"]["failed"] = 7
    result.save()
    table = page_of(signed_in, workspace, study).split('aria-labelledby="hap-t"')[1].split("</table>")[0]
    heads = table.split("</thead>")[0]
    assert ("Jobs that failed" in heads, "Nodes lost" in heads, "Jobs refused" in heads) == (True, True, False)
    rows = table.split("<tr>")[2:]
    assert len(rows) == 3
    assert ">7<" in rows[1]
    assert ">1,234<" in rows[1]
    assert ">0<" in rows[0]


def test_a_study_without_results_tells_nothing(signed_in, workspace, owner):
    study = material.study(workspace, owner, scenarios=2, seeds=1, done=False)
    assert "What befell" not in page_of(signed_in, workspace, study)
