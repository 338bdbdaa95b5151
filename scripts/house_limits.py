"""Measures what keeps this code readable: the length of files and functions. Ends with 1 where a limit is passed."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

FILE_LINES = 350
FUNCTION_LINES = 60
MEDIAN_FUNCTION_LINES = 10
_SUFFIXES = {".py", ".js", ".html"}
_NOT_WRITTEN_BY_HAND = "migrations"


def tracked_files(root: Path) -> list[Path]:
    """Files under version control, and new ones that are not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    files = (root / line for line in listed.stdout.splitlines())
    return sorted(f for f in files if f.suffix in _SUFFIXES and f.is_file() and _NOT_WRITTEN_BY_HAND not in f.parts)


def functions(file: Path) -> Iterator[tuple[str, int, int]]:
    """Name, first line and number of lines of every function of a Python file."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1


def complaints(files: list[Path], root: Path) -> Iterator[str]:
    lengths = []
    for file in files:
        lines = len(file.read_text().splitlines())
        if lines > FILE_LINES:
            yield f"{file.relative_to(root)}: {lines} lines; a file has at most {FILE_LINES}"
        for name, at, length in functions(file) if file.suffix == ".py" else ():
            lengths.append(length)
            if length > FUNCTION_LINES:
                yield f"{file.relative_to(root)}:{at} {name}: {length} lines; a function has at most {FUNCTION_LINES}"
    if lengths and statistics.median(lengths) > MEDIAN_FUNCTION_LINES:
        yield f"the median function has {statistics.median(lengths)} lines; at most {MEDIAN_FUNCTION_LINES}"


def main(root: Path) -> int:
    files = tracked_files(root)
    found = list(complaints(files, root))
    print("\n".join(found) or f"house limits: {len(files)} files, all within")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]))
