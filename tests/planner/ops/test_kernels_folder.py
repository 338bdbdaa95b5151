from __future__ import annotations

import os
from pathlib import Path

import pytest

from planner.config import env
from planner.studies.runs.kernels import old_kernels_remove


def test_compiled_kernels_of_another_engine_are_never_found(tmp_path, monkeypatch):
    monkeypatch.setattr(env, "ROOT", tmp_path)
    kernel = tmp_path / "simulation" / "engine" / "kernel.py"
    kernel.parent.mkdir(parents=True)
    kernel.write_text("a = 1")
    before = env.engine_digest()
    assert env.engine_digest() == before
    kernel.write_text("a = 2")
    assert env.engine_digest() != before


def test_the_folder_is_named_after_the_engine(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADROOM_STATE", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    env.engine_environment()
    assert env.os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / "kernels" / env.engine_digest())


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
