"""Home and queue: where to begin, whether everything answers, what waits and what ended."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from planner.accounts.models import Workspace
from planner.studies.models import Process, Run
from planner.studies.runs.presence import process_seen
from tests.planner.web import material


def test_an_empty_workspace_offers_two_ways_to_begin(signed_in, workspace):
    page = signed_in.get(reverse("workspace", args=[workspace.slug])).content.decode()
    assert "Bring my data" in page
    assert "Try the example" in page
    assert "No worker has given a sign of life lately." in page


def test_recent_studies_show_a_small_front(signed_in, workspace, owner):
    material.study(workspace, owner, seeds=2)
    page = signed_in.get(reverse("workspace", args=[workspace.slug])).content.decode()
    assert 'class="thumb"' in page
    assert "scenarios on the front of Wait, P95 against Cost" in page


def test_someone_without_a_workspace_makes_one(client, person):
    client.force_login(person("new"))
    assert "not a member of any workspace" in client.get(reverse("home")).content.decode()
    client.post(reverse("workspace-new"), {"name": "  Our   team "})
    assert Workspace.objects.get().name == "Our team"


def test_the_example_leads_to_a_workspace_for_ones_own_data(signed_in, workspace):
    Workspace.objects.filter(id=workspace.id).update(is_example=True)
    material.catalogue(workspace, workspace.memberships.first().user)
    page = signed_in.get(reverse("workspace", args=[workspace.slug])).content.decode()
    assert f'href="{reverse("workspace-new")}">Bring my data' in page
    assert "Name of a new workspace" in signed_in.get(reverse("workspace-new")).content.decode()


@pytest.mark.parametrize("name", ["", "   ", "\x00"])
def test_a_workspace_needs_a_name(signed_in, workspace, name):
    answer = signed_in.post(reverse("workspace-new"), {"name": name}, follow=True)
    assert "A workspace needs a name." in answer.content.decode()
    assert Workspace.objects.count() == 1


def test_only_the_example_can_be_deleted_from_a_page(signed_in, workspace):
    assert signed_in.post(reverse("workspace-delete", args=[workspace.slug])).status_code == 403
    assert Workspace.objects.filter(id=workspace.id).exists()


@pytest.fixture
def waiting(workspace, owner):
    return material.study(workspace, owner, scenarios=3, seeds=2, done=False)


def test_the_queue_names_state_place_and_what_is_unsure(signed_in, workspace, waiting):
    first = Run.objects.filter(scenario__study=waiting).first()
    Run.objects.filter(id=first.id).update(state=Run.State.RUNNING, progress=0.25, worker="worker-1/7", attempt=1)
    answer = signed_in.get(reverse("queue", args=[workspace.slug]))
    rows = answer.context["page"].rows
    assert (rows[0].state, rows[0].place) == ("running", 0)
    assert [row.place for row in rows[1:]] == [1, 2, 3, 4, 5]
    assert {row.left for row in rows} == {"unsure"}
    assert "1 run under way, 5 waiting" in answer.content.decode()


def test_while_workers_get_ready_every_page_says_so(signed_in, workspace, waiting):
    made = waiting.id
    addresses = [
        reverse(name, args=[workspace.slug]) for name in ("workspace", "queue", "queue-progress", "workspace-pulse")
    ]
    addresses += [reverse(name, args=[workspace.slug, made]) for name in ("study", "study-progress")]
    said = {}
    for kind in (None, Process.Kind.STARTING, Process.Kind.WORKER):
        if kind:
            process_seen("worker-1", kind)
        pages = [signed_in.get(address).content.decode() for address in addresses]
        said[kind] = [("getting ready" in page, "No worker has given a sign of life" in page) for page in pages]
    assert set(said[None]) == {(False, True)}
    assert set(said[Process.Kind.STARTING]) == {(True, False)}
    assert set(said[Process.Kind.WORKER]) == {(False, False)}


def test_a_run_that_comes_back_is_recovering(signed_in, workspace, waiting):
    Run.objects.filter(scenario__study=waiting).update(attempt=1)
    rows = signed_in.get(reverse("queue", args=[workspace.slug])).context["page"].rows
    assert {row.state for row in rows} == {"recovering"}


def test_a_long_queue_is_cut_and_can_be_shown_whole(signed_in, workspace, owner):
    made = material.study(workspace, owner, scenarios=30, seeds=2, done=False)
    ended = Run.objects.filter(scenario__study=made, seed=1)
    ended.update(state=Run.State.CANCELLED, finished_at=timezone.now())
    failed = ended.order_by("scenario__position").first()
    Run.objects.filter(id=failed.id).update(state=Run.State.FAILED, finished_at=timezone.now() - timedelta(hours=3))
    address = reverse("queue", args=[workspace.slug])
    short, whole = (signed_in.get(a).context["page"] for a in (address, f"{address}?all"))
    assert (len(short.rows), short.hidden, len(short.ended.rows), short.ended_hidden) == (20, 10, 8, 22)
    assert (len(whole.rows), whole.hidden, len(whole.ended.rows), whole.ended_hidden) == (30, 0, 30, 0)
    assert short.ended.rows[0].id == failed.id
    assert 'progress?all"' in signed_in.get(f"{address}?all").content.decode()


def test_failed_runs_tell_why_and_can_be_retried(signed_in, workspace, waiting):
    Run.objects.filter(scenario__study=waiting).update(
        state=Run.State.FAILED, reason="Gave up after 5 attempts.", finished_at=timezone.now()
    )
    page = signed_in.get(reverse("queue", args=[workspace.slug])).content.decode()
    assert "Gave up after 5 attempts." in page
    assert page.count("Retry") >= 6


@pytest.mark.parametrize("name", ["queue-progress", "workspace-pulse", "queue-count"])
def test_polling_an_unchanged_part_costs_a_304(signed_in, workspace, waiting, name):
    address = reverse(name, args=[workspace.slug])
    first = signed_in.get(address)
    assert signed_in.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
