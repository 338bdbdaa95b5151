"""Nodes of Kubernetes: cards, slices and shares are three things; a label is no card; who can take work now."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from simulation.formats.collector import CellError
from simulation.formats.errors import FormatError
from simulation.formats.interview import Interview
from simulation.formats.inventory import NONE_WHOLE, pools
from simulation.formats.kubernetes import quantity
from simulation.formats.parts import nodes as nodes_part
from simulation.formats.registry import FORMATS
from tests.simulation.formats.conftest import read_text

H100 = "NVIDIA-H100-80GB-HBM3"
PRODUCT, COUNT, REPLICAS = "nvidia.com/gpu.product", "nvidia.com/gpu.count", "nvidia.com/gpu.replicas"


def node(name="a", capacity=None, allocatable=None, labels=None, spec=None, ready="True"):
    capacity = {"cpu": "64", "memory": "1Gi", **(capacity if capacity is not None else {"nvidia.com/gpu": "8"})}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {PRODUCT: H100, COUNT: "8"} if labels is None else labels},
        "spec": spec or {},
        "status": {
            "capacity": capacity,
            "allocatable": {**capacity, **(allocatable or {})},
            "conditions": [{"type": "Ready", "status": ready}],
        },
    }


def read_nodes(*nodes):
    body = json.dumps({"apiVersion": "v1", "kind": "List", "items": list(nodes)})
    return read_text("kubernetes-nodes", body)


def test_one_h100_node_and_one_without_gpus(sample):
    reading = sample("kubernetes-nodes", "k8s-nodes-json/one_h100_node_one_cpu_node.json")
    totals = reading.totals
    assert (totals["gpus"], totals["gpus_schedulable"], totals["cpu_nodes"]) == (8, 8, 1)
    assert reading.table["cpus"] == [192.0, 64.0]
    assert reading.table["memory_bytes"][0] == 2_113_440_328 * 1024
    part = nodes_part.part(reading, Interview())
    assert [(pool.gpu_model, pool.gpus) for pool in part.cluster.pools] == [("H100-SXM5-80GB", 8)]
    assert part.cluster.pools[0].gpu_memory_bytes == 80 * 10**9


def test_an_a100_cut_into_three_slices(sample):
    reading = sample("kubernetes-nodes", "k8s-nodes-json/a100_mig_mixed_three_instances.json")
    row = reading.table.row(0)
    assert (row["gpus"], row["gpus_usable"], row["slices"]) == (1, 0, ("1g.5gb:2", "2g.10gb:1"))
    assert (reading.totals["gpus"], reading.totals["gpus_schedulable"]) == (1, 0)
    assert sum(reading.totals["slices"].values()) == 3
    assert reading.totals["by_model"] == {"NVIDIA-A100-SXM4-40GB": 1}
    assert pools(reading.table).left_out == {NONE_WHOLE: 1}
    assert pools(reading.table, schedulable_only=False).pools[0].gpus == 1


def test_json_and_yaml_are_the_same():
    as_yaml = f"""
apiVersion: v1
kind: Node
metadata:
  name: a
  labels: {{{PRODUCT}: {H100}, {COUNT}: "8"}}
spec: {{}}
status:
  capacity: {{cpu: "64", memory: 1Gi, nvidia.com/gpu: 8}}
  allocatable: {{cpu: "64", memory: 1Gi, nvidia.com/gpu: 8}}
  conditions:
  - {{type: Ready, status: "True"}}
