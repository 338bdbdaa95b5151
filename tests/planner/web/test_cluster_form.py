"""The form of a cluster says all that its document can, and gives it back; what cannot be is said at its field."""

from __future__ import annotations

import pytest
from django.urls import reverse

from planner.catalog import selectors
from planner.catalog.models import Item, Kind
from planner.catalog.services import revision_add
from simulation.hardware import Cluster, Interruptions, Links, NodeChange, Pool

FULL = Pool(
    name="a", gpu_model="H100-SXM5-80GB", nodes=4, gpus_per_node=8, speed=1.7, gpu_memory_bytes=85_899_345_920,
    cores_per_node=96, memory_per_node_bytes=1_000_000_000_001, idle_w=70.123456789012, peak_w=700.0,
    node_overhead_w=812.5, off_w=30.0, boot_s=87_264.0, purchase="spot", starts_down=True,
    links=Links(
        island_gpus=4, island_gb_s=450.25, node_gb_s=0.1 + 0.2, network_gb_s=400.0, rack_nodes=2, oversubscription=4.0
    ),
    interruptions=Interruptions(mean_up_s=864_000.0, mean_down_s=1234.56789012345, notice_s=120.0),
    node_names=["n1", "n2", "n3", "n4"],
)  # fmt: skip
PLAIN = Pool(name="b", gpu_model="T4", nodes=1, gpus_per_node=1)
CHANGES = [
    NodeChange(at_s=7200.0, pool="a", nodes=3, up=True),
    NodeChange(at_s=100.0 / 3, pool="b", nodes=1, up=False),
    NodeChange(at_s=3600.0, pool="a", nodes=1, up=True),
]
FIGURES = {"a": {"links": {"origin": "measured", "source": "topo.txt"}}}


@pytest.fixture
def item(workspace, owner) -> Item:
    content = Cluster(name="lab", pools=[FULL, PLAIN], changes=CHANGES)
    document = {
        "cluster": content.model_dump(mode="json"),
        "origins": {"cluster": "measured", "power": "cited"},
        "figures": FIGURES,
    }
    given = {"kind": Kind.CLUSTER, "name": "lab", "document": document, "origin": "measured", "source": "nodes.csv"}
    return revision_add(workspace=workspace, user=owner, **given).item


@pytest.fixture
def form(signed_in, workspace, item):
    """Opens the form of the cluster and posts it as it came, with some fields changed."""
    address = reverse("cluster-edit", args=[workspace.slug, item.id])

    def post(**changed: str):
        shown = signed_in.get(address).context
        rows = shown["rows"]
        sent = {
            f"rows-{name}_FORMS": str(rows.management_form[f"{name}_FORMS"].value()) for name in ("TOTAL", "INITIAL")
        }
        sent |= {field.name: field.value() or "" for field in shown["form"]}
        sent |= {f"{row.prefix}-{field.name}": field.value() or "" for row in rows for field in row}
        wanted = {name if name in sent else f"rows-{name}": value for name, value in changed.items()}
        return signed_in.post(address, {name: value for name, value in (sent | wanted).items() if value})

    return post


def content(item: Item) -> Cluster:
    return selectors.cluster_of(selectors.latest(item))


def test_what_the_form_was_given_comes_back_as_it_was(form, item):
    assert form().status_code == 302
    after = content(item)
    assert (after.pools[0], after.changes) == (FULL, CHANGES)
    assert form().status_code == 302
    assert item.revisions.count() == 2  # the first filled blanks of the T4 from the catalogue; now all is the same


def test_an_edit_changes_what_was_edited_and_nothing_else(form, item):
    before = content(item)
    assert (
        form(**{"0-mean_up_s": "1-12:00:00", "1-changes": "2 d 6 h, 1 node up\n\n1-12:00:00 1 down"}).status_code == 302
    )
    after = content(item)
    interruptions = FULL.interruptions.model_copy(update={"mean_up_s": 129_600.0})
    assert after.pools[0] == before.pools[0].model_copy(update={"interruptions": interruptions})
    assert after.pools[1].model_copy(update={"gpu_memory_bytes": None, "idle_w": None, "peak_w": None}) == PLAIN
    assert [(c.at_s, c.up) for c in after.changes if c.pool == "b"] == [(129_600.0, False), (194_400.0, True)]
    figures = selectors.latest(item).document["figures"]["a"]
    assert [figures[f]["origin"] for f in ("interruptions", "links", "nodes", "off_w")] == [
        "assumed", "measured", "measured", "cited",
    ]  # fmt: skip
    assert selectors.latest(item).document["origins"]["cluster"] == "assumed"


