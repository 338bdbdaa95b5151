"""The pages of the catalogue: for members in empty and filled state, and for nobody else."""

from __future__ import annotations

import pytest
from django.urls import reverse

from planner.accounts.models import Role
from planner.accounts.services import workspace_create
from planner.catalog.models import Item, Kind, Revision
from planner.catalog.services import revision_add
from simulation.scenario import JobTable, Requests, Service, Workload

JOBS = JobTable(id=["a", "b"], submit_s=[0, 90_000], duration_s=[3600, 7200], gpus=[1, 8], tenant=["x", "<b>y</b>"])
CHAT = Service(name="chat", alpha_s=0.1, slo_s=1, requests=Requests(times_s=[0.0, 2.0]))
POOLS = {
    "name": ["h100", "odd"],
    "gpu_model": ["H100-SXM5-80GB", "Z9000"],
    "nodes": ["4", "1"],
    "gpus_per_node": ["8", "2"],
    "purchase": ["owned", "spot"],
}
LISTS = ("clusters", "prices", "workloads", "slos", "imports")
FORMS = ("cluster-new", "price-sheet-new", "slo-set-new", "import-new")


def rows(initial: int = 0, **columns: list[str]) -> dict[str, str]:
    """The fields of a table of rows, as a browser posts them."""
    count = len(next(iter(columns.values())))
    cells = {f"rows-{at}-{name}": values[at] for name, values in columns.items() for at in range(count)}
    return {"rows-TOTAL_FORMS": str(count), "rows-INITIAL_FORMS": str(initial), **cells}


@pytest.fixture
def page(signed_in, workspace):
    """Gets a page by name, or posts to it."""

    def visit(name: str, *args, post: dict | None = None, **query):
        url = reverse(name, args=[workspace.slug, *args], query=query)
        return signed_in.get(url) if post is None else signed_in.post(url, post)

    return visit


@pytest.fixture
def cluster(page) -> Item:
    page("cluster-new", post={"name": "big", "why": "wiki", **rows(**POOLS)})
    return Item.objects.get(kind=Kind.CLUSTER)


@pytest.fixture
def prices(page) -> Item:
    lines = rows(gpu_model=["H100-SXM5-80GB"], amount=["2,50"], unit=["gpu-hour"], purchase=["owned"])
    page("price-sheet-new", post={"name": "2026", "currency": "USD", "charge_idle": "on", **lines})
    return Item.objects.get(kind=Kind.PRICES)


@pytest.fixture
def slos(page) -> Item:
    page("slo-set-new", post={"name": "promise", **rows(metric=["wait_p95_s"], limit=["3600"], hard=["hard"])})
    return Item.objects.get(kind=Kind.SLOS)


@pytest.fixture
def workload(workspace, owner) -> Item:
    given = {"kind": "workload", "name": "june", "origin": "measured", "source": "june.psv"}
    content = Workload(jobs=JOBS, services=[CHAT])
    return revision_add(workspace=workspace, user=owner, workload=content, **given).item


@pytest.mark.parametrize("name", LISTS)
def test_an_empty_list_has_one_sentence_and_one_action(page, name):
    response = page(name)
    assert response.status_code == 200
    text = response.content.decode()
    assert text.count("btn primary") == 1
    assert 'class="empty"' in text
    assert 'scope="col"' not in text.partition("Show as API call")[0]


def test_an_empty_list_leads_to_the_example(page, workspace, owner):
    workspace_create(name="Example", owner=owner, is_example=True)
    for name in LISTS:
        assert "look at the example first" in page(name).content.decode()


@pytest.mark.parametrize("name", FORMS)
def test_forms_open(page, name):
    assert page(name).status_code == 200


def test_lists_show_what_there_is(page, cluster, prices, slos, workload):
    for name, item in (("clusters", cluster), ("prices", prices), ("slos", slos), ("workloads", workload)):
        text = page(name).content.decode()
        assert item.name in text
        assert 'class="empty"' not in text


def test_a_cluster_page_marks_every_figure_and_names_what_is_not_known(page, cluster):
    text = page("cluster", cluster.pk).content.decode()
    assert "34 GPUs on 5 nodes" in text
    assert "o-a" in text
    assert "o-c" in text
    assert "Z9000 is not a GPU model that we know" in text
    assert "typed by olga: wiki" in text


