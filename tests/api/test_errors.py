"""Whatever is refused has one shape, names what is wrong and where, and the request."""

from __future__ import annotations

import json
import logging
import uuid

import pytest
from django.test import Client

from api.errors import CODES, MEDIA_TYPE
from tests.planner.web import material

KEYS = {"code", "status", "message", "problems", "request_id"}


def shape(answer, status, code):
    assert (answer.status_code, answer["Content-Type"]) == (status, MEDIA_TYPE), answer.content
    told = answer.json()
    assert set(told) == KEYS
    assert (told["status"], told["code"]) == (status, code)
    assert told["message"]
    assert told["request_id"] == answer["X-Request-ID"]
    return told


def test_errors_of_every_kind_have_the_shape(api, reader, workspace):
    shape(Client().get(f"/api/v1/w/{workspace.slug}/"), 401, "unauthenticated")
    shape(reader.post("clusters/", {}), 403, "forbidden")
    shape(api.get(f"studies/{uuid.uuid4()}/"), 404, "not-found")
    shape(api.get("/api/v1/nowhere/"), 404, "not-found")
    shape(api("put", "studies/"), 405, "method-not-allowed")
    assert shape(api("options", "studies/"), 405, "method-not-allowed")["message"]
    shape(api.get("studies/", accept="image/png"), 406, "not-acceptable")
    shape(api.get("studies/?page=99"), 404, "not-found")
    shape(api.get("runs/?state=sleeping"), 400, "invalid")


def test_every_wrong_field_is_named(api):
    told = shape(api.post("studies/", {"question": "", "base": {"cluster": "x"}, "axes": {"seeds": 0}}), 400, "invalid")
    fields = {problem["field"] for problem in told["problems"]}
    assert {"question", "base.cluster", "base.workload", "axes.seeds"} <= fields


def test_a_row_that_cannot_be_is_named(api):
    pools = [{"name": "a", "gpu_model": "A100", "nodes": 1, "gpus_per_node": 8}, {"name": "b", "gpu_model": "A100",
             "nodes": -1, "gpus_per_node": 8}]  # fmt: skip
    told = shape(api.post("clusters/", {"name": "Lab", "pools": pools}), 400, "invalid")
    assert told["problems"][0]["field"] == "pools.1.nodes"


def test_a_misspelt_field_is_not_passed_over(api):
    told = shape(api.post("/api/v1/workspaces/", {"name": "A", "colour": "red"}), 400, "invalid")
    assert told["problems"][0]["field"] == "colour"


def test_a_file_is_told_by_line_and_column(api):
    made = api.post("imports/", {"text": "id,submit,gpus,elapsed\na,2026-01-01 00:00,1,60\n", "format": "generic-jobs"})
    key = made.json()["preview"]["questions"][0]["key"]
    wrong = api.patch(f"imports/{made.json()['id']}/", {"answers": {key: "on Mars"}})
    problem = shape(wrong, 400, "unreadable-file")["problems"][0]
    assert key in problem["column"]
    assert (problem["value"], bool(problem["expected"])) == ("on Mars", True)


def test_what_somebody_else_has_changed_is_shown(api, workspace, owner):
    cluster = material.catalogue(workspace, owner)["cluster"]
    pool = {"name": "v100", "gpu_model": "V100", "gpus_per_node": 8}
    edit = f"clusters/{cluster.item_id}/revisions/"
    first = {"pools": [{**pool, "nodes": 9}], "based_on": str(cluster.id)}
    assert api.post(edit, first).status_code == 201
    told = shape(api.post(edit, {**first, "pools": [{**pool, "nodes": 12}]}), 409, "conflict")
    assert any("nodes" in p["field"] and "8" in p["message"] and "9" in p["message"] for p in told["problems"])


BODIES = {
    "no JSON": b"{", "not a number": b'{"name": NaN}', "too large a number": b'{"name": 1e999}',
    "NUL": b'{"name": "a\\u0000"}', "half a pair": b'{"name": "\\ud800"}', "NUL in a key": b'{"a\\u0000": 1}',
    "no text": b"\xff\xfe\x00", "deep": b"[" * 5_000 + b"]" * 5_000, "deeper": b"[" * 200_000, "a list": b"[1]",
    "nothing": b"", "a word": b'"name"', "long number": b'{"name": ' + b"9" * 5_000 + b"}",
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_bodies_that_cannot_be_are_refused(api, body):
    answer = Client().generic("POST", "/api/v1/workspaces/", body, "application/json",
                              headers={"authorization": f"Bearer {api.secret}"})  # fmt: skip
    shape(answer, 400, "invalid")


def test_a_body_of_another_type_or_too_large_is_refused(api, settings):
    headers = {"authorization": f"Bearer {api.secret}"}
    answer = Client().generic("POST", "/api/v1/workspaces/", b"<a/>", "application/xml", headers=headers)
    shape(answer, 415, "unsupported-media-type")
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    large = json.dumps({"name": "x" * 200})
    shape(Client().generic("POST", "/api/v1/workspaces/", large, "application/json", headers=headers), 413, "too-large")


def test_a_fault_of_ours_is_told_without_its_inside(api, monkeypatch, caplog):
    monkeypatch.setattr("api.v1.accounts.views.queue_counts", lambda here: 1 / 0)
    browser = Client(raise_request_exception=False)
    with caplog.at_level(logging.ERROR):
        answer = browser.get(
            api.root, headers={"authorization": f"Bearer {api.secret}", "x-request-id": "from-proxy-1"}
        )
    told = shape(answer, 500, "failed")
    assert told["request_id"] == "from-proxy-1"
    assert "division" not in answer.content.decode()
    assert "from-proxy-1" in caplog.text


def test_a_name_of_a_request_that_is_not_harmless_is_replaced(api):
    assert api.get("studies/", x_request_id="a b\tc")["X-Request-ID"].isalnum()


def test_every_code_has_a_meaning():
    assert all(meaning.endswith(".") for meaning in CODES.values())
