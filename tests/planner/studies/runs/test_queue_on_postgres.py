"""The same promises on the other database: every test of this folder once more, against a real PostgreSQL."""

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
def test_the_queue_keeps_its_promises_on_postgresql():
    here = Path(__file__)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with postgres_server() as url:
        done = subprocess.run(
            [*command, str(here.parent), f"--ignore={here}"],
            env={**os.environ, "DATABASE_URL": url},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(re.search(r"(\d+) passed", done.stdout).group(1)) > 50
