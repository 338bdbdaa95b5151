"""Ids of another workspace in paths, filters, bodies and queries: nothing of it is told, nothing of it is changed."""

from __future__ import annotations

import json
import random

import pytest
from django.db import transaction
from django.urls import reverse

from planner.accounts.services import workspace_create
from planner.catalog.models import Item
from planner.studies.models import Run, Scenario, Study
from tests.api.addresses import routes
from tests.api.objects import KIND_OF, objects_of
from tests.planner.web import material

CANARY = "canary-of-others"
FEW, MANY = 400, 10_000
ROUTES = [route for route in routes() if route.is_api and "workspace" in route.arguments]


@pytest.fixture
def theirs(person):
    other = workspace_create(name=CANARY, owner=person("otto"))
    owner = other.memberships.get().user
    objects = objects_of(material.study(other, owner, scenarios=2, seeds=1), owner)
    Item.objects.filter(workspace=other).update(name=CANARY)
    Study.objects.filter(workspace=other).update(question=CANARY)
    Scenario.objects.filter(study__workspace=other).update(label=CANARY)
    return objects


def revisions(objects):
    found = Item.objects.filter(id__in=objects["items"].values())
    return {item.kind: str(item.revisions.first().id) for item in found}


def request(draw, ours, theirs, parts):
    """Method, address and body in which every id is of one of the two workspaces, at least one of the other."""
    route = draw.choice(ROUTES)
    method = draw.choice(sorted(route.methods))
    foreign = draw.choice([name for name in route.arguments if name not in ("system", "table")] + ["query", "body"])
    side = {name: theirs if name == foreign or draw.random() < 0.2 else ours for name in route.arguments}
    given = {name: side[name][name] for name in route.arguments if name != "item"}
    if "item" in route.arguments:
        kind = next(KIND_OF[start] for start in KIND_OF if route.name.removeprefix("api:").startswith(start))
        given["item"] = side["item"]["items"][kind]
    asked = {"study": theirs["study"], "scenario": theirs["scenario"], "cluster": theirs["items"]["cluster"],
             "baseline": theirs["scenario"], "metric": "wait_p95_s", "from": 1, "to": 1}  # fmt: skip
    query = "&".join(f"{name}={asked[name]}" for name in draw.sample(sorted(asked), 4))
    mixed = {kind: draw.choice([parts[0][kind], parts[1][kind]]) for kind in parts[0]}
    pool = {"name": "a", "gpu_model": "V100", "nodes": 1, "gpus_per_node": 8}
    body = {
        "question": "?", "base": mixed, "axes": {"seeds": 1, "prices": [parts[1]["prices"]]}, "name": "x",
        "based_on": draw.choice([parts[0]["cluster"], parts[1]["cluster"]]), "pools": [pool],
        "jobs": str(theirs["items"]["workload"]), "services": str(ours["items"]["workload"]),
        "answers": {"item": str(theirs["items"]["workload"])},
    }  # fmt: skip
    names = draw.sample(sorted(body), draw.randint(1, len(body)))
    return method, f"{reverse(route.name, kwargs=given)}?{query}", {name: body[name] for name in names}


@pytest.mark.parametrize("cases", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_nothing_of_others_is_told_or_changed(caller, owner, study, theirs, settings, cases):
    settings.API_RATE = "1000000/minute"
    ours, api, draw = objects_of(study, owner), caller(owner), random.Random(7)
    parts = revisions(ours), revisions(theirs)
    before = state(theirs)
    reached = 0
    for _ in range(cases):
        method, address, body = request(draw, ours, theirs, parts)
        with transaction.atomic():
            answer = api(method, address, None if method == "GET" else body)
            told = answer.getvalue()
            assert state(theirs) == before, (method, address, body)
            transaction.set_rollback(True)
        assert answer.status_code < 500, (method, address)
        assert CANARY.encode() not in told, (method, address, json.dumps(body))
        reached += answer.status_code < 300
    assert reached > cases / 20  # some requests got through to our own things, so the test does not only knock


def state(objects):
    runs = Run.objects.filter(scenario__study=objects["study"]).values_list("state", "cancel_requested")
    items = Item.objects.filter(id__in=objects["items"].values()).values_list("name", "archived_at")
    return list(runs), list(items), Study.objects.filter(id=objects["study"]).values_list("archived_at").get()