def test_a_price_sheet_page_shows_unit_and_the_cost_of_a_month(page, prices, cluster):
    text = page("price-sheet", prices.pk).content.decode()
    assert "per GPU-hour" in text
    assert "58,400.00" in text  # 32 GPUs x 730 h x 2.50
    assert "pool odd: has no price for Z9000, spot" in text
    assert "Total unknown" in text


def test_a_price_sheet_page_opens_without_a_cluster(page, prices):
    assert "There is no cluster yet" in page("price-sheet", prices.pk).content.decode()


def test_a_workload_page_shows_its_profile_and_escapes_names(page, workload):
    text = page("workload", workload.pk).content.decode()
    assert "2 jobs and 1 service" in text
    assert "&lt;b&gt;y&lt;/b&gt;" in text
    assert "<b>y</b>" not in text
    assert "the log holds no start times" in text


def test_an_slo_page_shows_limits_with_units(page, slos):
    text = page("slo-set", slos.pk).content.decode()
    assert "Wait, P95" in text
    assert "hard limit" in text


def test_a_change_by_form_is_the_next_revision_and_can_be_compared(page, cluster):
    newest = Revision.objects.get(item=cluster)
    changed = {**POOLS, "nodes": ["6", "1"]}
    given = {"name": "big", "why": "six now", "based_on": str(newest.pk), **rows(2, **changed)}
    assert page("cluster-edit", cluster.pk).status_code == 200
    assert page("cluster-edit", cluster.pk, post=given).status_code == 302
    assert cluster.revisions.count() == 2
    text = page("cluster-changes", cluster.pk, **{"from": 1, "to": 2}).content.decode()
    assert "cluster / pools / h100 / nodes" in text
    older = page("cluster", cluster.pk, rev=1).content.decode()
    assert "You are looking at revision 1" in older


def test_a_second_writer_sees_409_and_keeps_what_was_typed(page, cluster):
    started = str(Revision.objects.get(item=cluster).pk)

    def save(nodes: str):
        given = {"name": "big", "based_on": started, **rows(2, **{**POOLS, "nodes": [nodes, "1"]})}
        return page("cluster-edit", cluster.pk, post=given)

    assert save("6").status_code == 302
    conflict = save("7")
    assert conflict.status_code == 409
    text = conflict.content.decode()
    assert "You started from revision 1 of big, but olga has since saved revision 2" in text
    assert 'value="7"' in text
    assert cluster.revisions.count() == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"nodes": ["many", "1"]}, "Enter a number"),
        ({"nodes": ["-4", "1"]}, "greater than or equal to 0"),
        ({"nodes": ["1,500", "1"]}, "can be read as 1.500 or as 1500"),
        ({"name": ["h100", "h100"]}, "pool names must differ"),
        ({"purchase": ["stolen", "spot"]}, "not one of the available choices"),
    ],
)
def test_a_cluster_form_that_cannot_be_says_why_and_saves_nothing(page, change, said):
    response = page("cluster-new", post={"name": "big", **rows(**{**POOLS, **change})})
    assert response.status_code == 400
    assert said in response.content.decode()
    assert not Item.objects.exists()


@pytest.mark.parametrize(
    "broken",
    [
        {"rows-TOTAL_FORMS": ""},
        {"rows-TOTAL_FORMS": "-3"},
        {"rows-TOTAL_FORMS": "9" * 30},
        {"rows-INITIAL_FORMS": "x"},
        {"based_on": "not-an-id"},
    ],
)
def test_a_form_that_was_tampered_with_is_refused(page, broken):
    response = page("cluster-new", post={"name": "big", **rows(**POOLS), **broken})
    assert response.status_code == 400
    assert not Item.objects.exists()


def test_a_form_without_rows_is_refused(page):
    blank = rows(name=[""], gpu_model=[""], nodes=[""], gpus_per_node=[""], purchase=["owned"])
    response = page("cluster-new", post={"name": "big", **blank})
    assert "A cluster needs at least one pool" in response.content.decode()


