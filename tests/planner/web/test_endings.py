"""Where everything that was submitted has gone, as a sum that adds up."""

from __future__ import annotations

import re

import pytest

from planner.web.run_tables import endings

OUTCOMES = {"finished": 5, "running": 1, "waiting": 2, "rejected": 0}


@pytest.mark.parametrize(
    "fates", [{}, {"failed": 0, "killed": 0}, {"failed": 3, "killed": 0}, {"failed": 3, "killed": 4}]
)
def test_every_job_is_in_the_sum(fates: dict[str, int]) -> None:
    submitted = sum(OUTCOMES.values()) + sum(fates.values())
    counts = {"jobs": {"submitted": submitted, **OUTCOMES, **fates}, "requests": {"submitted": 0}}
    said = endings({"counts": counts, "decisions": {}})
    whole, *parts = map(int, re.findall(r"(\d+) (?:jobs|finished|running|still|that)", said[0]))
    assert whole == sum(parts) == submitted
