"""The Python client against a server: frames, pages, uploads, errors, and what it does when a server is busy."""

from __future__ import annotations

import pytest

from client.headroom import Headroom, HeadroomError
from planner.accounts.models import Workspace
from planner.accounts.tokens import token_create
from planner.studies.models import Run
from tests.planner.web import material


@pytest.fixture
def headroom(live_server, owner):
    secret = token_create(user=owner, name="notebook", scope="full", days=1)[1]
    return Headroom(live_server.url, secret)


@pytest.fixture
def here(workspace):
    return f"w/{workspace.slug}"


@pytest.fixture
def finished(workspace, owner):
    return material.study(workspace, owner, scenarios=6, seeds=3)


def test_tables_are_frames_with_all_their_pages(headroom, here, finished):
    frame = headroom.frame(f"{here}/runs/", page_size=5)
    assert len(frame) == 18
    assert frame["seed"].sum() == 18
    board = headroom.frame(f"{here}/studies/{finished.id}/board/", metrics=["cost_usd", "wait_p95_s"])
    assert len(board) == 6
    assert set(board["cells.cost_usd.origin"]) == {"assumed"}
    front = headroom.frame(f"{here}/studies/{finished.id}/front/", **{"limit.wait_p95_s": 1})
    assert set(front["status"]) == {"infeasible"}
    pools = headroom.frame(f"{here}/clusters/{headroom.get(f'{here}/clusters/')['results'][0]['id']}/pools/")
    assert list(pools["nodes.value"]) == [8.0]


def test_what_has_not_changed_is_not_sent_again(headroom, here, finished, monkeypatch):
    first = headroom.get(f"{here}/studies/{finished.id}/")
    asked = []
    ask = headroom._ask
    monkeypatch.setattr(headroom, "_ask", lambda *a, **k: asked.append(ask(*a, **k)) or asked[-1])
    assert headroom.get(f"{here}/studies/{finished.id}/") == first
    assert [status for status, _, _ in asked] == [304]
    Run.objects.all().delete()
    assert headroom.get(f"{here}/studies/{finished.id}/")["progress"]["total"] == 0


def test_a_study_is_asked_and_waited_for(headroom, here, finished):
    like = headroom.get(f"{here}/studies/{finished.id}/")
    made = headroom.post(f"{here}/studies/", {"question": "Again?", "base": like["base"], "axes": {"seeds": 1}})
    with pytest.raises(TimeoutError, match="0 of 1 runs"):
        headroom.wait(f"{here}/studies/{made['id']}/", every_s=0.01, longest_s=0.0)
    headroom.post(f"{here}/studies/{made['id']}/cancel")
    assert headroom.wait(f"{here}/studies/{made['id']}/")["states"] == {"cancelled": 1}


def test_a_file_is_uploaded(headroom, here, workspace, tmp_path):
    path = tmp_path / "jobs.csv"
    path.write_text("id,submit,gpus,elapsed\na,2026-01-01 00:00,1,60\n")
    made = headroom.upload(f"{here}/imports/", path, format="generic-jobs")
    assert (made["file_name"], made["state"]) == ("jobs.csv", "uploaded")
    headroom.post(f"{here}/imports/{made['id']}/discard")


def test_what_is_refused_is_told(headroom, here, workspace, live_server):
    with pytest.raises(HeadroomError, match=r"base\.cluster") as told:
        headroom.post(f"{here}/studies/plan", {"base": {}, "axes": {"seeds": 0}})
    assert (told.value.status, told.value.code) == (400, "invalid")
    assert {"field", "message"} <= set(told.value.problems[0])
    assert told.value.request_id
    with pytest.raises(HeadroomError, match="not known"):
        Headroom(live_server.url, "hr_wrong").get("me/")


def test_a_busy_server_is_asked_again_and_nothing_is_done_twice(headroom, monkeypatch, owner):
    """Three answers are lost on their way back, each after the server has done what was asked."""
    from urllib.error import URLError

    lost = [True, True, True]
    open_ = headroom._open

    def unreliable(*args, **options):
        answer = open_(*args, **options)
        if lost:
            lost.pop()
            answer.close()
            raise URLError("the answer was lost")
        return answer

    monkeypatch.setattr("client.headroom._pause", lambda told, attempt: 0.0)
    monkeypatch.setattr(headroom, "_open", unreliable)
    assert headroom.post("workspaces/", {"name": "Once"})["name"] == "Once"
    assert Workspace.objects.filter(name="Once").count() == 1


def test_a_token_is_not_carried_elsewhere(headroom, live_server):
    with pytest.raises(HeadroomError) as told:
        headroom._ask("GET", f"{live_server.url}/")
    assert told.value.status == 302
