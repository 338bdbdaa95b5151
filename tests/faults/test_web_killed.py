"""A web process that dies between the commit and the bell leaves runs that are done all the same."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT


def test_runs_whose_bell_never_rang_are_done(install):
    installation = install(FAULTS_PACE_S="0.05")
    died = subprocess.run(
        [sys.executable, "-m", "tests.faults.acts", "submit_and_die", "20"], env=installation.env, cwd=ROOT, check=False
    )
    assert died.returncode == -9
    assert installation.states() == {"queued": 20}
    installation.worker()
    installation.reaper()
    installation.wait_until_finished(60)
    installation.assert_nothing_lost_or_doubled(20)
