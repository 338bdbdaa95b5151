"""One object for every name that stands in a path, and the address of a route filled with them."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from django.urls import reverse

from planner.accounts.models import ShareLink, User, Workspace
from planner.accounts.sharing import share_create
from planner.accounts.tokens import token_create
from planner.catalog.models import Item, Kind
from planner.catalog.services_imports import import_create
from planner.studies.models import Result, Run, Study
from tests.api.addresses import Route

KIND_OF = {"cluster": Kind.CLUSTER, "price-sheet": Kind.PRICES, "workload": Kind.WORKLOAD, "slo-set": Kind.SLOS}
JOBS = b"id,submit,gpus,elapsed\na,2026-01-01 00:00,1,60\nb,never,1,60\n"
QUERIES = {"api:price-sheet-cost": "cluster={cluster}", "api:study-source": "scenario={scenario}&metric=wait_p95_s",
           "study-source": "scenario={scenario}&metric=wait_p95_s"}  # fmt: skip

FILES = {"study-file": {"table": "comparison"}, "study-figure": {"format": "svg"}, "run-figure": {"format": "svg"},
         "study-report": {"format": "html"}, "run-report": {"format": "html"}}  # fmt: skip
"""What a file is called where the common names do not name one."""


def objects_of(study: Study, owner: User) -> dict[str, Any]:
    workspace: Workspace = study.workspace
    importing = import_create(
        workspace=workspace, user=owner, upload=BytesIO(JOBS), filename="jobs.csv", format="generic-jobs"
    )
    for result in Result.objects.all():
        _fit(result)
    items = {kind: Item.objects.filter(workspace=workspace, kind=kind).first().id for kind in Kind.values}
    return {
        "workspace": workspace.slug,
        "study": study.id,
        "run": Run.objects.filter(scenario__study=study).first().id,
        "importing": importing.id,
        "system": "tiresias",
        "table": "metrics",
        "metric": "wait_p95_s",
        "items": items,
        "token": token_create(user=owner, name="another", scope="read", days=1)[0].id,
        "scenario": study.scenarios.first().id,
        "source": workspace.sources.first().id,
        **_shared(study, owner),
        "format": "json",
        "figure": "figure-wait",
    }


def _shared(study: Study, owner: User) -> dict[str, Any]:
    link, secret = share_create(
        workspace=study.workspace, user=owner, of=ShareLink.Of.STUDY, target=study.id, name=study.question, days=1
    )
    return {"link": link.id, "secret": secret}


def _fit(result: Result) -> None:
    """A made-up result names a service that its workload has not; and to compute it again would show it is made up."""
    result.document |= {"services": [], "latency_parts": {}}
    result.document["distributions"].pop("latency:rank", None)
    result.compute_s = 60.0
    result.save()


def address(route: Route, objects: dict[str, Any]) -> str:
    given = {name: objects[name] for name in route.arguments if name != "item"}
    name = route.name.removeprefix("api:")
    if "item" in route.arguments:
        given["item"] = objects["items"][next(KIND_OF[start] for start in KIND_OF if name.startswith(start))]
    given |= FILES.get(route.name, {})
    query = QUERIES.get(route.name, "from=1&to=1" if name.endswith("-changes") else "")
    cluster, scenario = objects["items"][Kind.CLUSTER], objects["scenario"]
    return f"{reverse(route.name, kwargs=given)}?{query.format(cluster=cluster, scenario=scenario)}"


FORM = "application/x-www-form-urlencoded"


def form(route: Route, objects: dict[str, Any]) -> str:
    """What a form of a page has to name so that its objects are found; all else in it may be wrong."""
    workload = objects["items"][Kind.WORKLOAD]
    return f"jobs={workload}&services={workload}" if route.name == "workload-combine" else ""
