"""What befell a run stands in words: sums add up, what never happened is not mentioned, later prices say since when."""

from __future__ import annotations

from planner.web.run_tables import costs, decisions, endings
from tests.planner.web.result_document import document


def test_refused_jobs_are_no_jobs_that_can_never_run():
    told = document(0, 0)
    jobs = told["counts"]["jobs"] | {"submitted": 20, "finished": 9, "running": 0, "waiting": 0, "rejected": 8}
    told["counts"]["jobs"] = jobs | {"failed": 2, "killed": 1}
    told["decisions"]["jobs_refused"] = 5
    said = endings(told)[0]
    assert "5 refused by the policy + 3 that can never run here" in said
    assert "2 that ran and failed + 1 that ran and were killed" in said
    assert sum(int(word) for word in said.split("=")[1].replace("+", " ").split() if word.isdigit()) == 20


def test_counts_have_words_and_what_never_happened_is_left_out():
    told = document(0, 0)
    told["decisions"] = {"starts": 3, "node_losses": 2, "plans_refused": 0, "solve_us": 70, "of_tomorrow": 1}
    assert decisions(told) == [
        ("starts and restarts of jobs", 3),
        ("nodes lost: failed, reclaimed or taken away", 2),
        ("of tomorrow", 1),
    ]


def test_a_later_price_says_since_when():
    told = document(0, 0)
    told["costs"] = [told["costs"][0], told["costs"][0] | {"since_s": 7200.0}]
    assert [line["since_s"] for line in costs(told).lines] == [0.0, 7200.0]
