"""Keeps what `make bench` measured, for the page of speed and docs/reference/speed.md; of the machine only its kind."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from planner.evidence.speed import SNAPSHOT

ROOT = Path(__file__).resolve().parents[1]
BENCH = ROOT / "var" / "bench.json"
COMMAND = "make bench"


def main() -> None:
    kept = snapshot(json.loads(BENCH.read_text(encoding="utf-8")))
    SNAPSHOT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def snapshot(bench: dict[str, Any]) -> dict[str, Any]:
    """bench: the JSON of pytest-benchmark, with figures in `extra_info` and the engine's version in `machine_info`."""
    machine = bench["machine_info"]
    return {
        "engine": machine["engine"],
        "made_on": bench["datetime"][:10],
        "command": COMMAND,
        "machine": {
            "processor": f"{machine['cpu'].get('brand_raw', machine['machine'])}, {machine['cpu']['count']} cores",
            "system": f"{machine['system']} {machine['machine']}",
            "python": f"{machine['python_implementation']} {machine['python_version']}",
        },
        "groups": list(_groups(bench["benchmarks"])),
    }


def _groups(benchmarks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    files: dict[str, list[dict[str, Any]]] = {}
    for one in benchmarks:
        files.setdefault(one["fullname"].partition("::")[0], []).extend(one["extra_info"].get("figures", []))
    for file, figures in sorted(files.items()):
        if figures:
            yield {"about": _about(ROOT / file), "figures": figures}


def _about(file: Path) -> str:
    """The sentence at the head of a benchmark's file."""
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or file.stem
    return said.partition("\n\n")[0].replace("\n", " ")


if __name__ == "__main__":
    main()
