"""Power samples and link matrices become the next revision of a cluster that is there; all else of it is kept."""

from __future__ import annotations

import hashlib
import json

import pytest

from planner.accounts.services import workspace_create
from planner.catalog import selectors
from planner.catalog.drafts.devices import REJECTED, UNEQUAL
from planner.catalog.drafts.samples import NOT_THERE
from planner.catalog.models import Kind
from planner.catalog.services import revision_add
from planner.catalog.services_entry import cluster_enter
from planner.catalog.services_imports import import_accept, import_answer
from simulation.formats.errors import FormatError

SMI = """timestamp, uuid, name, utilization.gpu [%], power.draw [W]
2026/03/02 10:00:00.000, GPU-a, NVIDIA H100 80GB HBM3, 0 %, 70.00 W
2026/03/02 10:00:20.000, GPU-a, NVIDIA H100 80GB HBM3, 99 %, 650.00 W
2026/03/02 10:00:40.000, GPU-a, NVIDIA H100 80GB HBM3, 99 %, 690.00 W
2026/03/02 10:00:40.000, GPU-b, Tesla T4, 99 %, 69.00 W
"""
UTC = {"time_zone": "UTC"}
TOPOLOGY = """\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV12\tSYS\tSYS\t0-15\t0
GPU1\tNV12\t X \tSYS\tSYS\t0-15\t0
GPU2\tSYS\tSYS\t X \tNV12\t16-31\t1
GPU3\tSYS\tSYS\tNV12\t X \t16-31\t1
"""


def pool(name="hopper", model="H100-SXM5-80GB", gpus=8):
    return {"name": name, "gpu_model": model, "nodes": 4, "gpus_per_node": gpus}


@pytest.fixture
def lab(workspace, owner):
    """A cluster typed in: 32 H100, powers from the catalogue, and four nodes of four A100."""
    pools = [pool(), pool("ampere", "A100-SXM4-80GB", 4)]
    return cluster_enter(workspace=workspace, user=owner, pools=pools, why="rack list", name="Lab")


def target(revision):
    return {"item": str(revision.item_id)}


def pool_of(revision, name):
    return next(one for one in revision.document["cluster"]["pools"] if one["name"] == name)


def test_a_cluster_must_be_there_first(upload):
    importing = upload(SMI, "power.csv")
    assert (importing.kind, importing.preview["open"]) == ("samples", ["time_zone", "item"])
    question = importing.preview["questions"][-2]
    assert question["options"] == []
    assert "bring a list of nodes first" in question["why"]


def test_measured_powers_become_the_next_revision(upload, owner, lab):
    importing = import_answer(importing=upload(SMI, "power.csv"), user=owner, answers={**UTC, **target(lab)})
    assert importing.preview["ready"]
    assert importing.preview["left_out"] == {NOT_THERE: 1}
    revision = import_accept(importing=importing, user=owner)
    assert (revision.item_id, revision.number) == (lab.item_id, lab.number + 1)
    measured = pool_of(revision, "hopper")
    assert measured["idle_w"] == 70.0
    assert measured["peak_w"] == pytest.approx(689.6)
    told = revision.document["figures"]["hopper"]
    assert told["idle_w"]["origin"] == told["peak_w"]["origin"] == "measured"
    assert "median of 1 sample (few)" in told["idle_w"]["source"]
    assert "99th percentile of 2 samples (few)" in told["peak_w"]["source"]
    assert "power.csv" in told["peak_w"]["source"]
    assert told["nodes"] == lab.document["figures"]["hopper"]["nodes"]
    assert pool_of(revision, "ampere") == pool_of(lab, "ampere")
    assert revision.document["origins"]["cluster"] == lab.document["origins"]["cluster"]
    assert selectors.cluster_of(revision).gpus == 48


def test_one_of_the_figures_may_be_taken_alone(upload, owner, lab):
    answers = {**UTC, **target(lab), "power": "peak"}
    revision = import_accept(importing=upload(SMI, "power.csv"), user=owner, answers=answers)
    assert pool_of(revision, "hopper")["idle_w"] == pool_of(lab, "hopper")["idle_w"]
    assert pool_of(revision, "hopper")["peak_w"] == pytest.approx(689.6)


def test_the_same_samples_again_add_nothing(upload, owner, lab):
    first = import_accept(importing=upload(SMI, "power.csv"), user=owner, answers={**UTC, **target(lab)})
    again = import_accept(importing=upload(SMI, "power.csv"), user=owner, answers={**UTC, **target(lab)})
    assert again == first


def test_samples_without_any_model_of_the_cluster_give_nothing(upload, owner, lab):
    other = SMI.replace("NVIDIA H100 80GB HBM3", "Tesla T4")
    with pytest.raises(FormatError, match="at least one row"):
        import_accept(importing=upload(other, "power.csv"), user=owner, answers={**UTC, **target(lab)})


def test_idle_power_above_the_peak_is_refused(upload, owner, lab):
    hot = SMI.replace("0 %, 70.00 W", "0 %, 790.00 W")
    with pytest.raises(FormatError, match="less power when idle than at peak in pool hopper"):
        import_accept(importing=upload(hot, "power.csv"), user=owner, answers={**UTC, **target(lab)})


