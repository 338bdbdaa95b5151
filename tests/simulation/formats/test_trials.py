"""Trials of searches: what each tool writes, what it cost, and what has to be asked."""

from __future__ import annotations

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.registry import detect
from tests.simulation.formats.conftest import read_text

ASKED = {"time_zone": "UTC", "gpus": "2", "direction": "minimise"}
OPTUNA = "number,value,datetime_start,datetime_complete,duration,params_lr,state\n"
TRIAL = "0,0.31,2026-02-03 09:00:00,2026-02-03 09:04:00,0 days 00:04:00,0.1,COMPLETE\n"
MLFLOW = "Start Time,Duration,Run ID,Name,Source Type,Source Name,User,Status,lr,loss\n"
RUN = "2026-02-03 09:00:00,{},id{},n,LOCAL,t.py,u,{},0.1,{}\n"


def test_mlflow_runs_take_42_90_and_7200_s(sample):
    answers = {"time_zone": "UTC", "gpus": "1", "metric": "val_acc", "direction": "maximise"}
    reading = sample("mlflow-page", "hpo-runs/mlflow_runs.csv", answers)
    assert reading.table["elapsed_s"] == [42, 90, 7200]
    assert (reading.totals["best"], reading.totals["best_trial"][:4]) == (0.931, "2a1b")
    assert reading.totals["gpu_hours"] == pytest.approx(7332 / 3600)
    assert any("rounded" in fact for fact in reading.facts)


def test_what_no_tool_writes_is_asked(sample):
    reading = sample("mlflow-page", "hpo-runs/mlflow_runs.csv")
    assert [question.key for question in reading.unanswered] == ["time_zone", "gpus", "metric", "direction"]
    assert reading.table["gpu_s"] == [None] * 3
    assert reading.totals["best"] is None


def test_a_pruned_trial_has_no_result_but_its_time_is_spent(sample):
    answers = {"time_zone": "UTC", "gpus": "1", "direction": "minimise"}
    reading = sample("optuna", "hpo-runs/optuna_trials_single_objective.csv", answers)
    table = reading.table
    assert table["outcome"] == ["finished", "finished", "pruned"]
    assert (table["objective"], table["elapsed_s"]) == ([0.31, 0.42, None], [262.368701, 120.5, 30])
    assert (reading.totals["results"], reading.totals["best"]) == (2, 0.31)
    assert reading.totals["elapsed_s"] == pytest.approx(412.868701)
    assert table["params"][0] == ("batch_size=64", "lr=0.001")


def test_the_best_follows_the_direction():
    text = OPTUNA + TRIAL + TRIAL.replace("0,0.31", "1,0.52")
    best = {
        way: read_text("optuna", text, {**ASKED, "direction": way}).totals["best"] for way in ("minimise", "maximise")
    }
    assert best == {"minimise": 0.31, "maximise": 0.52}


def test_several_objectives_are_asked_about():
    text = OPTUNA.replace("value", "values_0,values_1") + TRIAL.replace("0,0.31", "0,0.31,7")
    assert "metric" in {question.key for question in read_text("optuna", text, ASKED).unanswered}
    assert read_text("optuna", text, {**ASKED, "metric": "values_1"}).table["objective"] == [7]


def test_search_runs_tell_metrics_from_parameters_and_have_offsets():
    text = (
        "run_id,experiment_id,status,start_time,end_time,params.lr,metrics.loss,tags.mlflow.runName,tags.mlflow.user\n"
        "r1,0,FINISHED,2026-02-03 09:00:00.5+00:00,2026-02-03 09:01:00.5+00:00,0.1,0.3,bold,ann\n"
        "r2,0,RUNNING,2026-02-03 09:00:00+00:00,,0.1,,calm,ann\n"
    )
    assert detect(text.encode())[0].slug == "mlflow-search"
    reading = read_text("mlflow-search", text, {"gpus": "4", "direction": "minimise"})
    assert reading.ready
    assert (reading.table["elapsed_s"], reading.table["outcome"]) == ([60, None], ["finished", "running"])
    assert (reading.table["params"][0], reading.table["metrics"][0]) == (("lr=0.1",), ("loss=0.3",))
    assert (reading.table["name"], reading.table["gpu_s"]) == (["bold", "calm"], [240, None])