"""
    assert read_text("kubernetes-nodes", as_yaml).digest() == read_nodes(node()).digest()


def test_one_node_alone_is_not_wrapped():
    assert len(read_text("kubernetes-nodes", json.dumps(node())).table) == 1


def test_a_lost_card_is_installed_but_cannot_be_given():
    reading = read_nodes(node(allocatable={"nvidia.com/gpu": "7"}))
    assert (reading.totals["gpus"], reading.totals["gpus_schedulable"]) == (8, 7)
    part = nodes_part.part(reading, Interview({"nodes": "schedulable"}))
    assert part.cluster.pools[0].gpus_per_node == 7
    assert nodes_part.part(reading, Interview({"nodes": "installed"})).cluster.gpus == 8


def test_a_label_that_outlived_its_card_is_no_card():
    reading = read_nodes(node(capacity={}))
    assert (reading.totals["gpus"], reading.totals["cpu_nodes"]) == (0, 1)
    assert "label says otherwise" in reading.warned[0].reason


def test_with_strategy_single_slices_are_no_gpus():
    labels = {PRODUCT: f"{H100}-MIG-1g.10gb", "nvidia.com/mig.strategy": "single"}
    cut = node(capacity={"nvidia.com/gpu": "56"}, labels={**labels, COUNT: "8"})
    row = read_nodes(cut).table.row(0)
    assert (row["gpus"], row["gpus_usable"], row["slices"]) == (8, 0, ("1g.10gb:56",))
    unsure = node(capacity={"nvidia.com/gpu": "56"}, labels={**labels, COUNT: "56"})
    assert read_nodes(unsure).table["gpus"] == [None]


@pytest.mark.parametrize("resource", ["nvidia.com/gpu", "nvidia.com/gpu.shared"])
def test_shares_of_time_sliced_cards_are_no_cards(resource):
    labels = {PRODUCT: f"{H100}-SHARED", COUNT: "8", REPLICAS: "4"}
    reading = read_nodes(node(capacity={resource: "32"}, labels=labels))
    assert (reading.totals["gpus"], reading.totals["by_model"]) == (8, {f"{H100}-SHARED": 8})
    assert "32 shares of 8 cards" in reading.warned[0].reason


@pytest.mark.parametrize(
    ("labels", "purchase"),
    [
        ({"karpenter.sh/capacity-type": "spot"}, "spot"),
        ({"eks.amazonaws.com/capacityType": "ON_DEMAND"}, "on-demand"),
        ({"cloud.google.com/gke-spot": "true"}, "spot"),
        ({"kubernetes.azure.com/scalesetpriority": "spot"}, "spot"),
        ({"kubernetes.azure.com/scalesetpriority": "low"}, None),
        ({}, None),
    ],
)
def test_price_classes_are_kept_apart(labels, purchase):
    assert read_nodes(node(labels={PRODUCT: H100, **labels})).table["purchase"] == [purchase]


def test_spot_and_on_demand_nodes_make_two_pools():
    spot = node("b", labels={PRODUCT: H100, "karpenter.sh/capacity-type": "spot"})
    found = pools(read_nodes(node(), spot).table).pools
    assert {pool.purchase for pool in found} == {"owned", "spot"}
    assert len({pool.name for pool in found}) == 2


@pytest.mark.parametrize(
    ("changes", "schedulable"),
    [
        ({}, True),
        ({"ready": "False"}, False),
        ({"ready": "Unknown"}, False),
        ({"spec": {"unschedulable": True}}, False),
        ({"spec": {"taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]}}, True),
        ({"spec": {"taints": [{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]}}, False),
    ],
)
def test_who_takes_new_work(changes, schedulable):
    assert read_nodes(node(**changes)).table["schedulable"] == [schedulable]


def test_names_of_hosts_become_numbers_everywhere():
    hosts = node("rack7.uni.example"), node("anna-desktop", capacity={"nvidia.com/gpu": "-1"})
    hosts[0]["status"]["addresses"] = [{"type": "InternalIP", "address": "10.1.2.3"}]
    hosts[0]["spec"]["providerID"] = "aws:///zone/i-0abc"
    hosts[0]["metadata"]["labels"]["kubernetes.io/hostname"] = "rack7.uni.example"
    reading = read_nodes(*hosts)
    assert reading.table["name"] == ["node-2"]
    shown = json.dumps([list(reading.head), [issue.raw for issue in reading.rejected], reading.table.columns])
    stored = FORMATS["kubernetes-nodes"].redact(json.dumps({"kind": "List", "items": list(hosts)}).encode())
    for secret in ("rack7", "anna", "10.1.2.3", "i-0abc"):
        assert secret not in shown
        assert secret.encode() not in stored
    again = read_text("kubernetes-nodes", stored)
    assert again.digest() == reading.digest()
    assert FORMATS["kubernetes-nodes"].redact(stored) == stored


def test_a_model_without_label_is_that_of_the_instance_type():
    reading = read_nodes(node(labels={"node.kubernetes.io/instance-type": "p5.48xlarge"}))
    assert reading.table["gpu_model"] == ["H100-SXM5-80GB"]


def test_a_node_twice_counts_once_and_never_in_two_ways():
    assert read_nodes(node(), node()).counts.folded == 1
    assert read_nodes(node(), node(capacity={"nvidia.com/gpu": "4"})).counts.rejected == 1


@pytest.mark.parametrize("amount", ["-8", "8.5", "NaN", "many", "9" * 30, "", "1e30", {"a": 1}])
def test_impossible_amounts_refuse_their_node_alone(amount):
    reading = read_nodes(node(capacity={"nvidia.com/gpu": amount}), node("b"))
    assert (reading.counts.rejected, len(reading.table)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", "8"), ("191450m", "191.45"), ("2113440328Ki", 2_113_440_328 * 1024), ("129M", 129_000_000),
        ("129e6", 129_000_000), ("1k", 1000), ("93478772582", 93_478_772_582), ("1.5Gi", 1536 * 1024**2),
        ("1E", 10**18),
    ],
)  # fmt: skip
def test_quantities(text, value):
    assert quantity(text, "x") == Decimal(value)


@pytest.mark.parametrize("text", ["", "1 Gi", "1GiB", "0x10", "1e999", "--1", "Infinity", None])
def test_what_is_no_quantity(text):
    with pytest.raises(CellError):
        quantity(text, "x")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a: &x [1]\nb: *x\n", "without aliases"),
        ("kind: !!python/object/apply:os.system [x]\n", "without tags"),
        ("a: " + "[" * 60 + "]" * 60, "at most 50 deep"),
        ("kind: Node\n  metadata: [\n", "line 2.*YAML or JSON"),
        ('{"kind": "Node"', "JSON"),
        ("kind: Pod\n", "objects of kind Node"),
        ("just a text\n", "kind and metadata"),
    ],
)
def test_files_that_are_hostile_or_something_else(content, expected):
    with pytest.raises(FormatError, match=expected):
        read_text("kubernetes-nodes", content)