def test_a_cluster_of_another_workspace_is_no_choice(upload, owner, other_lab):
    with pytest.raises(FormatError, match="item"):
        import_answer(importing=upload(SMI, "power.csv"), user=owner, answers=target(other_lab))


@pytest.fixture
def other_lab(owner):
    elsewhere = workspace_create(owner=owner, name="Elsewhere")
    return cluster_enter(workspace=elsewhere, user=owner, pools=[pool()], why="", name="Theirs")


def test_links_of_a_node_become_those_of_its_pool(upload, owner, lab):
    importing = import_answer(importing=upload(TOPOLOGY, "topo.txt"), user=owner, answers=target(lab))
    assert importing.preview["open"] == ["pool"]
    revision = import_accept(importing=importing, user=owner, answers={"pool": "ampere"})
    links = selectors.cluster_of(revision).pools[1].links
    assert (links.island_gpus, links.island_gb_s) == (2, 240.0)
    told = revision.document["figures"]["ampere"]["links"]
    assert told["origin"] == "cited"
    assert "12 NVLinks of each GPU x 20 GB/s" in told["source"]
    assert "topo.txt" in told["source"]


def test_a_cluster_is_no_stronger_than_its_links(upload, owner, workspace, lab):
    """Counted nodes whose links are worked out from a published rate: results rest on both."""
    document = lab.document | {"origins": {"cluster": "measured", "power": "cited"}}
    given = {"kind": Kind.CLUSTER, "item": lab.item, "document": document, "origin": "measured", "source": "nodes.csv"}
    counted = revision_add(workspace=workspace, user=owner, **given)
    assert counted.origin == "measured"
    revision = import_accept(
        importing=upload(TOPOLOGY, "topo.txt"), user=owner, answers={**target(counted), "pool": "ampere"}
    )
    assert revision.document["origins"] == {"cluster": "cited", "power": "cited"}


def test_an_edit_of_the_cluster_keeps_its_links(upload, owner, workspace, lab):
    answers = {**target(lab), "pool": "ampere"}
    linked = import_accept(importing=upload(TOPOLOGY, "topo.txt"), user=owner, answers=answers)
    typed = [pool(), {**pool("ampere", "A100-SXM4-80GB", 4), "nodes": 6}]
    edited = cluster_enter(
        workspace=workspace, user=owner, pools=typed, why="two more", item=linked.item, based_on=linked
    )
    assert pool_of(edited, "ampere")["links"] == pool_of(linked, "ampere")["links"]
    assert edited.document["figures"]["ampere"]["links"] == linked.document["figures"]["ampere"]["links"]
    rebuilt = [pool(), pool("ampere", "A100-SXM4-80GB", 8)]
    other = cluster_enter(
        workspace=workspace, user=owner, pools=rebuilt, why="new boards", item=linked.item, based_on=edited
    )
    assert selectors.cluster_of(other).pools[1].links.island_gpus is None


def test_only_pools_with_as_many_gpus_a_node_are_offered(upload, owner, lab):
    importing = import_answer(importing=upload(TOPOLOGY, "topo.txt"), user=owner, answers=target(lab))
    (question,) = [one for one in importing.preview["questions"] if one["key"] == "pool"]
    assert [option["value"] for option in question["options"]] == ["ampere"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (TOPOLOGY.replace("GPU3\tSYS\tSYS\tNV12", "GPU3\tSYS\tSYS\tFAR"), REJECTED),
        (TOPOLOGY.replace("GPU2\tSYS\tSYS\t X \tNV12", "GPU2\tSYS\tSYS\t X \tSYS").replace(
            "GPU3\tSYS\tSYS\tNV12", "GPU3\tSYS\tSYS\tSYS"), UNEQUAL),
    ],
)  # fmt: skip
def test_a_matrix_that_makes_no_equal_islands_is_not_taken(upload, owner, lab, text, reason):
    answers = target(lab) if reason == REJECTED else {**target(lab), "pool": "ampere"}
    importing = import_answer(importing=upload(text, "topo.txt"), user=owner, answers=answers)
    assert not importing.preview["ready"]
    assert importing.preview["left_out"].keys() == {reason}
    assert importing.preview["simulated"] == 0


def test_figures_name_the_file_as_it_came_in_and_nothing_of_its_hosts_is_stored(upload, owner):
    text = json.dumps(
        {
            "kind": "Node",
            "apiVersion": "v1",
            "metadata": {"name": "anna-desktop", "labels": {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}},
            "status": {"capacity": {"nvidia.com/gpu": "8"}, "conditions": [{"type": "Ready", "status": "True"}]},
        }
    )
    importing = upload(text, "nodes.json")
    assert b"anna" not in bytes(importing.content)
    assert "anna" not in json.dumps(importing.preview)
    revision = import_accept(importing=importing, user=owner)
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert (importing.sha256, revision.source.sha256) == (digest, digest)
    (told,) = revision.document["figures"].values()
    assert digest[:8] in told["nodes"]["source"]