def test_what_is_emptied_is_no_longer_said(form, item):
    emptied = ("mean_up_s", "mean_down_s", "notice_s", "island_gpus", "cores_per_node", "changes", "starts_down")
    assert form(**{f"0-{name}": "" for name in emptied}).status_code == 302
    pool = content(item).pools[0]
    assert (pool.interruptions, pool.links.island_gpus, pool.cores_per_node, pool.starts_down) == (None,) * 3 + (False,)
    assert {change.pool for change in content(item).changes} == {"b"}


def test_a_pool_with_another_name_is_the_same_pool(form, item):
    assert form(**{"0-name": "front", "1-name": "a"}).status_code == 302
    cluster = content(item)
    assert cluster.pools[0] == FULL.model_copy(update={"name": "front"})
    assert [change.pool for change in cluster.changes] == ["a", "front", "front"]
    assert selectors.latest(item).document["figures"]["front"]["links"] == FIGURES["a"]["links"]


def test_two_pools_cannot_both_be_the_one_that_was_there(form, item):
    answer = form(**{"1-was": "a"})
    assert "two of them continue the same one" in answer.content.decode()
    assert item.revisions.count() == 1


WRONG = [
    ("cores_per_node", "0", "Expected a value greater than 0"),
    ("cores_per_node", "2.5", "Enter a whole number"),
    ("memory_per_node_bytes", "much", "Enter a number"),
    ("island_gpus", "0", "Expected a value greater than or equal to 1"),
    ("island_gb_s", "-4", "Expected a value greater than 0"),
    ("network_gb_s", "1,500", "can be read as 1.500 or as 1500"),
    ("oversubscription", "0.5", "Expected a value greater than or equal to 1"),
    ("node_overhead_w", "-1", "Expected a value greater than or equal to 0"),
    ("off_w", "1e400", "Ensure that there are no more than"),
    ("boot_s", "soon", "Expected a span such as 90m, 1.5h or 1-12:00:00; soon is"),
    ("boot_s", "-5 min", "Expected a span of 0 or more"),
    ("mean_up_s", "3 months", "Expected a span such as 90m, 1.5h or 1-12:00:00"),
    ("mean_up_s", "0", "Expected a value greater than 0"),
    ("mean_up_s", "", "Needed where the others of its group are given"),
    ("notice_s", "2000 weeks 99 years", "Expected a span"),
    ("changes", "2 d: 3 down\nin May: all gone", "Line 2: expected a time, a number of nodes, and up or down"),
    ("changes", "later: 3 down", "Line 1: Expected"),
    ("changes", "2 d: 0 down", "Line 1: Expected a value greater than or equal to 1"),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value", "said"), WRONG)
def test_a_bad_value_says_what_was_expected_and_loses_nothing(form, item, field, value, said):
    answer = form(**{f"0-{field}": value, "0-rack_nodes": "7", "why": "rebuilt"})
    assert answer.status_code == 400
    row = answer.context["rows"].forms[0]
    assert said in " ".join(row.errors[field])
    assert list(row.errors) == [field]
    page = answer.content.decode()
    assert f'id="id_rows-0-{field}_error"' in page
    assert "<details open>" in page
    assert row[field].value().replace("\r", "") == value if value else not row[field].value()
    assert (row["rack_nodes"].value(), answer.context["form"]["why"].value()) == ("7", "rebuilt")
    assert item.revisions.count() == 1


def test_ninety_pools_can_be_posted(signed_in, workspace):
    sent = {"name": "large", "rows-TOTAL_FORMS": "90", "rows-INITIAL_FORMS": "0"}
    opened = signed_in.get(reverse("cluster-new", args=[workspace.slug])).context["rows"].empty_form
    for at in range(90):
        sent |= {f"rows-{at}-{name}": "" for name in opened.fields}
        sent |= {f"rows-{at}-name": f"p{at}", f"rows-{at}-gpu_model": "T4", f"rows-{at}-purchase": "owned"}
        sent |= {f"rows-{at}-nodes": "1", f"rows-{at}-gpus_per_node": "1"}
    assert signed_in.post(reverse("cluster-new", args=[workspace.slug]), sent).status_code == 302
    assert len(content(Item.objects.get(name="large")).pools) == 90
