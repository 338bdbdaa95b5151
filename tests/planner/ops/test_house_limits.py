from __future__ import annotations

import subprocess

import pytest

from scripts.house_limits import FILE_LINES, FUNCTION_LINES, complaints, main, tracked_files
from tests.conftest import ROOT


@pytest.fixture
def tree(tmp_path):
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


def said(tree) -> str:
    return "\n".join(complaints(tracked_files(tree), tree))


def test_this_tree_keeps_its_limits():
    assert main(ROOT) == 0


def test_a_long_file_is_named(tree):
    (tree / "long.py").write_text("x = 1\n" * (FILE_LINES + 1))
    (tree / "short.py").write_text("x = 1\n" * FILE_LINES)
    assert said(tree) == f"long.py: {FILE_LINES + 1} lines; a file has at most {FILE_LINES}"


def test_a_long_function_is_named_with_its_line(tree):
    (tree / "a.py").write_text("\n\ndef f():\n" + "    x = 1\n" * FUNCTION_LINES + "".join(
        f"def g{n}():\n    pass\n" for n in range(3)))  # fmt: skip
    assert said(tree) == f"a.py:3 f: {FUNCTION_LINES + 1} lines; a function has at most {FUNCTION_LINES}"


def test_functions_that_are_long_on_the_whole_are_reported(tree):
    (tree / "a.py").write_text("def f():\n" + "    x = 1\n" * 12)
    assert "median" in said(tree)


def test_scripts_and_templates_count_and_migrations_do_not(tree):
    for name in ("a.js", "a.html", "migrations/0001_initial.py"):
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text("\n" * (FILE_LINES + 1))
    assert {line.split(":")[0] for line in said(tree).splitlines()} == {"a.js", "a.html"}
