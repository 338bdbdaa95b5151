"""The matrix of `nvidia-smi topo -m`: pairs by kind of link, islands of NVLink, half a matrix is none."""

from __future__ import annotations

import pytest

from simulation.formats.errors import FormatError
from tests.simulation.formats.conftest import read_text

TWO_ISLANDS = """\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV4\tSYS\tSYS\t0-15,32-47\t0
GPU1\tNV4\t X \tSYS\tSYS\t0-15,32-47\t0
GPU2\tSYS\tSYS\t X \tNV4\t16-31\t1
GPU3\tSYS\tSYS\tNV4\t X \t16-31\t1
"""


def test_eight_a100_behind_switches(sample):
    reading = sample("nvidia-topology", "nvidia-smi-topo/a100_8gpu_nvswitch_4nic.txt")
    assert reading.totals["gpu_pairs"] == {"NV12": 28}
    assert reading.totals["nic_pairs"] == {"PXB": 8, "SYS": 24}
    assert [len(island) for island in reading.totals["islands"]] == [8]
    assert reading.table["numa"][:8] == [3, 3, 1, 1, 7, 7, 5, 5]
    nic = dict(link.split(":") for link in reading.table["links"][8])
    assert [name for name, kind in nic.items() if kind == "PXB"] == ["GPU0", "GPU1"]
    assert [kind for name, kind in nic.items() if name.startswith("GPU")].count("SYS") == 6
    assert reading.table["cpus"][0] == "48-63,176-191"


def test_one_l40s_has_no_pair_and_its_terminal_codes_are_gone(sample):
    reading = sample("nvidia-topology", "nvidia-smi-topo/l40s_one_gpu_with_ansi.txt")
    assert (reading.totals["gpus"], reading.totals["gpu_pairs"], reading.totals["islands"]) == (1, {}, [])
    assert reading.table["name"] == ["GPU0"]


def test_two_islands_are_kept_apart():
    totals = read_text("nvidia-topology", TWO_ISLANDS).totals
    assert totals["islands"] == [["GPU0", "GPU1"], ["GPU2", "GPU3"]]
    assert totals["gpu_pairs"] == {"NV4": 2, "SYS": 4}


def test_gpus_joined_over_a_third_make_one_island():
    chain = TWO_ISLANDS.replace("GPU1\tNV4\t X \tSYS", "GPU1\tNV4\t X \tNV2").replace(
        "GPU2\tSYS\tSYS", "GPU2\tSYS\tNV2"
    )
    assert read_text("nvidia-topology", chain).totals["islands"] == [["GPU0", "GPU1", "GPU2", "GPU3"]]


def test_blanks_in_place_of_tabs_are_the_same():
    pasted = TWO_ISLANDS.replace("\t", "    ")
    assert read_text("nvidia-topology", pasted).digest() == read_text("nvidia-topology", TWO_ISLANDS).digest()


def test_a_matrix_that_is_cut_off_is_refused():
    with pytest.raises(FormatError, match="GPU3 has none"):
        read_text("nvidia-topology", TWO_ISLANDS.rsplit("GPU3", 1)[0])


def test_halves_that_disagree_are_refused():
    with pytest.raises(FormatError, match="as GPU1 says of GPU0"):
        read_text("nvidia-topology", TWO_ISLANDS.replace("GPU0\t X \tNV4", "GPU0\t X \tPIX"))


@pytest.mark.parametrize("cell", ["NV", "NVX", "FAR", "-1", "", "NaN"])
def test_links_that_nobody_knows_refuse_their_row(cell):
    reading = read_text("nvidia-topology", TWO_ISLANDS.replace("GPU3\tSYS\tSYS\tNV4", f"GPU3\tSYS\tSYS\t{cell}"))
    assert [(issue.line, issue.column) for issue in reading.rejected] == [(5, "GPU2")]


def test_a_device_twice_counts_once_and_never_in_two_ways():
    line = TWO_ISLANDS.splitlines()[1] + "\n"
    assert read_text("nvidia-topology", TWO_ISLANDS + line).counts.folded == 1
    assert read_text("nvidia-topology", TWO_ISLANDS + line.replace("0-15", "1-15")).counts.rejected == 1


def test_other_text_is_no_matrix():
    with pytest.raises(FormatError, match="nvidia-smi topo -m"):
        read_text("nvidia-topology", "nothing\nof it\n")
