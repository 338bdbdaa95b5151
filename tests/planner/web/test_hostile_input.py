"""Bad addresses, bad numbers and hostile names: an answer in words, never a fault of the server, never markup."""

from __future__ import annotations

import uuid
from functools import cache
from itertools import product

import pytest
from django.urls import NoReverseMatch, get_resolver, reverse

from planner.accounts.models import Workspace
from planner.accounts.services import workspace_create
from planner.catalog.models import Item, Kind
from planner.catalog.selectors import latest
from planner.studies.models import Run, Scenario, Study
from tests.planner.web import material

HTML = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'"
NAMES = {
    "html": HTML,
    "template": "{{ 7|add:7 }} {% now 'Y' %} %{x}",
    "emoji": "🔥🧑‍🚀 cluster",
    "right to left": "מרכז‮evil‬ البيانات",
    "long": "x" * 1000,
    "one sign": "@",
}
OBJECTS = ("item", "study", "run", "importing", "source")


def named_routes():
    return [name for name in get_resolver().reverse_dict if isinstance(name, str) and not name.startswith("admin")]


def takes(name, argument):
    try:
        return reverse(name, kwargs={"workspace": "any", argument: uuid.UUID(int=0)})
    except NoReverseMatch:
        return None


@cache
def routes_with_an_id():
    return [pair for pair in product(named_routes(), OBJECTS) if takes(*pair)]


def addresses_with(workspace, id):
    """Every route that takes an id, filled with this one."""
    for name, argument in routes_with_an_id():
        yield name, reverse(name, kwargs={"workspace": workspace.slug, argument: id})


@pytest.fixture
def study(workspace, owner):
    return material.study(workspace, owner, scenarios=2, seeds=1)


def test_unknown_ids_are_not_found_whatever_is_asked_of_them(signed_in, workspace, study):
    asked = list(addresses_with(workspace, uuid.uuid4()))
    assert len(asked) > 20
    answers = {name: (signed_in.get(url).status_code, signed_in.post(url).status_code) for name, url in asked}
    assert {name: codes for name, codes in answers.items() if not set(codes) <= {404, 405}} == {}


def test_ids_of_another_workspace_are_not_found_here(signed_in, workspace, study, person):
    other = workspace_create(name="Elsewhere", owner=person("otto"))
    theirs = material.study(other, other.memberships.first().user, scenarios=1, seeds=1)
    run = Run.objects.get(scenario__study=theirs)
    ids = [theirs.id, run.id, *Item.objects.filter(workspace=other).values_list("id", flat=True)]
    for id in ids:
        answers = {
            n: (signed_in.get(u).status_code, signed_in.post(u).status_code) for n, u in addresses_with(workspace, id)
        }
        assert {name: codes for name, codes in answers.items() if not set(codes) <= {404, 405}} == {}
    assert Run.objects.get(id=run.id).state == run.state


PAGES = ("workspace", "studies", "study-new", "queue", "queue-progress", "clusters", "imports", "import-new", "grid",
         "systems")  # fmt: skip
LONG = ("q=" + "a" * 10_000, "&".join(f"limit.m{n}={n}" for n in range(900)), f"limit.{'x' * 500}=1", "%00=%FF&=&&")
VIEWS = (
    "limit.cost_usd=nan", "limit.cost_usd=-inf", "limit.cost_usd=1e999", "limit.cost_usd=1e308",
    "limit.cost_usd=-1e308", "limit.wait_p95_s=1e-320", "limit.rho_max=0", "limit.=1", "x=cost_usd&y=cost_usd",
    "x=%00&y=%FF%FE", "sort=--cost_usd", "sort=-", "baseline=" + "9" * 400, "columns=cost_usd&columns=%3Cb%3E",
    "hide=front&hide=dominated&hide=infeasible", "drop=simulated&drop=assumed", "scenario=x&metric=%3Cscript%3E",
)  # fmt: skip
REVISIONS = (
    "rev=" + "9" * 20,
    "rev=-1",
    "rev=%00",
    "rev=%D9%A3",
    "old=1&new=" + "9" * 20,
    "old=x&new=y",
    "old=0&new=-1",
)
STARTS = ("like=x", "like=%00", "like=" + "0" * 10_000, "policy=%3Cscript%3E&serving=x", "fresh&policy=" + "x" * 9000,
          "kind=%00&format=..", "all=%00")  # fmt: skip


def unbroken(client, addresses, queries):
    for address, query in product(addresses, queries):
        answer = client.get(f"{address}?{query}")
        assert answer.status_code in (200, 400, 404), f"{address}?{query[:80]}"
        assert b"<script>" not in answer.content, f"{address}?{query[:80]}"
        assert b"NaN" not in answer.content, f"{address}?{query[:80]}"