def test_archiving_takes_out_of_the_list_and_back(page, cluster):
    assert page("cluster-archive", cluster.pk, post={}).status_code == 302
    assert "1 archived" in page("clusters").content.decode()
    page("cluster-archive", cluster.pk, post={"back": "1"})
    assert "archived" not in page("clusters").content.decode().replace("is archived", "")


def test_a_workload_page_says_what_a_log_left_open(page, workspace, owner):
    given = {"kind": "workload", "name": "shared", "origin": "measured", "source": "pods.csv"}
    content = Workload(jobs=JobTable(id=["a"], submit_s=[0.0], duration_s=[60.0], gpus=[1]))
    facts = {"running": 2, "widened": 1, "unknown_waits": 3}
    item = revision_add(workspace=workspace, user=owner, workload=content, facts=facts, **given).item
    text = page("workload", item.pk).content.decode()
    assert "2 jobs still ran at the end of the log" in text
    assert "1 job used a part of a GPU; each is given a whole one." in text
    assert "The wait of 3 jobs is not known." in text


def test_a_workload_can_be_renamed(page, workload):
    assert page("workload-rename", workload.pk, post={"name": "June 2026"}).status_code == 302
    workload.refresh_from_db()
    assert workload.name == "June 2026"
    page("workload-rename", workload.pk, post={"name": " "})
    assert "Not renamed. name: give one of 1 to 100 characters." in page("workload", workload.pk).content.decode()


def test_jobs_and_services_can_be_joined(page, workload, workspace, owner):
    given = {"kind": "workload", "origin": "measured", "source": "log"}
    jobs = revision_add(workspace=workspace, user=owner, name="only jobs", workload=Workload(jobs=JOBS), **given)
    post = {"jobs": jobs.item_id, "services": workload.pk, "name": "both"}
    assert page("workload-combine", post=post).status_code == 302
    assert Item.objects.filter(name="both").exists()


PAGES = ("clusters", "prices", "workloads", "slos", "imports")
EDITS = ("cluster-new", "price-sheet-new", "slo-set-new", "import-new")


@pytest.mark.parametrize("role", [Role.MANAGER, Role.REVIEWER])
def test_readers_read_and_may_not_edit(client, workspace, member, cluster, role):
    client.force_login(member(role))
    for name in PAGES:
        assert client.get(reverse(name, args=[workspace.slug])).status_code == 200
    for name in EDITS:
        assert client.get(reverse(name, args=[workspace.slug])).status_code == 403
    shown = client.get(reverse("cluster", args=[workspace.slug, cluster.pk]))
    assert shown.status_code == 200
    assert ">Archive<" not in shown.content.decode()
    assert client.post(reverse("cluster-archive", args=[workspace.slug, cluster.pk])).status_code == 403


def test_a_planner_edits(client, workspace, member):
    client.force_login(member(Role.PLANNER))
    assert client.get(reverse("cluster-new", args=[workspace.slug])).status_code == 200


def test_for_a_stranger_nothing_exists(client, workspace, person, cluster):
    stranger = person("sam")
    workspace_create(name="Elsewhere", owner=stranger, slug="elsewhere")
    client.force_login(stranger)
    for name in (*PAGES, *EDITS):
        assert client.get(reverse(name, args=[workspace.slug])).status_code == 404
    for slug in (workspace.slug, "elsewhere"):
        assert client.get(reverse("cluster", args=[slug, cluster.pk])).status_code == 404
        assert client.post(reverse("cluster-archive", args=[slug, cluster.pk])).status_code == 404


def test_without_signing_in_there_is_only_the_door(client, workspace):
    for name in (*PAGES, *EDITS):
        response = client.get(reverse(name, args=[workspace.slug]))
        assert response.status_code == 302
        assert reverse("sign-in") in response.url


@pytest.mark.parametrize("query", [{"rev": "99"}, {"rev": "9" * 30}])
def test_a_revision_that_is_not_there_is_not_found(page, cluster, query):
    assert page("cluster", cluster.pk, **query).status_code == 404


@pytest.mark.parametrize("query", [{}, {"from": "x", "to": "1"}, {"from": "1", "to": "9" * 40}])
def test_a_comparison_of_nothing_is_not_found(page, cluster, query):
    assert page("cluster-changes", cluster.pk, **query).status_code == 404
