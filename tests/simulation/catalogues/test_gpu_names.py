"""Names of GPUs in files: one model, a question, or unknown; never a guess."""

from __future__ import annotations

import csv

import pytest

from simulation.catalogues.gpu_models import gpu_models
from simulation.catalogues.gpu_names import identify


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("NVIDIA-A100-SXM4-80GB", "A100-SXM4-80GB"),
        ("NVIDIA A100 80GB PCIe", "A100-PCIE-80GB"),
        ("NVIDIA H100 80GB HBM3", "H100-SXM5-80GB"),
        ("NVIDIA H100 PCIe", "H100-PCIE-80GB"),
        ("rtx8000", "RTX-8000"),
        ("Quadro RTX 8000", "RTX-8000"),
        ("V100M32", "V100-SXM2-32GB"),
        ("Tesla V100-SXM2-16GB", "V100-SXM2-16GB"),
        ("Tesla T4", "T4"),
        ("t4", "T4"),
        ("AMD Instinct MI300X OAM", "MI300X"),
        ("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "A100-SXM4-40GB"),
        ("NVIDIA-A100-SXM4-80GB-SHARED", "A100-SXM4-80GB"),
        ("NVIDIA L40S", "L40S"),
    ],
)
def test_one_model(text, model):
    found = identify(text)
    assert (found.kind, found.model) == ("exact", model)


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("a100", {"A100-PCIE-40GB", "A100-PCIE-80GB", "A100-SXM4-40GB", "A100-SXM4-80GB"}),
        ("A100-80GB", {"A100-PCIE-80GB", "A100-SXM4-80GB"}),
        ("h100", {"H100-PCIE-80GB", "H100-NVL-94GB", "H100-SXM5-80GB"}),
        ("P100", {"P100-PCIE-12GB", "P100-PCIE-16GB", "P100-SXM2-16GB"}),
        ("v100", {"V100-PCIE-16GB", "V100-PCIE-32GB", "V100-SXM2-16GB", "V100-SXM2-32GB"}),
    ],
)
def test_a_question_with_candidates(text, candidates):
    found = identify(text)
    assert (found.kind, found.model, set(found.candidates)) == ("ambiguous", None, candidates)


@pytest.mark.parametrize("text", ["G2", "G3", "GPU-series-1", "gpu", "", "A1000", "a100x", "T400"])
def test_unknown_names_stay_unknown(text):
    found = identify(text)
    assert (found.kind, found.model, found.text) == ("unknown", None, text)


def test_each_model_is_known_by_its_own_name():
    for name in gpu_models():
        assert identify(name).model == name
        assert identify(f"NVIDIA {name.lower()}").model == name


def test_all_models_of_openb_are_read_or_named_as_unknown(shared_dir):
    with (shared_dir / "traces/alibaba-openb-2023/openb_node_list_gpu_node.csv").open(encoding="utf-8") as file:
        kinds = {row["model"]: identify(row["model"]).kind for row in csv.DictReader(file)}
    assert kinds == {
        "G2": "unknown", "G3": "unknown", "P100": "ambiguous", "T4": "exact", "A10": "exact", "V100M16": "exact",
        "V100M32": "exact",
    }  # fmt: skip
