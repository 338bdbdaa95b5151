"""Links, host, interruptions and recorded changes of a cluster are shown where they are given."""

from __future__ import annotations

import pytest
from django.urls import reverse

from planner.catalog import selectors
from planner.catalog.figures import told_in
from planner.catalog.models import Item, Kind
from planner.catalog.services import revision_add
from planner.web.cluster_rows import changes_of, facts_of
from simulation.hardware import Cluster, Interruptions, Links, NodeChange, Pool

POOL = {"name": "a", "gpu_model": "H100-SXM5-80GB", "nodes": 4, "gpus_per_node": 8}
MADE = Pool(
    **POOL, cores_per_node=96, memory_per_node_bytes=2**40, off_w=30.0, boot_s=300.0,
    links=Links(island_gpus=8, island_gb_s=450.0, rack_nodes=2, oversubscription=4.0),
    interruptions=Interruptions(mean_up_s=864_000.0, mean_down_s=3600.0, notice_s=120.0),
)  # fmt: skip
CHANGES = [
    NodeChange(at_s=7200.0, pool="a", nodes=3, up=False),
    NodeChange(at_s=3600.0, pool="a", nodes=1, up=False),
    NodeChange(at_s=10_800.0, pool="a", nodes=9, up=True),
]


def cluster(*pools, changes=()):
    return Cluster(pools=list(pools), changes=list(changes))


@pytest.fixture
def item(workspace, owner):
    document = {
        "cluster": cluster(MADE, Pool(name="b", gpu_model="T4", nodes=1, gpus_per_node=1), changes=CHANGES).model_dump(
            mode="json"
        ),
        "origins": {"cluster": "assumed", "power": "assumed"},
    }
    revision_add(
        workspace=workspace, user=owner, kind=Kind.CLUSTER, name="lab", document=document, origin="assumed",
        source="typed in", note="",
    )  # fmt: skip
    return Item.objects.get(kind=Kind.CLUSTER)


def test_only_what_some_pool_says_is_a_row(item):
    told = told_in(selectors.latest(item))
    content = selectors.cluster_of(selectors.latest(item))
    plain = content.model_copy(update={"pools": content.pools[1:], "changes": []})
    assert facts_of(plain, told) == []
    rows = {name: (unit, [value.text for value in values]) for name, unit, values in facts_of(content, told)}
    assert rows["Host memory"] == ("GiB a node", ["1,024", ""])
    assert rows["Rate inside an island"] == ("GB/s a GPU", ["450", ""])
    assert rows["Oversubscription between racks"][1] == ["4", ""]
    assert rows["Time between interruptions"][1] == ["10 d", ""]
    assert rows["Boot"][1] == ["5 min", ""]
    assert "Network" not in rows


def test_changes_stand_in_order_with_the_nodes_that_are_left():
    assert [(c.at, c.up, c.left) for c in changes_of(cluster(MADE, changes=CHANGES))] == [
        ("60 min", False, 3), ("2 h", False, 0), ("3 h", True, 4),
    ]  # fmt: skip
    late = MADE.model_copy(update={"starts_down": True})
    assert [c.left for c in changes_of(cluster(late, changes=CHANGES[2:]))] == [4]


def test_the_page_shows_them_with_their_origin_where_they_are_given(signed_in, workspace, item):
    page = signed_in.get(reverse("cluster", args=[workspace.slug, item.id])).content.decode()
    assert "Nodes, links and interruptions" in page
    assert page.partition("Nodes, links and interruptions")[2].partition("</section>")[0].count("o-a") == 11
    assert "Recorded changes of nodes" in page


def test_the_table_to_take_along_has_them_too(signed_in, workspace, item):
    address = reverse("cluster-file", args=[workspace.slug, item.id, "json"])
    first, second = signed_in.get(address).json()["rows"]
    assert (first["island_gb_s.value"], first["island_gb_s.unit"]) == (450.0, "GB/s")
    assert (first["boot_s.value"], first["boot_s.unit"], first["boot_s.origin"]) == (300.0, "s", "assumed")
    assert first["memory_per_node_bytes.value"] == 2**40
    assert second["mean_up_s.value"] is None
    assert "network_gb_s.value" not in first
