"""What the pages do, programs do: catalogue, imports, studies, runs."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from planner.accounts.models import AuditEntry
from planner.catalog.models import Import, Item
from planner.studies.models import Run, Study
from tests.planner.web import material

POOL = {"name": "a100", "gpu_model": "A100-SXM4-80GB", "nodes": 4, "gpus_per_node": 8}
ROWS = "id,submit,gpus,elapsed\n" + "".join(f"j{n},2026-01-01 0{n}:00,8,3600\n" for n in range(9)) + "bad,never,1,60\n"


def done(answer, status=201):
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_cluster_is_typed_edited_renamed_and_archived(api, owner):
    made = done(api.post("clusters/", {"name": "Lab", "pools": [POOL], "why": "the invoice"}))
    assert made["revision"]["origin"] == "assumed"
    assert made["revision"]["source"]["title"] == f"typed by {owner.username}: the invoice"
    where = f"clusters/{made['id']}/"
    edit = {"pools": [{**POOL, "nodes": 6}], "based_on": made["revision"]["id"]}
    assert done(api.post(f"{where}revisions/", edit))["revision"]["number"] == 2
    assert api.get(f"{where}?rev=1").json()["document"]["cluster"]["pools"][0]["nodes"] == 4
    changes = api.get(f"{where}changes/?from=1&to=2").json()
    assert {"path": "cluster / pools / a100 / nodes", "old": 4, "new": 6} in changes
    assert done(api.patch(where, {"name": "Lab 2", "archived": True}), 200)["archived_at"]
    assert api.get("clusters/").json()["count"] == 0
    assert api.get("clusters/?archived=true").json()["results"][0]["name"] == "Lab 2"
    pools = api.get(f"{where}pools/").json()
    assert pools[0]["peak_w"]["origin"] == "cited"
    assert (pools[0]["idle_w"]["value"], pools[0]["idle_w"]["note"]) == (None, "not known")
    assert pools[0]["nodes"] == {"value": 6.0, "unit": "nodes", "origin": "assumed", "note": "",
                                 "source": f"typed by {owner.username}"}  # fmt: skip


def test_recorded_changes_of_nodes_are_sent_and_stay_until_others_are(api):
    change = {"at_s": 60.0, "pool": "a100", "nodes": 1, "up": False}
    made = done(api.post("clusters/", {"name": "Lab", "pools": [POOL], "changes": [change]}))
    where, edit = f"clusters/{made['id']}/revisions/", {"pools": [{**POOL, "boot_s": 300}]}
    kept = done(api.post(where, edit | {"based_on": made["revision"]["id"]}))
    assert kept["document"]["cluster"]["changes"] == [change]
    assert kept["document"]["figures"]["a100"]["boot_s"]["origin"] == "assumed"
    gone = done(api.post(where, edit | {"based_on": kept["revision"]["id"], "changes": []}))
    assert gone["document"]["cluster"]["changes"] == []


def test_prices_keep_their_cents(api):
    lines = [{"amount": "17.123456", "unit": "node-hour", "gpus_per_node": 8, "gpu_model": "A100"}]
    made = done(api.post("prices/", {"name": "List", "lines": lines}))
    assert api.get(f"prices/{made['id']}/lines/").json()[0]["price"]["value"] == "2.140432"
    euro = {"name": "Euro", "lines": [{"amount": "2.5"}], "currency": "EUR"}
    assert "rate" in api.post("prices/", euro).json()["message"]
    done(api.post("prices/", {**euro, "rate_usd": "1.1", "rate_date": "2026-11-01"}))


def test_limits_are_of_metrics_that_there_are(api):
    limits = [{"metric": "wait_p95_s", "limit": 3600.0}]
    made = done(api.post("slos/", {"name": "Waits", "limits": limits}))
    assert api.get(f"slos/{made['id']}/limits/").json()[0]["limit"]["unit"] == "s"
    assert api.post("slos/", {"name": "No", "limits": [{"metric": "joy", "limit": 1.0}]}).status_code == 400


def imported(api, content=ROWS):
    file = SimpleUploadedFile("jobs.csv", content.encode())
    headers = {"authorization": f"Bearer {api.secret}"}
    return Client().post(f"{api.root}imports/", {"file": file, "format": "generic-jobs"}, headers=headers)


def answers_to(api, importing):
    """Answer every open question with its first option until none is open."""
    for _ in range(9):
        asked = [q for q in importing["preview"]["questions"] if q["open"]]
        if not asked:
            return importing
        given = {q["key"]: q["options"][0]["value"] if q["options"] else "1" for q in asked}
        importing = done(api.patch(f"imports/{importing['id']}/", {"answers": given}), 200)
    raise AssertionError(f"still open: {asked}")


def test_a_file_is_uploaded_answered_and_accepted(api):
    made = answers_to(api, done(imported(api)))
    assert made["preview"]["counts"]["accepted"] == 9
    rejected = api.get(f"imports/{made['id']}/rejected/").json()
    assert (rejected["count"], rejected["results"][0]["line"], rejected["results"][0]["value"]) == (1, 11, "never")
    told = done(api.post(f"imports/{made['id']}/accept", {"answers": {"name": "June"}}), 200)
    assert (told["added"], told["revision"]["name"], told["revision"]["kind"]) == (True, "June", "workload")
    assert api.post(f"imports/{made['id']}/accept", {}).status_code == 409
    again = done(api.post(f"imports/{made['id']}/again"))
    assert again["state"] == "uploaded"
    assert api.post(f"imports/{again['id']}/discard").status_code == 204
    assert Import.objects.get(id=again["id"]).state == "discarded"


def test_an_upload_stops_at_its_limit(api, settings):
    settings.UPLOAD_LIMIT_BYTES = 1_000
    answer = imported(api, "x" * 1_001)
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    assert imported(api, "x" * 100_000).status_code == 413
    assert not Import.objects.exists()


def test_nothing_to_import_is_said(api):
    assert api.post("imports/", {}).json()["problems"][0]["field"] == "file"
    assert api.post("imports/", {"text": "  "}).status_code == 400


@pytest.fixture
def asked(workspace, owner):
    parts = {name: str(revision.id) for name, revision in material.catalogue(workspace, owner).items()}
    axes = {"training": [{"system": "sjf"}, {"system": "srtf"}], "seeds": 2}
    return {
        "question": "Which?",
        "base": {**parts, "training": {"system": "fcfs-quota", "parameters": {}}},
        "axes": axes,
    }


def test_a_study_is_planned_asked_watched_and_cancelled(api, asked):
    plan = done(api.post("studies/plan", {"base": asked["base"], "axes": asked["axes"]}), 200)
    assert (plan["scenarios"], plan["runs"], plan["problems"]) == (3, 6, [])
    made = done(api.post("studies/", asked))
    where = f"studies/{made['id']}/"
    assert made["progress"]["states"] == {"queued": 6}
    assert api.get(f"{where}scenarios/").json()["count"] == 3
    assert api.get(f"runs/?study={made['id']}&state=queued").json()["count"] == 6
    assert len(api.get("queue/").json()["rows"]) == 6
    run = api.get("runs/").json()["results"][0]["id"]
    assert done(api.post(f"runs/{run}/cancel"), 200) == {"changed": 1}
    assert done(api.post(f"runs/{run}/cancel"), 200) == {"changed": 0}
    assert done(api.post(f"runs/{run}/retry"), 200) == {"changed": 1}
    assert done(api.post(f"{where}cancel"), 200) == {"changed": 6}
    assert api.get(f"{where}progress").json()["finished"] is True
    assert done(api.patch(where, {"archived": True}), 200)["archived_at"]
    assert api.get("studies/").json()["count"] == 0
    assert {"study.create", "study.cancel", "run.retry"} <= set(AuditEntry.objects.values_list("action", flat=True))


def test_a_study_can_be_asked_again_from_its_own_answer(api, asked):
    made = done(api.post("studies/", asked))
    again = done(api.post("studies/", {key: made[key] for key in ("question", "base", "axes")}))
    assert again["base"] == made["base"]
    assert again["id"] != made["id"]


def test_parts_of_another_workspace_are_no_parts_here(api, asked, person):
    from planner.accounts.services import workspace_create

    theirs = workspace_create(name="Theirs", owner=person("otto"))
    foreign = material.catalogue(theirs, theirs.memberships.get().user)
    for name, revision in foreign.items():
        answer = api.post("studies/", {**asked, "base": {**asked["base"], name: str(revision.id)}})
        assert (answer.status_code, answer.json()["problems"][0]["field"]) == (400, f"base.{name}")
    item = foreign["cluster"].item_id
    edit = {"pools": [POOL], "based_on": str(foreign["cluster"].id)}
    assert api.post(f"clusters/{item}/revisions/", edit).status_code == 404
    mine = Item.objects.get(workspace__slug="research-platform", kind="cluster").id
    assert api.post(f"clusters/{mine}/revisions/", edit).status_code == 404
    sheet = Item.objects.get(workspace__slug="research-platform", kind="prices").id
    assert api.get(f"prices/{sheet}/cost/?cluster={item}").status_code == 404
    assert Study.objects.count() == 0


def test_a_signature_is_asked_for_once(api):
    first, second = (done(api.post("systems/tiresias/signature/"), 202) for _ in range(2))
    assert first["id"] == second["id"]
    assert api.get("systems/tiresias/").json()["asked"]["id"] == first["id"]


def test_the_example_comes_and_goes(api):
    slug = done(api.post("/api/v1/example/"))["slug"]
    assert Run.objects.filter(scenario__study__workspace__slug=slug).exists()
    assert api("delete", f"/api/v1/w/{slug}/").status_code == 204
    assert api("delete", api.root).status_code == 403
