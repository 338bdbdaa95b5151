"""Every address of the API answers people of the workspace with what its page shows, and says so in OpenAPI."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.urls import reverse

from planner.catalog.models import Import, Item, Kind
from planner.studies.models import Run
from tests.api.addresses import routes


@pytest.fixture
def objects(workspace, owner, study):
    """Something for every name in a path."""
    importing = Import.objects.create(
        workspace=workspace, kind="jobs", format="generic-jobs", file_name="jobs.csv", size=3, sha256="0" * 64,
        content=b"id,submit,gpus,elapsed\na,2026-01-01 00:00,1,60\n",
    )  # fmt: skip
    items = {kind: Item.objects.filter(workspace=workspace, kind=kind).first().id for kind in Kind.values}
    run = Run.objects.filter(scenario__study=study).first()
    return {"workspace": workspace.slug, "study": study.id, "run": run.id, "importing": importing.id,
            "system": "tiresias", "table": "metrics", "items": items, "token": owner.api_tokens.first()}  # fmt: skip


KIND_OF = {"cluster": Kind.CLUSTER, "price-sheet": Kind.PRICES, "workload": Kind.WORKLOAD, "slo-set": Kind.SLOS}


def address(route, objects):
    given = {name: objects[name] for name in route.arguments if name != "item"}
    if "item" in route.arguments:
        start = next(start for start in KIND_OF if route.name.removeprefix("api:").startswith(start))
        given["item"] = objects["items"][KIND_OF[start]]
    return reverse(route.name, kwargs=given)


QUERIES = {"api:price-sheet-cost": "cluster={cluster}", "api:study-source": "scenario={scenario}&metric=wait_p95_s"}
READ = [r for r in routes() if r.is_api and "GET" in r.methods]


@pytest.mark.parametrize("route", READ, ids=lambda r: r.name)
def test_it_answers(api, objects, study, route):
    query = QUERIES.get(route.name, "from=1&to=1" if route.name.endswith("-changes") else "")
    query = query.format(cluster=objects["items"][Kind.CLUSTER], scenario=study.scenarios.first().id)
    answer = api.get(f"{address(route, objects)}?{query}")
    assert answer.status_code == 200, answer.content
    assert answer["X-Request-ID"]
    if route.name != "api:openapi":
        assert api.get(f"{address(route, objects)}?{query}", if_none_match=answer["ETag"]).status_code == 304


def test_the_document_is_valid_and_without_warnings(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "api.yml"))
