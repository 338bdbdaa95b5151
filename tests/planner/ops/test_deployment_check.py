"""Behind HTTPS, with a key of its own, Django's check of a deployment has nothing to say."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys

from tests.conftest import ROOT


def test_the_check_of_a_deployment_is_clean(tmp_path):
    production = {"HTTPS": "1", "DEBUG": "0", "SECRET_KEY": secrets.token_urlsafe(60), "ALLOWED_HOSTS": "site.example",
                  "HEADROOM_STATE": str(tmp_path), "STATIC_ROOT": str(tmp_path / "static")}  # fmt: skip
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **production}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout + done.stderr
