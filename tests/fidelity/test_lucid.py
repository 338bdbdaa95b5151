"""Every job of every recorded run of Lucid's simulator starts and ends as there; traces without results run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from simulation.fidelity.cases import run_cases
from simulation.fidelity.emulation import emulate
from simulation.fidelity.profiles import lucid
from simulation.fidelity.profiles.profile import Inputs
from simulation.records import JobRecords

Job = tuple[int, int, int]  # submit, duration, GPUs


def failures(name: str, reference: Path) -> list[object]:
    return [row.document() for rows in run_cases([name], reference) for row in rows if row.verdict != "pass"]


def on_nodes(nodes: int, folder: Path, jobs: Sequence[Job], policy: str) -> JobRecords:
    """`jobs` on one virtual cluster of nodes of 8 GPUs."""
    lines = [f"{i},vc,{gpus},{submit},{duration}" for i, (submit, duration, gpus) in enumerate(jobs)]
    inputs = Inputs(folder / "trace.csv", folder / "vc_config.csv")
    inputs.trace.write_text("\n".join(["job_id,vc,gpus,submit,duration", *lines, ""]))
    inputs.cluster.write_text(f",num\nvc,{nodes}\n")
    (emulation,) = lucid.emulate(inputs, policy, None)
    return emulate(emulation).jobs


@pytest.mark.parametrize("policy", lucid.SETTINGS)
def test_every_job_of_a_week_of_one_virtual_cluster(shared_dir: Path, policy: str) -> None:
    assert failures(f"lucid/P345/{policy}", shared_dir / "reference") == []


@pytest.mark.slow
def test_every_job_of_all_virtual_clusters_in_one(shared_dir: Path) -> None:
    assert failures("lucid/P1VC", shared_dir / "reference") == []


@pytest.mark.slow
def test_separate_virtual_clusters_run_to_their_end(shared_dir: Path) -> None:
    assert failures("lucid/P11VC", shared_dir / "reference") == []


def test_a_job_that_comes_to_an_empty_queue_is_ranked_a_second_later(tmp_path: Path) -> None:
    """The least GPU-time is that of 8 GPUs; but where nobody waited before, the fewest GPUs come first."""
    jobs = on_nodes(1, tmp_path, [(0, 100, 8), (10, 30, 4), (10, 5, 8), (10, 50, 2)], "qssf")
    assert jobs.first_start_s.tolist() == [0, 105, 100, 105]
    at_once = on_nodes(1, tmp_path, [(0, 30, 4), (0, 5, 8), (0, 50, 2)], "qssf")
    assert at_once.first_start_s.tolist() == [0, 50, 0]


def test_a_preempted_job_has_more_to_do_and_ends_a_second_late(tmp_path: Path) -> None:
    jobs = on_nodes(1, tmp_path, [(0, 100, 8), (10, 20, 8)], "srtf")
    assert jobs.end_s.tolist() == [10 + 21 + 90 + 40 + 1, 31]
    assert jobs.overhead_gpu_s.tolist() == [40 * 8, 0]
    assert jobs.preemptions.tolist() == [1, 0]


def test_a_gang_wider_than_a_node_pays_more(tmp_path: Path) -> None:
    jobs = on_nodes(2, tmp_path, [(0, 100, 16), (10, 20, 16)], "srtf")
    assert jobs.end_s.tolist() == [10 + 21 + 90 + 60 + 1, 31]


def test_attained_service_is_looked_at_once_a_minute(tmp_path: Path) -> None:
    """After 18,000 GPU-seconds on 8 GPUs (2,250 s) the next whole minute is 2,280 s."""
    jobs = on_nodes(1, tmp_path, [(0, 5000, 8), (10, 100, 8)], "tiresias")
    assert jobs.first_start_s.tolist() == [0, 2280]


def test_who_is_chosen_and_finds_no_place_has_cost_another_its_gpus(tmp_path: Path) -> None:
    """Of 16 GPUs 6, 5 and 5 are chosen, so 3 are stopped; but each node has 3 left, and 6 wait until 5 end."""
    jobs = on_nodes(2, tmp_path, [(0, 900, 5), (0, 1000, 5), (0, 1100, 3), (5, 10, 6)], "srtf")
    assert jobs.first_start_s.tolist() == [0, 0, 0, 901]
    assert jobs.preemptions.tolist() == [0, 0, 1, 0]
    assert jobs.end_s.tolist() == [901, 1001, 901 + 1095 + 40 + 1, 912]


def test_an_unknown_policy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no settings"):
        on_nodes(1, tmp_path, [(0, 1, 1)], "lucid")
