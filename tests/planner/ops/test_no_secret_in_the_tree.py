"""Secrets come from the environment or the state folder; none is in a file of the project."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.conftest import ROOT

LOOKS = {
    "an API token of this planner": r"\bhr_[A-Za-z0-9_-]{40,}",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a key of a cloud": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}\b",
    "a token of a code host": r"\b(?:ghp|gho|ghs|glpat)[_-][A-Za-z0-9_-]{20,}",
    "a secret given in code": r"""(?i)\b(?:SECRET_KEY|API_KEY|ACCESS_KEY|AUTH_TOKEN)\s*[:=]\s*["'][^"'\s{$]{16,}["']""",
    "a password in an address": r"\b(?:postgres(?:ql)?|redis|amqp|https?)://[^\s:/@\"'{$<]+:[^\s@\"'{$<]{6,}@",
}
PLANTED = {"tests/planner/studies/runs/test_failure_reason.py": "holds made-up ones, to see that reasons hide them"}
PATTERNS = {name: re.compile(pattern) for name, pattern in LOOKS.items()}


def suspicions(text: str) -> list[str]:
    return [name for name, pattern in PATTERNS.items() if pattern.search(text)]


def test_no_file_of_the_project_holds_one():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / name for name in tracked.split("\0") if name and name not in PLANTED]
    found = {}
    for path in files:
        if path.is_file() and (said := suspicions(path.read_text(encoding="utf-8", errors="replace"))):
            found[str(path.relative_to(ROOT))] = said
    assert found == {}
    assert len(files) > 300


@pytest.mark.parametrize(
    ("planted", "name"),
    [
        ("token = 'hr_" + "a1B2" * 11 + "'", "an API token of this planner"),
        ("-----BEGIN RSA " + "PRIVATE KEY-----", "a private key"),
        ("AKIA" + "ABCDEFGH12345678", "a key of a cloud"),
        ("ghp_" + "a" * 36, "a token of a code host"),
        ("SECRET_KEY" + ' = "not-so-secret-any-more"', "a secret given in code"),
        ("postgres://headroom:" + "sw0rdfish@db/headroom", "a password in an address"),
    ],
)
def test_a_planted_one_is_found(planted, name):
    assert suspicions(planted) == [name]
