"""The same studies, digests, boards and fronts on the other database, against a real PostgreSQL."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import postgres_server


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_studies_and_comparisons_are_the_same_on_postgresql():
    here = Path(__file__)
    folders = [str(here.parent), str(here.parents[1] / "compare")]
    left_out = [f"--ignore={here}", f"--ignore={here.parent / 'runs'}"]  # runs have such a test of their own
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with postgres_server() as url:
        done = subprocess.run(
            [*command, *folders, *left_out],
            env={**os.environ, "DATABASE_URL": url},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(re.search(r"(\d+) passed", done.stdout).group(1)) > 100
