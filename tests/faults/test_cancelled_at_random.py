"""R10: a run cancelled at any moment ends soon, and never both cancelled and done."""

from __future__ import annotations

from tests.servers import wait_until

DONE = "select count(*) from studies_run where state = 'done'"


def test_a_cancelled_run_is_final_within_two_seconds_and_has_one_end(install):
    installation = install(FAULTS_PACE_S="0.4")
    group = installation.worker(slots=4)
    installation.reaper()
    installation.act("submit", 200)
    installation.wait_for_work_in(group)
    wait_until(lambda: installation.rows(DONE)[0][0] > 0, 30, "a run is done")
    accepted = installation.act("cancel_at_random")["accepted"]
    wait_until(lambda: installation.unfinished() == 0, 2, "all runs are final")
    ends = dict(installation.rows("select id, state from studies_run"))
    told = {run.replace("-", ""): yes for run, yes in accepted.items()}
    assert {run: state == "cancelled" for run, state in ends.items()} == told
    assert set(ends.values()) == {"cancelled", "done"}
    assert installation.rows(
        "select count(*) from studies_run where state = 'cancelled' and result_id is not null"
    ) == [(0,)]
    assert installation.rows("select count(*) from studies_run where state = 'cancelled' and attempt > 0")[0][0] >= 20
