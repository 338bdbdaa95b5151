"""The stated outcomes of the Slurm sample files."""

from __future__ import annotations

import pytest

from simulation.formats.measured import measured_waits

SACCT = "slurm-sacct-parsable/"
UTC = {"time_zone": "UTC"}


def test_two_days_of_a100_jobs(sample):
    reading = sample("slurm-sacct", SACCT + "a100_two_days.psv", UTC)
    assert reading.totals["jobs"] == 7
    assert reading.totals["gpu_jobs"] == 6
    assert reading.totals["cpu_only_jobs"] == 1
    assert reading.totals["steps_folded"] == 3
    assert reading.totals["gpu_hours"] == pytest.approx(417.6167, abs=5e-5)
    assert reading.totals["outcomes"] == {"cancelled": 1, "failed": 1, "finished": 4, "timeout": 1}


def test_queue_delays_of_the_six_gpu_jobs(sample):
    table = sample("slurm-sacct", SACCT + "a100_two_days.psv", UTC).table
    delays = {row["id"]: row["start_s"] - row["submit_s"] for row in table.rows() if row["gpus"]}
    assert delays == {"100": 300, "102_1": 30, "102_2": 30, "102_3": 150, "105": 9000, "106": 10}
    wait = measured_waits(table).wait
    assert (wait.n, wait.p95, wait.small_sample) == (6, 6825.0, True)


def test_layout_without_header_is_asked_and_offers_open_xdmod(sample):
    reading = sample("slurm-sacct", SACCT + "xdmod_layout_utc_noheader.psv")
    (question,) = reading.unanswered
    assert question.key == "layout"
    assert [value for value, _ in question.options] == ["xdmod"]
    assert len(reading.table) == 0


def test_open_xdmod_rows(sample):
    reading = sample("slurm-sacct", SACCT + "xdmod_layout_utc_noheader.psv", {"layout": "xdmod"})
    assert reading.ready
    assert reading.answers["time_zone"] == "UTC"
    first = reading.table.row(0)
    assert (first["gpus"], first["elapsed_s"], first["outcome"]) == (2, 912_426, "cancelled")
    assert first["gpu_s"] / 3600 == pytest.approx(506.9033, abs=5e-5)
    by_id = {row["id"]: row for row in reading.table.rows()}
    assert by_id["165381"]["memory_bytes"] == int(62.5 * 1024**3)
    assert by_id["167758"]["memory_bytes"] == 8 * 3000 * 1024**2
    assert len(by_id) == 11


def test_wide_export_folds_steps_and_keeps_unknowns_unknown(sample):
    reading = sample("slurm-sacct", SACCT + "slurm2sql_wide_with_steps.psv", UTC)
    assert reading.totals["jobs"] == 2
    assert reading.totals["steps_folded"] == 3
    second = reading.table.row(1)
    assert (second["id"], second["end_s"], second["elapsed_s"]) == ("43977780", None, 17)
    assert reading.table["gpus"] == [None, None]
    assert reading.totals["gpu_unknown_jobs"] == 2
    assert "unknown, not 0" in reading.warned[0].reason


def test_scontrol_blocks(sample):
    reading = sample("slurm-nodes", "slurm-nodes/scontrol_show_node_two_rtx8000.txt")
    totals = reading.totals
    assert (totals["gpus"], totals["gpus_in_use"], totals["gpus_free"]) == (16, 16, 0)
    assert totals["by_model"] == {"rtx8000": 16}
    assert reading.table["state"] == ["mixed", "mixed"]
    assert reading.table["watts"] == [None, None]
    assert reading.table["memory_bytes"][0] == 386_619 * 1024**2


def test_sinfo_table(sample):
    reading = sample("slurm-sinfo", "slurm-nodes/sinfo_node_gres.txt")
    totals = reading.totals
    assert (totals["gpus"], totals["gpus_in_use"], totals["gpus_free"]) == (24, 11, 13)
    cpu_node = reading.table.row(3)
    assert (cpu_node["name"], cpu_node["gpus"]) == ("cpu017", 0)


def test_gres_conf(sample):
    totals = sample("slurm-gres", "slurm-nodes/gres.conf").totals
    assert (totals["nodes"], totals["gpus"], totals["by_model"]) == (4, 32, {"a100": 32})


def test_slurm_conf(sample):
    totals = sample("slurm-conf", "slurm-nodes/slurm.conf").totals
    assert (totals["gpus"], totals["gpu_nodes"], totals["cpu_nodes"]) == (32, 4, 32)
    assert totals["gpus_free"] is None
