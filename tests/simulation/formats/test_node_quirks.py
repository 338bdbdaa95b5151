"""Node lists: what is in use only where the cluster counts it, slices apart, states with flags, host lists."""

from __future__ import annotations

import pytest

from simulation.formats.collector import CellError
from simulation.formats.inventory import GPUS_UNKNOWN, NO_GPU, NOT_SCHEDULABLE, TOO_MANY, pools
from simulation.formats.slurm_resources import expand_hosts, node_state, parse_gres
from tests.simulation.formats.conftest import read_text


def node(**changes):
    keys = {
        "NodeName": "n1", "Arch": "x86_64", "CPUTot": "64", "Gres": "gpu:h100:8(S:0-1)", "RealMemory": "1000",
        "State": "IDLE", "Partitions": "gpu", "CfgTRES": "cpu=64,gres/gpu=8", "AllocTRES": "cpu=8,gres/gpu=3",
    }  # fmt: skip
    keys |= changes
    return " ".join(f"{key}={value}" for key, value in keys.items()) + "\n"


def read_nodes(*lines):
    return read_text("slurm-nodes", "".join(lines))


def test_one_line_and_block_form_are_the_same():
    line = node()
    block = line.replace(" CPUTot", "\n   CPUTot").replace(" State", "\n   State") + "\n"
    assert read_nodes(line).digest() == read_nodes(block).digest()


def test_free_is_unknown_where_gpus_are_not_accounted():
    totals = read_nodes(node(CfgTRES="cpu=192", AllocTRES="cpu=192")).totals
    assert (totals["gpus"], totals["gpus_in_use"], totals["gpus_free"]) == (8, None, None)


def test_an_empty_allocation_of_an_accounted_node_is_none_in_use():
    assert read_nodes(node(AllocTRES="")).totals["gpus_free"] == 8


def test_gres_used_tells_where_it_is_there():
    text = node(CfgTRES="cpu=64", GresUsed="gpu:h100:5(IDX:0-4)")
    assert read_nodes(text).table["gpus_in_use"] == [5]


def test_only_gres_named_gpu_counts():
    assert parse_gres("tmp:844G", "Gres").whole == 0
    assert parse_gres("gpu:2", "Gres").whole == 2
    assert parse_gres("gpu:a100:4,gpu:v100:2", "Gres").models == ("a100", "v100")
    assert parse_gres("gpu:a100:0(IDX:N/A)", "Gres").whole == 0
    assert parse_gres("(null)", "Gres").whole == 0
    assert parse_gres("", "Gres").whole is None


def test_slices_stand_apart_and_are_never_added():
    reading = read_nodes(node(Gres="gpu:1g.10gb:7,shard:8"))
    row = reading.table.row(0)
    assert (row["gpus"], row["slices"], row["gpus_in_use"]) == (None, ("1g.10gb:7",), None)
    assert reading.totals["gpus"] == 0
    assert reading.totals["slices"] == {"1g.10gb": 7}


def test_a_lost_card_is_told():
    reading = read_nodes(node(CfgTRES="cpu=64,gres/gpu=7"))
    assert "only 7 GPUs" in reading.warned[0].reason


def test_reason_is_free_text_and_sets_nothing():
    row = read_nodes(node()[:-1] + " Reason=bad State=IDLE Gres=gpu:8 [root@x]\n").table.row(0)
    assert row["gpu_model"] == "h100"
    drained = read_nodes(node(State="IDLE+DRAIN")[:-1] + " Reason=State=IDLE fine\n").table.row(0)
    assert (drained["state"], drained["schedulable"]) == ("idle", False)


@pytest.mark.parametrize(
    ("state", "base", "flags", "schedulable"),
    [
        ("MIXED", "mixed", (), True),
        ("IDLE+DRAIN", "idle", ("drain",), False),
        ("DOWN*+CLOUD", "down", ("cloud", "not-responding"), False),
        ("IDLE~", "idle", ("powered-down",), True),
        ("MIXED$", "mixed", ("maintenance",), False),
        ("IDLE*", "idle", ("not-responding",), False),
    ],
)
def test_node_states(state, base, flags, schedulable):
    assert node_state(state) == (base, flags, schedulable)


def test_drained_nodes_are_installed_but_take_no_jobs():
    reading = read_nodes(node(), node(NodeName="n2", State="IDLE+DRAIN"))
    totals = reading.totals
    assert (totals["gpus"], totals["gpus_schedulable"], totals["gpus_free"]) == (16, 8, 5)
    inventory = pools(reading.table)
    assert [(pool.nodes, pool.node_names) for pool in inventory.pools] == [(1, ["n1"])]
    assert inventory.left_out == {NOT_SCHEDULABLE: 1}
    assert pools(reading.table, schedulable_only=False).pools[0].nodes == 2


