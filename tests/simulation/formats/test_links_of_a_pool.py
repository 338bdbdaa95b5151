"""From a matrix of links to the links of a pool: equal islands, rates only where the model is known."""

from __future__ import annotations

import pytest

from simulation.catalogues.gpu_models import gpu_models
from simulation.formats.parts.links import node_links
from simulation.provenance import Origin
from tests.simulation.formats.conftest import read_text


def matrix(rows):
    """A matrix of GPUs with the given kinds of links above the diagonal."""
    n = len(rows) + 1
    kinds = [["X" if a == b else rows[min(a, b)][max(a, b) - min(a, b) - 1] for b in range(n)] for a in range(n)]
    head = "\t" + "\t".join(f"GPU{a}" for a in range(n)) + "\tCPU Affinity\tNUMA Affinity"
    lines = [f"GPU{a}\t" + "\t".join(kinds[a]) + "\t0-7\t0" for a in range(n)]
    return read_text("nvidia-topology", "\n".join([head, *lines]) + "\n").table


def test_behind_a_switch_a_pair_shows_all_links_of_a_gpu(sample):
    table = sample("nvidia-topology", "nvidia-smi-topo/a100_8gpu_nvswitch_4nic.txt").table
    found = node_links(table, "A100-SXM4-80GB", Origin.MEASURED)
    assert (found.links.island_gpus, found.links.island_gb_s) == (8, 12 * 20.0)
    assert found.origin is Origin.CITED


def test_wired_pair_by_pair_the_links_of_a_gpu_add_up():
    table = matrix([["NV4", "NV4", "NV4"], ["NV4", "NV4"], ["NV4"]])
    assert node_links(table, "A100-SXM4-40GB", Origin.MEASURED).links.island_gb_s == 3 * 4 * 20.0


def test_an_unknown_model_has_islands_and_no_rate():
    found = node_links(matrix([["NV4"]]), "G3", Origin.MEASURED)
    assert (found.links.island_gpus, found.links.island_gb_s, found.origin) == (2, None, Origin.MEASURED)


def test_without_nvlink_each_gpu_is_its_own_island():
    found = node_links(matrix([["SYS"]]), "L40S", Origin.MEASURED)
    assert (found.links.island_gpus, found.links.island_gb_s) == (1, None)


def test_unequal_islands_are_none_of_a_pool():
    assert node_links(matrix([["NV4", "SYS"], ["SYS"]]), "A40", Origin.MEASURED) is None


def test_the_catalogue_has_number_and_rate_of_nvlinks_together():
    for model in gpu_models().values():
        assert ("nvlinks" in model.figures) == ("nvlink_rate" in model.figures), model.name


@pytest.mark.parametrize(
    ("model", "gb_s"), [("V100-SXM2-32GB", 120.0), ("A800-SXM4-80GB", 160.0), ("H100-SXM5-80GB", 370.8)]
)
def test_all_nvlinks_of_a_gpu_together(model, gb_s):
    found = node_links(matrix([["NV18"]]), model, Origin.MEASURED)
    assert found.links.island_gb_s == pytest.approx(gb_s)
