"""No text of a bundle's tables is run by a spreadsheet, numbers stay numbers, and the text can be had back."""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import replace

import pytest

from simulation.bundles.guard import unpack
from simulation.bundles.tables import table
from simulation.bundles.write import write_bundle
from simulation.run import simulate
from simulation.scenario import Workload
from tests.simulation.building import random_jobs
from tests.simulation.bundles.material import PUBLICATION, a_run, study_bundle

STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")


@pytest.mark.parametrize("start", STARTS)
def test_text_that_begins_like_a_formula_begins_with_an_apostrophe(start: str) -> None:
    text = f"{start}cmd|' /C calc'!A0"
    content = table("outputs/front.csv", [{"scenario": text, "x_metric": "cost_usd", "x": -1.5, "y": 2.0}])
    row = next(csv.DictReader(io.StringIO(content.decode(), newline="")))
    assert row["scenario"] == f"'{text}"
    assert row["scenario"].removeprefix("'") == text
    assert (row["x"], row["y"]) == ("-1.5", "2.0")


def test_no_file_of_a_bundle_has_such_a_cell() -> None:
    """The study's second scenario is called "=Shortest first", the jobs of the run "=1+1"."""
    run = a_run()
    jobs = random_jobs(1, 20)
    evil = jobs.model_copy(update={"id": [f"=1+{i}" for i in range(20)], "tenant": ["@all"] * 20})
    scenario = run.scenarios[0].model_copy(update={"workload": Workload(jobs=evil), "quotas": {}})
    found = simulate(scenario, 0)
    run = replace(
        run, scenarios=(scenario,), runs=(replace(run.runs[0], document=found.document),), records=found.records
    )
    seen = 0
    for bundle in (study_bundle(), write_bundle(run, PUBLICATION)):
        for name, content in unpack(bundle).items():
            if name.endswith((".csv", ".csv.gz")):
                text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
                cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
                seen += sum(cell.startswith(("'=", "'@")) for cell in cells)
                assert [c for c in cells if c.startswith(STARTS) and not _is_number(c)] == [], name
    assert seen > 40


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
