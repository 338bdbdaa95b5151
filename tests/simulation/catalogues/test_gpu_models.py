"""The GPU catalogue: every figure with unit and source, unknown absent, cited figures as their sources give them."""

from __future__ import annotations

import csv
import gzip
from statistics import median

import pytest

from simulation.catalogues.gpu_models import ATTRIBUTES, gpu_models, parse, speed_ratio
from simulation.provenance import Origin

ASKED_FOR = [
    "K80", "P100-PCIE-16GB", "P100-SXM2-16GB", "V100-PCIE-16GB", "V100-PCIE-32GB", "V100-SXM2-16GB", "V100-SXM2-32GB",
    "T4", "A10", "A100-PCIE-40GB", "A100-PCIE-80GB", "A100-SXM4-40GB", "A100-SXM4-80GB", "L4", "L40S",
    "H100-PCIE-80GB", "H100-SXM5-80GB", "H200-SXM5-141GB", "B200-SXM-180GB", "MI300X", "RTX-8000",
]  # fmt: skip


@pytest.mark.parametrize("name", ASKED_FOR)
def test_the_models_that_people_have_are_there_with_memory_and_peak_power(name):
    model = gpu_models()[name]
    assert model.memory_bytes is not None
    assert model.peak_w is not None
    assert model.idle_w is None or model.idle_w < model.peak_w


def test_every_figure_says_unit_origin_and_source():
    for model in gpu_models().values():
        assert set(model.figures) <= set(ATTRIBUTES)
        for name, figure in model.figures.items():
            assert figure.unit == ATTRIBUTES[name].unit
            assert figure.source
            assert figure.origin in (Origin.CITED, Origin.ASSUMED)


def test_unknown_is_none():
    a10 = gpu_models()["A10"]
    assert (a10.idle_w, a10.value("relative_speed"), a10.speed_reference) == (None, None, None)


def test_speeds_compare_only_over_one_reference():
    assert speed_ratio("K80", "V100-SXM2-16GB").value == 0.247
    assert speed_ratio("V100-SXM2-16GB", "K80").value == pytest.approx(1 / 0.247)
    assert speed_ratio("H100-SXM5-80GB", "V100-SXM2-16GB") is None
    assert speed_ratio("A10", "T4") is None
    assert speed_ratio("G2", "T4") is None
    assert speed_ratio("K80", "T4").origin == Origin.CITED


GOOD = {
    "model": "X1", "attribute": "memory", "unit": "GB", "value": "80", "reference": "", "origin": "cited",
    "confidence": "read", "source": "sheet",
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"unit": "GiB"}, "t.csv, row 2: Value error, memory in GiB, expected GB"),
        ({"value": "0"}, "t.csv, row 2, column value: Input should be greater than 0"),
        ({"value": "many"}, "t.csv, row 2, column value: Input should be a valid number"),
        ({"attribute": "weight"}, "row 2: Value error, attribute weight, expected one of memory, idle_power"),
        ({"source": ""}, "row 2, column source"),
        ({"origin": "guessed"}, "row 2, column origin"),
        ({"value": "99999"}, "memory is 99999.0, expected at most 1024"),
        ({"reference": "T4"}, "a relative speed names its reference"),
    ],
)
def test_a_bad_row_is_named_with_what_was_expected(change, message):
    with pytest.raises(ValueError, match=message):
        parse([GOOD | change], "t.csv")


def test_a_figure_is_given_once_and_references_exist():
    with pytest.raises(ValueError, match=r"t\.csv, row 3: a second memory of X1"):
        parse([GOOD, GOOD], "t.csv")
    speed = GOOD | {"attribute": "relative_speed", "unit": "1", "value": "2", "reference": "X9"}
    with pytest.raises(ValueError, match="speed reference X9 is not in the table"):
        parse([speed], "t.csv")


def test_a_recalled_figure_says_so_in_its_source():
    figure = parse([GOOD | {"confidence": "recalled"}], "t.csv")["X1"].figures["memory"]
    assert figure.source == "sheet (recalled)"


def test_training_speeds_are_the_medians_of_gavel(shared_dir):
    with (shared_dir / "traces/gavel-throughputs/isolated_throughputs.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["scale_factor"] == "1"]
    rate = {(row["gpu_type"], row["job_type"]): float(row["iterations_per_s"]) for row in rows}
    for kind, name in (("k80", "K80"), ("p100", "P100-PCIE-16GB")):
        ratios = [
            r / rate["v100", job] for (gpu, job), r in rate.items() if gpu == kind and r > 0 and rate["v100", job] > 0
        ]
        assert gpu_models()[name].value("relative_speed") == pytest.approx(median(ratios), abs=5e-4)


def test_inference_speeds_are_the_medians_of_mlperf_submissions(shared_dir):
    path = shared_dir / "traces/mlperf-inference-v4.1/server_offline_summary.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if r["scenario"] == "Offline" and "MaxQ" not in r["system"]]
    rates: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if gpus := int(row["accelerators_per_node"] or 0) * int(row["nodes"]):
            rate = float(row["tokens_per_second"] or row["samples_per_second"]) / gpus
            rates.setdefault((row["accelerator"], row["model"]), []).append(rate)
    for accelerator, name in (
        ("NVIDIA H100-PCIe-80GB", "H100-PCIE-80GB"),
        ("NVIDIA H100-NVL-94GB", "H100-NVL-94GB"),
        ("NVIDIA H200-SXM-141GB", "H200-SXM5-141GB"),
        ("NVIDIA L40S", "L40S"),
        ("NVIDIA L4", "L4"),
        ("AMD Instinct MI300X-NPS1-SPX-192GB-750W", "MI300X"),
    ):
        ratios = [
            median(r) / median(rates["NVIDIA H100-SXM-80GB", m]) for (a, m), r in rates.items() if a == accelerator
        ]
        assert gpu_models()[name].value("relative_speed") == pytest.approx(median(ratios), abs=6e-4)
