"""Jobs of recorded runs of ElasticFlow's simulator start and end as there, and as many deadlines are met."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from simulation.fidelity.cases import run_cases
from simulation.fidelity.discovery import discover
from simulation.fidelity.profiles.elastic_filling import fill
from simulation.fidelity.profiles.elastic_jobs import ElasticJob, ladder
from simulation.fidelity.profiles.slotted_agenda import Agenda
from simulation.fidelity.profiles.steps import merged, without

RUN = "elasticflow/elasticVpollux-n16g4-T4"


def failures(name: str, reference: Path) -> list[object]:
    rows = [row for rows in run_cases([name], reference) for row in rows]
    assert rows
    return [row.document() for row in rows if row.verdict != "pass"]


def job(work: float, due_s: float, most: int = 4, gpus: int = 8) -> ElasticJob:
    """1 iteration/s on one GPU; two are 1.5 times as fast, and four twice."""
    speed = {1: 1.0, 2: 1.5, 4: 2.0}
    return ElasticJob(0, 0.0, work, due_s, speed, ladder(speed, most, gpus))


@pytest.mark.parametrize("policy", ["edf", "dlas-gpu"])
def test_every_job_of_a_recorded_run(shared_dir: Path, policy: str) -> None:
    assert failures(f"{RUN}/{policy}", shared_dir / "reference") == []


@pytest.mark.slow
def test_every_job_that_minimum_shares_admit_or_decline(shared_dir: Path) -> None:
    assert failures(f"{RUN}/ef-accessctrl", shared_dir / "reference") == []


@pytest.mark.slow
def test_a_trace_without_results_runs_on_the_kind_whose_models_it_has(shared_dir: Path) -> None:
    assert failures("elasticflow/philly_103959-n16g4", shared_dir / "reference") == []


def test_an_added_kind_of_gpu_becomes_a_case(shared_dir: Path, tmp_path: Path) -> None:
    """Its folder of throughputs, a trace and results: nothing else."""
    peer, theirs = tmp_path / "elasticflow", shared_dir / "reference" / "elasticflow"
    shutil.copytree(theirs / "throughputs_T4", peer / "throughputs_X1")
    shutil.copytree(theirs / "elasticVpollux-n16g4-T4", peer / "mine-n16g4-X1")
    shutil.copy(theirs / "elasticVpollux_e.csv", peer / "mine.csv")
    shutil.copy(theirs / "n16g4.csv", peer)
    assert "elasticflow/mine-n16g4-X1/edf" in {case.name for case in discover(tmp_path)}
    assert failures("elasticflow/mine-n16g4-X1/edf", tmp_path) == []


def test_a_model_that_was_not_measured_is_named(shared_dir: Path, tmp_path: Path) -> None:
    shutil.copytree(shared_dir / "reference" / "elasticflow", tmp_path / "elasticflow")
    (tmp_path / "elasticflow" / "throughputs_T4").chmod(0o755)
    (tmp_path / "elasticflow" / "throughputs_T4" / "ncf.csv").unlink()
    (row,) = next(iter(run_cases([f"{RUN}/edf"], tmp_path)))
    assert "ncf.csv" in row.quantity
    assert row.verdict == "fail"


def test_events_of_one_slot_are_one_event_at_its_end() -> None:
    agenda = Agenda([0.0, 10.0, 50.0, 300.0])
    agenda.pop_at(0.0)
    agenda.foretell(0, 55.0)
    assert agenda.next_after(0.0) == 60.0
    event = agenda.pop_at(60.0)
    assert event is not None
    assert (event.arriving, event.ending) == ([1, 2], [0])
    assert agenda.next_after(60.0) == 300.0


def test_the_fewest_gpus_that_meet_the_deadline_are_planned() -> None:
    assert fill(job(100.0, 120.0), 0.0, {0.0: 8}, 8).shares == {0.0: 1}
    assert fill(job(150.0, 120.0), 0.0, {0.0: 8}, 8).shares == {0.0: 2}
    assert fill(job(230.0, 120.0), 0.0, {0.0: 8}, 8).shares == {0.0: 4}


def test_early_slots_get_the_smaller_level() -> None:
    """One GPU is free for a minute, then eight: the last minutes are enough with two."""
    filling = fill(job(150.0, 180.0), 0.0, {0.0: 1, 60.0: 8}, 8)
    assert filling.shares == {0.0: 1}
    filling = fill(job(200.0, 180.0), 0.0, {0.0: 1, 60.0: 8}, 8)
    assert filling.shares == {0.0: 1, 60.0: 2}
    assert filling.free == {0.0: 0, 60.0: 6, 180.0: 8}
    assert filling.meets(job(200.0, 180.0))


def test_who_cannot_make_it_is_late_with_all_that_helps() -> None:
    filling = fill(job(400.0, 120.0), 0.0, {0.0: 8}, 8)
    assert not filling.meets(job(400.0, 120.0))
    assert filling.sure_end_s == 200.0
    assert filling.end_s == 240.0


def test_taking_a_plan_out_gives_back_what_it_took() -> None:
    free = {0.0: 8, 60.0: 3, 120.0: 8}
    filling = fill(job(150.0, 180.0), 0.0, free, 8)
    assert without(filling.free, filling.shares, filling.end_s) == merged(free)
