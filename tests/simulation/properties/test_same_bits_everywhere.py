"""Decisions in one kernel call or one by one, compiled or as plain Python: the same bits, whatever the world does."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from simulation.run import run_records
from simulation.systems.policy import policy_of
from simulation.systems.registry import recipe_for
from tests.conftest import ROOT
from tests.simulation.engine.test_same_bits import digest
from tests.simulation.properties.drawing import TRAINING, drawn

FUSED = ("fcfs-quota", "sjf", "srtf", "tiresias", "edf")  # those of a compiled form, unless a job is elastic
FEW, MANY = 24, 500


def fused_equals_general(number: int) -> None:
    for seed in range(number):
        scenario = drawn(seed, FUSED[seed % len(FUSED)])
        assert digest(run_records(scenario)) == digest(run_records(scenario, allow_compiled=False)), seed


def digests(number: int) -> list[str]:
    return [digest(run_records(drawn(seed, TRAINING[seed % len(TRAINING)]))) for seed in range(number)]


def compiled_equals_plain(number: int) -> None:
    code = f"import json, {__name__} as own; print(json.dumps(own.digests({number})))"
    plain = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    found = json.loads(plain.stdout)
    assert len(found) == number
    wrong = [seed for seed, (one, other) in enumerate(zip(found, digests(number), strict=True)) if one != other]
    assert not wrong, f"seeds {wrong} of systems {[TRAINING[seed % len(TRAINING)] for seed in wrong]}"


def test_fused_equals_general() -> None:
    fused_equals_general(FEW)


def test_compiled_equals_plain() -> None:
    compiled_equals_plain(FEW)


@pytest.mark.slow
def test_fused_equals_general_500_times() -> None:
    fused_equals_general(MANY)


@pytest.mark.slow
def test_compiled_equals_plain_500_times() -> None:
    compiled_equals_plain(MANY)


def test_these_systems_can_be_fused() -> None:
    """None plans by a program, or adjusts a plan once it is made: such a one has no compiled form at all."""
    for system in FUSED:
        recipe = recipe_for(system, {}, "training")
        assert type(policy_of(recipe)).__name__ == "RecipePolicy"
        assert recipe.sharing is None