def test_schedulable_is_unknown_where_no_state_is_recorded():
    totals = read_text("slurm-sinfo", "NODELIST|GRES|GRES_USED\ngpu1|gpu:a100:4|gpu:a100:1\n").totals
    assert (totals["gpus"], totals["gpus_schedulable"], totals["gpus_free"]) == (4, None, 3)


def test_what_cannot_be_a_node_is_counted_not_simulated():
    reading = read_nodes(node(Gres="gpu:h100:65", CfgTRES="cpu=64,gres/gpu=65"))
    assert pools(reading.table).left_out == {TOO_MANY: 1}


@pytest.mark.parametrize("watts", ["0", "n/s", "n/a", ""])
def test_watts_that_were_not_measured_are_unknown(watts):
    assert read_nodes(node(CurrentWatts=watts)).table["watts"] == [None]


def test_measured_watts():
    assert read_nodes(node(CurrentWatts="2450")).table["watts"] == [2450.0]


def test_a_node_twice_counts_once_and_never_in_two_ways():
    same = read_nodes(node(), node())
    assert (len(same.table), same.counts.folded) == (1, 1)
    other = read_nodes(node(), node(AllocTRES=""))
    assert other.rejected[0].reason == "it is in the file twice, with other values"


def test_lines_outside_of_nodes_are_refused_not_lost():
    reading = read_nodes("$ scontrol show node\n", node(), "Connection closed.\n")
    assert (reading.counts.in_file, reading.counts.rejected, len(reading.table)) == (3, 2, 1)


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("gpu[001-003,007]", ["gpu001", "gpu002", "gpu003", "gpu007"]),
        ("rack[1-2]n[01-02]", ["rack1n01", "rack1n02", "rack2n01", "rack2n02"]),
        ("a,b[9-10],c", ["a", "b9", "b10", "c"]),
        ("solo", ["solo"]),
    ],
)
def test_host_lists(text, hosts):
    assert expand_hosts(text, "NodeName") == hosts


@pytest.mark.parametrize("text", ["gpu[001-", "gpu[9-1]", "gpu[a-b]", "gpu[1-9999999]", "x[1-999][1-999]", "gpu[1²-3]"])
def test_host_lists_that_cannot_be(text):
    with pytest.raises(CellError):
        expand_hosts(text, "NodeName")


def test_sinfo_folds_the_partitions_of_a_node():
    text = "NODELIST|PARTITION|STATE|GRES\ngpu1|main*|idle|gpu:a100:4\ngpu1|long|idle|gpu:a100:4\n"
    reading = read_text("slurm-sinfo", text)
    assert reading.table["partitions"] == [("main", "long")]
    assert reading.counts.folded == 1


def test_sinfo_of_fixed_widths():
    text = "NODELIST  GRES                 GRES_USED\ngpu[1-2]  gpu:a100:4(S:0-1)    gpu:a100:1(IDX:0)\n"
    reading = read_text("slurm-sinfo", text)
    assert (reading.totals["gpus"], reading.totals["gpus_in_use"]) == (8, 2)
    assert reading.counts.in_file == 3


def test_slurm_conf_joins_lines_and_applies_defaults():
    text = (
        "# site\nNodeName=DEFAULT RealMemory=1000 CPUs=8\nnodename=g[1-2] \\\n  gres=gpu:v100:4 # two\n"
        "NodeName=c1 State=CLOUD\nPartitionName=all Nodes=ALL\nPartitionName=gpu Nodes=g[1-2]\nInclude more.conf\n"
    )
    reading = read_text("slurm-conf", text)
    rows = {row["name"]: row for row in reading.table.rows()}
    assert (rows["g1"]["gpus"], rows["g2"]["cpus"], rows["c1"]["memory_bytes"]) == (4, 8.0, 1000 * 1024**2)
    assert rows["g1"]["partitions"] == ("gpu", "all")
    assert "rented" in reading.warned[0].reason
    assert any("more.conf" in fact for fact in reading.facts)


def test_pools_group_equal_nodes_and_name_unknown_models():
    text = (
        "sn,cpu_milli,memory_mib,gpu,model\na,1,1,8,A100\nb,1,1,8,A100\nc,1,1,4,A100\nd,1,1,8,G2\ne,1,1,0,\nf,1,1,,\n"
    )
    inventory = pools(read_text("openb-nodes", text).table, {"A100": "a100-40gb"})
    assert [(p.gpu_model, p.nodes, p.gpus_per_node) for p in inventory.pools] == [
        ("a100-40gb", 2, 8), ("G2", 1, 8), ("a100-40gb", 1, 4),
    ]  # fmt: skip
    assert [p.name for p in inventory.pools] == ["a100-40gb, 8 a node", "G2", "a100-40gb, 4 a node"]
    assert inventory.left_out == {GPUS_UNKNOWN: 1, NO_GPU: 1}
    assert inventory.unmapped == ("G2",)
    assert all(pool.idle_w is None for pool in inventory.pools)
