"""From a log and a node list to a run on the command line alone: convert twice, then run what it wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simulation.cli.main import main
from simulation.scenario import Scenario

SACCT = """JobID|User|Account|State|Submit|Start|End|ElapsedRaw|AllocTRES
1|ada|vision|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:10:00|2026-03-02T10:10:00|7200|gres/gpu:a100=8,gres/gpu=8
2|bob|nlp|COMPLETED|2026-03-02T09:00:00|2026-03-02T09:00:30|2026-03-02T09:30:30|1800|gres/gpu:a100=1,gres/gpu=1
3|bob|nlp|COMPLETED|2026-03-02T09:05:00|2026-03-02T09:05:00|2026-03-02T10:05:00|3600|cpu=16,mem=32G
4|eve|nlp|RUNNING|2026-03-02T09:30:00|2026-03-02T09:40:00|Unknown|900|gres/gpu:a100=4,gres/gpu=4
5|eve|nlp|CANCELLED|2026-03-02T09:45:00|Unknown|2026-03-02T09:50:00|0|
"""
NODES = "".join(
    f"NodeName={name} CPUTot=64 Gres=gpu:a100:8 RealMemory=1000 State={state} CfgTRES=cpu=64,gres/gpu=8 AllocTRES=\n"
    for name, state in (("g1", "IDLE"), ("g2", "IDLE+DRAIN"))
)
REQUESTS = "TIMESTAMP,ContextTokens,GeneratedTokens\n2026-03-02 08:00:00.0,100,10\n2026-03-02 08:00:04.0,200,20\n"
CHOSEN = ("model.a100=A100-SXM4-80GB", "nodes=schedulable")


@pytest.fixture
def convert(tmp_path: Path) -> Any:
    def call(slug: str, text: str, *answers: str) -> tuple[int, Path]:
        file, out = tmp_path / f"{slug}.txt", tmp_path / slug
        file.write_text(text)
        given = [part for answer in answers for part in ("--answer", answer)]
        return main(["convert", slug, str(file), "--out", str(out), "--scenario", *given]), out

    return call


def metrics(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "metrics.json").read_text())["metrics"]
    return found


def test_a_log_and_a_node_list_become_a_run(convert: Any, tmp_path: Path) -> None:
    (one, log), (two, nodes) = convert("slurm-sacct", SACCT, "time_zone=UTC"), convert("slurm-nodes", NODES, *CHOSEN)
    assert (one, two) == (0, 0)
    parts, out = [str(log / "workload.json"), str(nodes / "cluster.json")], tmp_path / "results"
    assert main(["run", *parts, "--out", str(out)]) == 0
    rows = (out / "jobs.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == ["1", "2", "4"]
    assert (
        metrics(out)["makespan_s"]["value"] == 7200 + 1800 + 900
    )  # job 2 waits for job 1; 5 GPUs would be more than the half of its team
    assert metrics(out)["energy_kwh"]["origin"] == "assumed"  # a person chose the model


def test_policy_and_prices_are_further_parts(convert: Any, tmp_path: Path) -> None:
    _, log = convert("slurm-sacct", SACCT, "time_zone=UTC")
    _, nodes = convert("slurm-nodes", NODES, *CHOSEN)
    more = tmp_path / "more.json"
    more.write_text('{"training": {"system": "sjf"}, "prices": {"lines": [{"usd_per_gpu_h": "2"}]}}')
    out = tmp_path / "results"
    assert main(["run", str(log / "workload.json"), str(nodes / "cluster.json"), str(more), "--out", str(out)]) == 0
    assert metrics(out)["cost_usd"]["value"] is not None


def test_parts_say_what_they_are_and_where_they_come_from(convert: Any) -> None:
    _, log = convert("slurm-sacct", SACCT, "time_zone=UTC")
    part = json.loads((log / "workload.json").read_text())
    assert part["origins"] == {"workload": "measured"}
    assert part["sources"]["workload"].startswith("slurm-sacct.txt, sha256 ")
    said = json.loads((log / "reading.json").read_text())["scenario"]
    assert sum(said["left_out"].values()) == 2
    assert (said["facts"]["running"], said["answers"]["running"]) == (1, "lower-bound")


def test_a_notebook_takes_the_parts(convert: Any) -> None:
    log = json.loads((convert("slurm-sacct", SACCT, "time_zone=UTC")[1] / "workload.json").read_text())
    nodes = json.loads((convert("slurm-nodes", NODES, *CHOSEN)[1] / "cluster.json").read_text())
    scenario = Scenario(cluster=nodes["cluster"], workload=log["workload"])
    (pool,) = scenario.cluster.pools
    assert (pool.nodes, pool.gpus_per_node, pool.peak_w) == (1, 8, 400)


def test_jobs_and_requests_share_a_workload_of_the_weaker_origin(convert: Any, tmp_path: Path) -> None:
    _, log = convert("slurm-sacct", SACCT, "time_zone=UTC")
    code, service = convert("azure-llm", REQUESTS, "service.alpha_s=0.2", "service.beta_s=0.05")
    _, nodes = convert("slurm-nodes", NODES, *CHOSEN)
    parts = [str(log / "workload.json"), str(service / "workload.json"), str(nodes / "cluster.json")]
    out = tmp_path / "results"
    assert (code, main(["run", *parts, "--out", str(out)])) == (0, 0)
    assert metrics(out)["jct_mean_s"]["origin"] == "assumed"
    assert metrics(out)["latency_mean_s"]["value"] > 0


def test_questions_about_the_part_are_asked_and_nothing_is_written(convert: Any, capsys: Any) -> None:
    code, out = convert("slurm-nodes", NODES)
    assert (code, out.exists()) == (2, False)
    told = capsys.readouterr().err
    assert "--answer nodes=schedulable" in told
    assert "--answer model.a100=A100-SXM4-80GB" in told


def test_a_log_without_a_usable_job_says_why(convert: Any, capsys: Any) -> None:
    cpu_only = "".join(f"{line}\n" for line in SACCT.splitlines() if line[:2] in {"Jo", "3|", "5|"})
    code, out = convert("slurm-sacct", cpu_only, "time_zone=UTC")
    assert (code, out.exists()) == (2, False)
    assert "left out: 1 never started" in capsys.readouterr().err


def test_prices_are_no_part(convert: Any, capsys: Any) -> None:
    text = "gpu model,purchase,price per GPU hour,currency\nL4,spot,1.75,USD\n"
    assert convert("generic-prices", text)[0] == 2
    assert "--scenario" in capsys.readouterr().err


def test_two_files_that_disagree_are_refused(convert: Any, tmp_path: Path, capsys: Any) -> None:
    _, nodes = convert("slurm-nodes", NODES, *CHOSEN)
    other = tmp_path / "other.json"
    other.write_text('{"cluster": {"pools": []}}')
    assert main(["run", str(nodes / "cluster.json"), str(other), "--out", str(tmp_path / "o")]) == 2
    assert "other.json: cluster.pools is given by another file too" in capsys.readouterr().err


def test_the_help_shows_the_whole_way(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["convert", "--help"])
    told = capsys.readouterr().out
    assert "run log/workload.json nodes/cluster.json" in told
