"""From accepted jobs to a workload: what cannot be replayed is left out, and counted by its reason."""

from __future__ import annotations

from simulation.formats import workload
from simulation.formats.measured import measured_waits, quantile, spread
from simulation.formats.tables import Table
from simulation.formats.workload import JobRules, job_table, request_stream

BASE = {
    "submit_s": 1000.0, "start_s": 1010.0, "end_s": 1110.0, "elapsed_s": 100.0, "gpus": 2, "gpu_s": 200.0,
    "outcome": "finished", "attempts": 1, "tenant": "t", "user": "u", "line": 2,
}  # fmt: skip


def table(*changes):
    return Table.from_rows("jobs", [{**BASE, "id": str(n), **change} for n, change in enumerate(changes, start=1)])


def test_each_job_is_kept_or_counted_once():
    jobs = table(
        {},
        {"gpus": None},
        {"gpus": 0},
        {"gpu_share": 0.5, "gpus": 1},
        {"outcome": "running", "end_s": None},
        {"outcome": "waiting", "start_s": None, "attempts": 0},
        {"submit_s": None},
        {"elapsed_s": None},
        {"elapsed_s": 0.0},
        {"outcome": "timeout"},
    )
    selection = job_table(jobs, JobRules(running="leave-out"))
    assert selection.jobs.id == ["1", "10"]
    assert selection.left_out == {
        workload.GPUS_UNKNOWN: 1,
        workload.NO_GPU: 1,
        workload.SHARES: 1,
        workload.RUNNING: 1,
        workload.NEVER_STARTED: 1,
        workload.SUBMIT_UNKNOWN: 1,
        workload.SPAN_UNKNOWN: 1,
        workload.NO_SPAN: 1,
    }
    assert len(selection.jobs) + sum(selection.left_out.values()) == len(jobs)


def test_running_and_sharing_jobs_are_kept_where_asked_and_counted():
    jobs = table({}, {"gpu_share": 0.5, "gpus": 1}, {"outcome": "running", "end_s": None})
    selection = job_table(jobs, JobRules(sharing="whole-gpu"))
    assert (len(selection.jobs), selection.censored, selection.widened) == (3, 1, 1)


def test_demand_of_running_jobs_counts_unless_asked_and_never_as_whole_time():
    jobs = table({}, {"outcome": "running", "end_s": None, "elapsed_s": 70.0})
    selection = job_table(jobs)
    assert (selection.jobs.duration_s, selection.censored, selection.left_out) == ([100.0, 70.0], 1, {})
    assert measured_waits(jobs, selection.rows).not_ended == 1


def test_jobs_cancelled_while_they_waited_are_not_jobs_of_no_time():
    jobs = table({}, {"outcome": "cancelled", "start_s": None, "attempts": 0, "elapsed_s": 0.0})
    assert job_table(jobs).left_out == {workload.NEVER_STARTED: 1}


def test_a_job_may_be_held_to_the_model_it_ran_on():
    jobs = table({"gpu_model": "v100"}, {"gpu_model": "a100"}, {})
    assert job_table(jobs).jobs.gpu_models is None
    held = job_table(jobs, JobRules(permits="ran-on"), models={"a100": "A100-SXM4-40GB"})
    assert held.jobs.gpu_models == [["v100"], ["A100-SXM4-40GB"], []]


def test_a_person_whom_the_log_does_not_name_gets_no_name():
    jobs = job_table(table({"user": "ada"}, {"user": None}), called=lambda name: f"p-{name}").jobs
    assert jobs.user == ["p-ada", workload.NOT_STATED]


def test_a_tenant_that_is_a_person_is_called_like_one():
    jobs = job_table(table({"user": "ada"}), JobRules(tenant="user"), called=lambda name: f"p-{name}").jobs
    assert (jobs.user, jobs.tenant) == (["p-ada"], ["p-ada"])


def test_times_count_from_the_first_submission_whatever_the_order():
    forward = job_table(table({"submit_s": 500.0}, {"submit_s": 800.0}))
    assert (forward.jobs.submit_s, forward.offset_s) == ([0.0, 300.0], 500.0)
    backward = job_table(table({"submit_s": 800.0, "id": "2"}, {"submit_s": 500.0, "id": "1"}))
    assert backward.jobs == forward.jobs


def test_permitted_models_are_named_as_the_cluster_names_them():
    jobs = table({"gpu_models_allowed": "V100M16|V100M32"}, {})
    selection = job_table(jobs, models={"V100M16": "v100-16gb"})
    assert selection.jobs.gpu_models == [["V100M32", "v100-16gb"], []]


def test_columns_that_say_nothing_stay_away():
    jobs = job_table(table({"tenant": None, "user": None})).jobs
    assert (jobs.tenant, jobs.user, jobs.gpu_models, jobs.estimate_s) == (None, None, None, None)


def test_the_tenant_may_be_another_column():
    assert job_table(table({"partition": "gpu"}), JobRules(tenant="partition")).jobs.tenant == ["gpu"]


def test_an_empty_selection_is_no_error():
    selection = job_table(table({"gpus": None}))
    assert (len(selection.jobs), selection.offset_s) == (0, 0.0)


def test_unknown_waits_are_counted_and_never_zero():
    measured = measured_waits(table({}, {"start_s": None}, {"start_s": 900.0}, {"outcome": "waiting"}, {"gpus": 0}))
    assert (measured.wait.n, measured.wait.mean) == (1, 10.0)
    assert (measured.unknown_waits, measured.not_started) == (2, 1)
    silent = measured_waits(table({"start_s": None, "end_s": None}))
    assert (silent.wait.n, silent.wait.mean, silent.jct.n, silent.not_ended) == (0, None, 0, 1)


def test_percentiles_interpolate_between_neighbours():
    assert quantile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.5
    assert spread([4.0, 1.0, 3.0, 2.0]).p90 == 3.7


def test_waits_are_measured_over_the_jobs_that_are_replayed():
    jobs = table({}, {"gpu_share": 0.5, "gpus": 1, "start_s": 5000.0})
    selection = job_table(jobs)
    assert (measured_waits(jobs).wait.n, measured_waits(jobs, selection.rows).wait.max) == (2, 10.0)


def test_requests_of_unknown_length_arrive_and_no_length_is_guessed():
    rows = [
        {"arrival_s": 2.0, "prompt_tokens": 5, "output_tokens": 6, "line": 2},
        {"arrival_s": 0.0, "prompt_tokens": 1, "output_tokens": None, "line": 3},
        {"arrival_s": 1.0, "prompt_tokens": 3, "output_tokens": 4, "line": 4},
    ]
    selection = request_stream(Table.from_rows("requests", rows))
    assert selection.requests.times_s == [0.0, 1.0, 2.0]
    assert (selection.requests.prompt_tokens, selection.requests.output_tokens) == ([1, 3, 5], None)
    assert (selection.left_out, selection.without_length) == ({}, 1)


def test_requests_without_an_arrival_are_counted():
    rows = [{"arrival_s": None, "line": 2}, {"arrival_s": 1.0, "line": 3}]
    assert request_stream(Table.from_rows("requests", rows)).left_out == {workload.ARRIVAL_UNKNOWN: 1}
