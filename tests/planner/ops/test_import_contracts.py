"""The contracts on imports hold, and a planted violation of each is found."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

PLANTED = {
    "Parts of the product import one way": ("planner/accounts/planted.py", "import planner.web.apps"),
    "The engine knows no website, no database and no figures": ("simulation/planted.py", "import django"),
    "Inside the engine imports go one way": ("simulation/world/planted.py", "import simulation.engine.loop"),
    "Metrics and statistics are functions of records alone": (
        "simulation/metrics/planted.py",
        "import simulation.engine.loop",
    ),
    "A system never imports another system": (
        "simulation/systems/training/planted_a.py",
        "import simulation.systems.training.planted_b",
    ),
}


def lint(folder: Path) -> tuple[int, str]:
    program = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([program, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)  # it colours even what no terminal reads


@pytest.fixture
def tree(tmp_path):
    for part in ("api", "planner", "simulation"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".importlinter", tmp_path)
    return tmp_path


def test_the_contracts_hold(tree):
    code, said = lint(tree)
    assert code == 0, said


def test_every_contract_finds_its_planted_violation(tree):
    (tree / "simulation/systems/training/planted_b.py").write_text("")
    for place, line in PLANTED.values():
        (tree / place).write_text(f"{line}\n")
    code, said = lint(tree)
    assert code == 1
    broken = {line.removesuffix("BROKEN").strip() for line in said.splitlines() if line.endswith("BROKEN")}
    assert broken == set(PLANTED)
