"""Every address of the API answers people of the workspace, remembers what it has told, and stands in OpenAPI."""

from __future__ import annotations

import inspect

import pytest
from django.core.management import call_command
from django.urls import reverse
from rest_framework.generics import GenericAPIView

from api.endpoint import Endpoint, Listing, Table
from api.v1.catalog.imports import OfImport
from api.v1.catalog.items import OfItem
from api.v1.studies.runs import OfRun
from api.v1.studies.views import OfStudy
from scripts import api_reference
from tests.api.addresses import routes
from tests.api.objects import address, objects_of
from tests.planner.web import material

READ = [r for r in routes() if r.is_api and "GET" in r.methods]


@pytest.mark.parametrize("route", READ, ids=lambda r: r.name)
def test_it_answers(api, workspace, owner, route):
    where = address(route, objects_of(material.study(workspace, owner, scenarios=2, seeds=1), owner))
    answer = api.get(where)
    assert answer.status_code == 200, answer.content
    assert answer["X-Request-ID"]
    if route.name != "api:openapi":
        assert api.get(where, if_none_match=answer["ETag"]).status_code == 304
        assert "no-cache" in answer["Cache-Control"]
        assert "Authorization" in answer["Vary"]


def test_the_document_is_valid_and_without_warnings(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "api.yml"))


def test_every_operation_says_what_it_does(api):
    operations = [o for path in api.get(reverse("api:openapi")).json()["paths"].values() for o in path.values()]
    bases = {
        inspect.getdoc(base) for base in (Endpoint, Table, Listing, OfItem, OfStudy, OfRun, OfImport, GenericAPIView)
    }
    assert [o["operationId"] for o in operations if not o["description"] or o["description"] in bases] == []


def test_the_reference_is_made_from_the_code(db):
    assert api_reference.PAGE.read_text() == api_reference.reference(), "run python -m scripts.api_reference"


def test_the_document_names_every_address(api):
    told = api.get(reverse("api:openapi")).json()["paths"]
    assert len(told) == len([r for r in routes() if r.is_api and r.name not in ("api:openapi", "api:nowhere")])


def test_pages_of_lists_are_bounded(api, study):
    first = api.get("runs/?page_size=5").json()
    assert (first["count"], len(first["results"])) == (18, 5)
    assert len(api.get(first["next"].partition("testserver")[2]).json()["results"]) == 5
    assert len(api.get("runs/?page_size=" + "9" * 30).json()["results"]) == 18
    assert {api.get(f"runs/?page={n}").status_code for n in ("0", "-1", "9" * 30, "x", "%00")} == {404}


def test_lists_are_filtered_by_listed_fields_alone(api, study):
    assert api.get("runs/?state=done&seed=1").json()["count"] == 6
    assert api.get("runs/?scenario__study__workspace__slug=other&password=1").json()["count"] == 18
    for wrong in ("seed=" + "9" * 30, "seed=-1", "seed=x", "study=1", "state=%00"):
        assert api.get(f"runs/?{wrong}").status_code == 400
    assert api.get("clusters/?name=v100&origin=assumed").json()["count"] == 1
    assert api.get("clusters/?archived=true").json()["count"] == 0
