from __future__ import annotations

from planner.config import env


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