def test_no_query_string_breaks_a_view_of_a_study(signed_in, workspace, study):
    pages = [reverse(name, args=[workspace.slug, study.id]) for name in ("study", "study-source")]
    unbroken(signed_in, pages[:1], [*VIEWS, *LONG])
    unbroken(
        signed_in, [*pages[1:], reverse("study-file", args=[workspace.slug, study.id, "comparison", "csv"])], VIEWS[::4]
    )


def test_no_query_string_breaks_a_page(signed_in, workspace, study):
    run = Run.objects.filter(scenario__study=study).first()
    pages = [reverse(name, args=[workspace.slug]) for name in PAGES]
    unbroken(signed_in, [*pages, reverse("run", args=[workspace.slug, run.id])], LONG[:1])
    unbroken(signed_in, [reverse(n, args=[workspace.slug]) for n in ("study-new", "import-new", "queue")], STARTS)
    for kind, name in ((Kind.CLUSTER, "cluster"), (Kind.PRICES, "price-sheet"), (Kind.WORKLOAD, "workload")):
        item = Item.objects.get(workspace=workspace, kind=kind).id
        here = [reverse(page, args=[workspace.slug, item]) for page in (name, f"{name}-changes")]
        unbroken(signed_in, here, REVISIONS)


NUMBERS = (
    "1e400",
    "1e308",
    "-1e308",
    "nan",
    "inf",
    "9" * 400,
    "１２",
    "0x10",
    "1_000",
    "\x00",
    "",
    " ",
    "<b>1</b>",
    "1,000",
    "−5",
)
FIELDS = ("seeds", "demand", "horizon", "overhead-start_s", "overhead-restart_s", "nodes-v100", "quotas", "question",
          "parameters-sjf", "policy", "sampling", "sheet", "cluster", "slos")  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_no_number_breaks_the_builder(signed_in, workspace, owner, field):
    parts = {name: str(revision.id) for name, revision in material.catalogue(workspace, owner).items()}
    good = parts | {"question": "?", "base_policy": "fcfs-quota", "policy": ["sjf"], "seeds": "1", "sampling": "replay"}
    for at, number in enumerate(NUMBERS):
        for name in ("study-new-plan", "study-new")[: 1 + at % 2]:
            typed = f"x {number}" if field == "quotas" else f"walk.depth = {number}" if "param" in field else number
            answer = signed_in.post(reverse(name, args=[workspace.slug]), good | {field: typed})
            assert answer.status_code in (200, 302, 422), (name, number)
            assert b"<b>1</b> is" not in answer.content


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_names_of_people_are_text_on_every_page(signed_in, workspace, study, name):
    Workspace.objects.filter(id=workspace.id).update(name=name[:100])
    Item.objects.filter(workspace=workspace).update(name=name[:100])
    Study.objects.filter(id=study.id).update(question=name[:200])
    Scenario.objects.filter(study=study).update(label=name[:120])
    for run in Run.objects.filter(scenario__study=study):
        result, document = run.result, run.result.document
        document["tenants"][0]["tenant"] = document["services"][0]["service"] = name
        document["latency_parts"] = {name: document["latency_parts"]["rank"]}
        result.save()
    run = Run.objects.filter(scenario__study=study).first()
    here = [reverse(page, args=[workspace.slug]) for page in PAGES]
    here += [reverse("study", args=[workspace.slug, study.id]), reverse("run", args=[workspace.slug, run.id])]
    for kind, page in ((Kind.CLUSTER, "cluster"), (Kind.PRICES, "price-sheet"), (Kind.WORKLOAD, "workload")):
        here.append(reverse(page, args=[workspace.slug, Item.objects.get(workspace=workspace, kind=kind).id]))
    for address in here:
        answer = signed_in.get(address)
        page = answer.content.decode()
        assert answer.status_code == 200, address
        assert "<script>alert" not in page, address
        assert "<img src=x" not in page, address
        assert "14 2026" not in page, address


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_forms_take_a_name_or_say_what_is_wrong_with_it(signed_in, workspace, owner, name):
    material.catalogue(workspace, owner)
    made = signed_in.post(reverse("workspace-new"), {"name": name}, follow=True)
    assert made.status_code == 200
    for kind, page in ((Kind.CLUSTER, "cluster-rename"), (Kind.WORKLOAD, "workload-rename")):
        item = Item.objects.get(workspace=workspace, kind=kind)
        answer = signed_in.post(reverse(page, args=[workspace.slug, item.id]), {"name": name}, follow=True)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.content.decode()
        assert latest(item).item.name in (name.strip(), item.name)
