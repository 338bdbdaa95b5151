"""A bundle depends on what it says alone: not on the clock, the order of things, or who writes it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from io import BytesIO

from simulation.bundles.checksums import sha256
from simulation.bundles.guard import unpack
from simulation.bundles.layout import CHECKSUMS
from simulation.bundles.outputs import sampling_step
from simulation.bundles.write import write_bundle
from simulation.scenario import Scenario, scenario_digest
from tests.simulation.bundles.material import PUBLICATION, a_run, a_study, run_bundle, study_bundle


def test_written_twice_it_is_the_same() -> None:
    assert write_bundle(a_run(), PUBLICATION) == run_bundle()
    assert write_bundle(a_study(), PUBLICATION) == study_bundle()


def test_another_result_gives_other_bytes() -> None:
    other = replace(a_run(), title="Another question")
    assert write_bundle(other, PUBLICATION) != run_bundle()


def test_entries_are_sorted_and_have_no_times_or_owners() -> None:
    with zipfile.ZipFile(BytesIO(study_bundle())) as archive:
        entries = archive.infolist()
    assert [e.filename for e in entries] == sorted(e.filename for e in entries)
    assert {e.date_time for e in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {(e.create_system, e.external_attr >> 16) for e in entries} == {(3, 0o100644)}


def test_every_file_but_the_list_is_in_the_list() -> None:
    files = unpack(study_bundle())
    listed = dict(reversed(line.split("  ")) for line in files[CHECKSUMS].decode().splitlines())
    assert listed == {name: sha256(content) for name, content in files.items() if name != CHECKSUMS}


def test_a_run_holds_the_whole_scenario_in_one_canonical_file() -> None:
    files = unpack(run_bundle())
    found = Scenario.model_validate_json(files["inputs/scenario.json"])
    assert scenario_digest(found) == json.loads(files["run.json"])["scenarios"][0]["digest"]
    assert found == a_run().scenarios[0]


def test_scenarios_of_a_study_share_the_file_of_their_workload() -> None:
    names = unpack(study_bundle()).keys()
    assert len([n for n in names if n.startswith("inputs/workloads/")]) == 1
    assert [n for n in sorted(names) if n.startswith("inputs/scenarios/")] == [
        "inputs/scenarios/0000.json",
        "inputs/scenarios/0001.json",
    ]


def test_of_very_many_jobs_every_nth_is_written() -> None:
    assert [sampling_step(n) for n in (0, 1, 200_000, 200_001, 1_000_000)] == [1, 1, 1, 2, 5]