def test_a_run_that_holds_others_spends_nothing_of_its_own():
    text = (
        ",run_id,status,start_time,end_time,metrics.loss,tags.mlflow.parentRunId\n"
        "0,p,FINISHED,2026-02-03 09:00:00+00:00,2026-02-03 10:00:00+00:00,0.3,\n"
        "1,c,FINISHED,2026-02-03 09:00:00+00:00,2026-02-03 10:00:00+00:00,0.3,p\n"
    )
    reading = read_text("mlflow-search", text, {"gpus": "1", "direction": "minimise"})
    assert (reading.table["gpu_s"], reading.totals["gpu_hours"], reading.counts.warned) == ([None, 3600], 1, 1)


def test_the_index_that_pandas_writes_in_front_does_no_harm():
    text = "," + OPTUNA + "0," + TRIAL
    assert detect(text.encode())[0].slug == "optuna"
    assert read_text("optuna", text, ASKED).table["objective"] == [0.31]


def test_weights_and_biases_tables():
    text = (
        '"Name","State","Notes","User","Tags","Created","Runtime","Sweep","lr","val.acc"\n'
        '"run-1","finished","-","ann","","2026-02-03T09:00:00.000Z","3600","s","0.1","0.9"\n'
        '"run-1","crashed","-","ann","","2026-02-03T10:00:00.000Z","60","s","0.2",""\n'
    )
    assert detect(text.encode())[0].slug == "wandb"
    answers = {"gpus": "1", "direction": "maximise", "metric": "val.acc"}
    reading = read_text("wandb", text, answers)
    assert (reading.table["elapsed_s"], reading.table["outcome"]) == ([3600, 60], ["finished", "failed"])
    assert len({*reading.table["id"]}) == 2  # names may repeat
    assert (reading.totals["best"], reading.totals["gpu_hours"]) == (0.9, pytest.approx(3660 / 3600))


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity"])
def test_a_trial_that_diverged_has_no_result(value):
    reading = read_text("optuna", OPTUNA + TRIAL + TRIAL.replace("0,0.31", f"1,{value}"), ASKED)
    assert (reading.table["objective"], reading.counts.warned) == ([0.31, None], 1)
    assert reading.totals["best"] == 0.31


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [
        ("0,0.31", ",0.31", "number"),
        ("0,0.31", "1,best", "value"),
        ("09:04:00,0", "08:04:00,0", "datetime_complete"),
        ("09:04:00,0", "29:04:00,0", "datetime_complete"),
        ("0 days 00:04:00", "four minutes", "duration"),
        ("0,0.31", "0,0.99", "name"),
    ],
)
def test_trials_that_cannot_be_are_refused(old, new, column):
    reading = read_text("optuna", OPTUNA + TRIAL + TRIAL.replace(old, new), ASKED)
    assert (len(reading.table), [issue.column for issue in reading.rejected]) == (1, [column])


@pytest.mark.parametrize("duration", ["-5s", "5 parsecs", "1e99h", "NaNs"])
def test_run_times_that_cannot_be_are_refused(duration):
    text = MLFLOW + RUN.format("42.0s", 1, "FINISHED", 1) + RUN.format(duration, 2, "FINISHED", 1)
    reading = read_text("mlflow-page", text, {**ASKED, "metric": "loss"})
    assert (reading.table["elapsed_s"], [issue.column for issue in reading.rejected]) == ([42], ["Duration"])


def test_a_running_run_has_no_run_time_and_an_unknown_state_is_told():
    text = MLFLOW + RUN.format("", 1, "RUNNING", "") + RUN.format("1.0h", 2, "=cmd()", 1)
    reading = read_text("mlflow-page", text, {**ASKED, "metric": "loss"})
    assert (reading.table["elapsed_s"], reading.table["outcome"]) == ([None, 3600], ["running", None])
    assert reading.totals["unknown_run_times"] == 1
    assert reading.counts.warned == 1


@pytest.mark.parametrize("gpus", ["-1", "half", "1e9", "99999999999"])
def test_a_number_of_gpus_that_cannot_be_is_refused(gpus):
    with pytest.raises(FormatError, match="answer gpus"):
        read_text("optuna", OPTUNA + TRIAL, {**ASKED, "gpus": gpus})
