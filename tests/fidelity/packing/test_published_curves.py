"""Curves of allocation and fragmentation agree with those that were published, whatever workloads the folder has."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from simulation.fidelity.cases import names_of, run_cases
from simulation.fidelity.packing.openb import _demands


def verdicts(name: str, reference: Path) -> list[str]:
    return [row.verdict for rows in run_cases([name], reference) for row in rows]


@pytest.mark.parametrize(
    "policy", ["01-Random", "02-DotProd", "03-GpuClustering", "04-GpuPacking", "05-BestFit", "06-FGD"]
)
def test_the_default_workload(shared_dir: Path, policy: str) -> None:
    case = f"openb/openb_pod_list_default/{policy}"
    assert verdicts(case, shared_dir / "reference") == ["pass", "reported"] * 2


@pytest.mark.slow
def test_every_workload_with_pods(shared_dir: Path) -> None:
    found = verdicts("openb", shared_dir / "reference")
    assert len(found) == 4 * 30
    assert "fail" not in found


def test_a_list_of_pods_that_is_added_becomes_cases(shared_dir: Path, tmp_path: Path) -> None:
    """The same pods under the name of a workload that was packed with other ones: cases, and they disagree."""
    peer = tmp_path / "openb"
    shutil.copytree(shared_dir / "reference" / "openb", peer)
    peer.chmod(0o755)
    assert "openb/openb_pod_list_multigpu50/05-BestFit" not in names_of(tmp_path)
    shutil.copy(peer / "openb_pod_list_cpu100.csv.gz", peer / "openb_pod_list_multigpu50.csv.gz")
    assert "openb/openb_pod_list_multigpu50/05-BestFit" in names_of(tmp_path)
    assert "fail" in verdicts("openb/openb_pod_list_multigpu50/05-BestFit", tmp_path)


def test_a_model_that_is_named_twice_is_permitted_once(tmp_path: Path) -> None:
    head = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
    (tmp_path / "pods.csv").write_text(head + "a,1,1,1,1000,T4|T4\nb,1,1,1,1000,T4|G2\n")
    assert _demands(tmp_path, "pods", {"T4": 1, "G2": 2}).models.tolist() == [1, 3]


def test_a_value_that_is_no_number_is_named(shared_dir: Path, tmp_path: Path) -> None:
    peer = tmp_path / "openb"
    shutil.copytree(shared_dir / "reference" / "openb", peer)
    peer.chmod(0o755)
    pods = peer / "openb_pod_list_default.csv.gz"
    text = gzip.decompress(pods.read_bytes()).decode()
    pods.chmod(0o644)
    pods.write_bytes(gzip.compress(text.replace(",1,1000,", ",one,1000,", 1).encode()))
    (row,) = next(iter(run_cases(["openb/openb_pod_list_default/05-BestFit"], tmp_path)))
    assert "num_gpu is 'one', expected a whole number" in row.quantity
    assert row.verdict == "fail"
