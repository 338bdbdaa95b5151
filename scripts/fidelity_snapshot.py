"""Runs every reference case and keeps the rows, for the page of agreement and for docs/reference/agreement.md."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from planner.evidence.fidelity import SNAPSHOT
from simulation import ENGINE_VERSION

ROOT = Path(__file__).resolve().parents[1]
COMMAND = ("python", "-m", "simulation", "fidelity", "--json")


def main() -> None:
    _rows()  # compiles what has changed: a case that waits for that would look slow
    SNAPSHOT.write_text(snapshot(_rows(), datetime.now(UTC).date().isoformat()), encoding="utf-8")


def _rows() -> list[dict[str, object]]:
    run = subprocess.run([sys.executable, *COMMAND[1:]], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if not run.stdout.strip():
        sys.exit(f"{' '.join(COMMAND)} printed no rows, exit code {run.returncode}")
    rows: list[dict[str, object]] = json.loads(run.stdout)
    return rows


def snapshot(rows: list[dict[str, object]], made_on: str) -> str:
    """The text of the snapshot, one line a row so that a change is read line by line."""
    head = {"engine": ENGINE_VERSION, "made_on": made_on, "command": " ".join(COMMAND)}
    lines = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "rows": [\n  {lines}\n]}}\n'


if __name__ == "__main__":
    main()
