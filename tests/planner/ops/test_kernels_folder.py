from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from planner.config import env
from planner.studies.runs.kernels import old_kernels_remove
from simulation import kernel_cache


def test_compiled_kernels_of_another_engine_are_never_found(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "ROOT", tmp_path)
    kernel = tmp_path / "simulation" / "engine" / "kernel.py"
    kernel.parent.mkdir(parents=True)
    kernel.write_text("a = 1")
    before = kernel_cache.engine_digest()
    assert kernel_cache.engine_digest() == before
    kernel.write_text("a = 2")
    assert kernel_cache.engine_digest() != before


def test_the_folder_is_named_after_the_engine(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADROOM_STATE", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    env.engine_environment()
    assert env.os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / "kernels" / kernel_cache.engine_digest())


def test_where_the_folder_cannot_be_made_the_compiler_finds_its_own(tmp_path, monkeypatch):
    (tmp_path / "kernels").write_text("a file stands in the way")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    kernel_cache.keep_kernels(tmp_path)
    assert "NUMBA_CACHE_DIR" not in os.environ


def test_the_command_line_keeps_kernels_where_the_site_does(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-m", "simulation", "systems", "--json"]
    done = subprocess.run(
        command, cwd=kernel_cache.ROOT, env=environment | {"HEADROOM_STATE": str(tmp_path)}, check=False
    )
    assert done.returncode == 0
    assert (tmp_path / "kernels" / kernel_cache.engine_digest()).is_dir()


@pytest.fixture
def folders(tmp_path, monkeypatch, settings) -> Path:
    """Three engines, warmed one after the other, and a folder that is none of ours; the last engine is the present."""
    settings.STATE_DIR = tmp_path
    kernels = tmp_path / "kernels"
    for age, name in enumerate(("cccccccccccc", "bbbbbbbbbbbb", "aaaaaaaaaaaa", "mine")):
        (kernels / name / "engine").mkdir(parents=True)
        os.utime(kernels / name, (1_000_000 - age, 1_000_000 - age))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(kernels / "cccccccccccc"))
    return kernels


def test_of_earlier_engines_only_the_kernels_of_the_last_one_stay(folders):
    old_kernels_remove()
    assert sorted(folder.name for folder in folders.iterdir()) == ["bbbbbbbbbbbb", "cccccccccccc", "mine"]


def test_an_engine_that_was_gone_back_to_counts_as_the_last(folders, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folders / "aaaaaaaaaaaa"))
    old_kernels_remove()
    assert sorted(folder.name for folder in folders.iterdir()) == ["aaaaaaaaaaaa", "cccccccccccc", "mine"]


def test_a_folder_that_was_named_from_outside_is_left_alone(folders, monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "elsewhere"))
    old_kernels_remove()
    assert len(list(folders.iterdir())) == 4
